package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/lessons"
)

// answerFile is the learner's file of a script; it is made when it is not there.
func (m *model) answerFile(f *lessons.Fix) (string, error) {
	if m.o.Answers == "" {
		return "", fmt.Errorf("%s", fill(m.words.Learn.NoEditor, "file", f.File))
	}
	file := filepath.Join(m.o.Answers, f.File)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if err := os.MkdirAll(m.o.Answers, 0o700); err != nil {
		return "", err
	}
	return file, os.WriteFile(file, []byte(f.Shipped), 0o600)
}

// editor is the learner's editor, "" if there is none.
func editor() string {
	for _, name := range []string{os.Getenv("VISUAL"), os.Getenv("EDITOR"), "nano", "vi"} {
		if name == "" {
			continue
		}
		if _, err := exec.LookPath(strings.Fields(name)[0]); err == nil {
			return name
		}
	}
	return ""
}

// edited is the end of an editor.
type edited struct{ err error }

// edit opens the file in the learner's editor, and judges it afterwards.
func (m *model) edit() tea.Cmd {
	file, err := m.answerFile(m.learn.exercise.Fix)
	if err != nil {
		return m.fault(err)
	}
	name := editor()
	if name == "" {
		m.complain(m.words.Learn.NoEditor, "file", file)
		return nil
	}
	words := append(strings.Fields(name), file)
	return tea.ExecProcess(exec.Command(words[0], words[1:]...), func(err error) tea.Msg { return edited{err} })
}

func (m *model) wasEdited(e edited) tea.Cmd {
	if e.err != nil {
		m.complain(e.err.Error())
		return nil
	}
	if m.learn == nil || m.learn.exercise == nil || m.learn.exercise.Fix == nil {
		return nil
	}
	return m.checkFile()
}

// checkFile judges what is in the learner's file.
func (m *model) checkFile() tea.Cmd {
	file, err := m.answerFile(m.learn.exercise.Fix)
	if err != nil {
		return m.fault(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return m.fault(err)
	}
	return m.grade(string(text))
}

// setAside renames the learner's file, so that the next one starts afresh.
func (m *model) setAside(f *lessons.Fix) error {
	file := filepath.Join(m.o.Answers, f.File)
	err := os.Rename(file, file+"."+m.now().Format("2006-01-02T15-04-05"))
	if os.IsNotExist(err) {
		return nil
	}
	return err
}
