package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// scriptFile is what was last read of the learner's file.
type scriptFile struct {
	gen  int // of the page that shows it; 0: none
	text string
	err  error
}

// scriptRead is a reading of the learner's file.
type scriptRead struct {
	gen  int
	text string
	err  error
}

// scriptTick asks for the next one.
type scriptTick struct{ gen int }

// scriptTime is how often the file of a page is read.
const scriptTime = time.Second

// openScript begins to read the file of the exercise that is open.
func (m *model) openScript() tea.Cmd {
	m.scripts++
	m.learn.script = scriptFile{gen: m.scripts}
	return m.readScript()
}

// readScript reads the file in the background: a disk may be slow, and a file may be
// anything.
func (m *model) readScript() tea.Cmd {
	f, gen, words := m.learn.exercise.Fix, m.learn.script.gen, m.words
	return m.guard.cmd(func() tea.Msg {
		file, err := m.answerFile(f)
		if err != nil {
			return nil // said on the page
		}
		text, err := readAnswer(&words.Learn, file)
		return scriptRead{gen, text, err}
	})
}

func (m *model) scriptWasRead(r scriptRead) tea.Cmd {
	if m.learn == nil || m.learn.script.gen != r.gen {
		return nil
	}
	m.learn.script.text, m.learn.script.err = r.text, r.err
	return m.tick(scriptTime, func(time.Time) tea.Msg { return scriptTick{r.gen} })
}

func (m *model) scriptTicked(t scriptTick) tea.Cmd {
	if m.learn == nil || m.learn.script.gen != t.gen || m.learn.exercise == nil {
		return nil
	}
	return m.readScript()
}

// readAnswer reads a learner's file, if it can be one; the error is a sentence.
func readAnswer(w *i18n.Learn, file string) (string, error) {
	bad := func(text string, pairs ...string) (string, error) {
		return "", errors.New(fill(text, append(pairs, "file", file)...))
	}
	info, err := os.Stat(file)
	switch {
	case err != nil:
		return bad(w.NoFile, "why", reason(err))
	case !info.Mode().IsRegular():
		return bad(w.NoRegular)
	}
	// It may have become a pipe since: opening must not wait for a writer.
	f, err := os.OpenFile(file, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return bad(w.NoFile, "why", reason(err))
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, exercise.MaxAnswer+1))
	switch {
	case err != nil:
		return bad(w.NoFile, "why", reason(err))
	case len(raw) > exercise.MaxAnswer:
		return bad(w.TooLong, "kib", strconv.Itoa(exercise.MaxAnswer>>10))
	case !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0:
		return bad(w.NoText)
	}
	return string(raw), nil
}

// reason is an error of the file system without the name of the file.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// answerPath is where the learner's file of a script is, "" if there is no place.
func (m *model) answerPath(f *lessons.Fix) string {
	if m.o.Answers == "" {
		return ""
	}
	return filepath.Join(m.o.Answers, f.File)
}

// answerFile is the learner's file of a script; it is made when it is not there.
func (m *model) answerFile(f *lessons.Fix) (string, error) {
	if m.o.Answers == "" {
		return "", fmt.Errorf("%s", fill(m.words.Learn.NoEditor, "file", f.File))
	}
	file := m.answerPath(f)
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
type edited struct {
	err    error
	editor string
	file   string
}

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
	return tea.ExecProcess(exec.Command(words[0], words[1:]...), func(err error) tea.Msg { return edited{err, name, file} })
}

func (m *model) wasEdited(e edited) tea.Cmd {
	if e.err != nil {
		m.complain(m.words.Learn.BadEditor, "editor", e.editor, "why", e.err.Error(), "file", e.file)
		return nil
	}
	if m.learn == nil || m.learn.exercise == nil || m.learn.exercise.Fix == nil {
		return nil
	}
	return m.checkFile()
}

// checkFile judges what is in the learner's file.
func (m *model) checkFile() tea.Cmd {
	f, words := m.learn.exercise.Fix, m.words
	return m.work(m.words.Learn.Checking, func(context.Context) (func() tea.Cmd, error) {
		file, err := m.answerFile(f)
		if err != nil {
			return nil, err
		}
		text, bad := readAnswer(&words.Learn, file)
		return func() tea.Cmd {
			m.learn.script.text, m.learn.script.err = text, bad
			if bad != nil {
				m.learn.verdict = nil
				m.complain(bad.Error())
				return nil
			}
			return m.grade(text)
		}, nil
	})
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
