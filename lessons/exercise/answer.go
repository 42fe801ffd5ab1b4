package exercise

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"flashlab/lessons"
)

// MaxAnswer is the longest answer, in bytes: more than any script needs.
const MaxAnswer = 64 << 10

// Text makes the whole text from an answer: the script itself, the chosen lines in
// order, the frame with its gap filled. For a Pick it is the option's name. The
// error is a [lessons.Miss] that says what is wrong with the answer.
func Text(f *lessons.Fix, answer string) (string, error) {
	answer = strings.TrimPrefix(answer, "\ufeff") // Windows editors begin a file with it
	switch {
	case len(answer) > MaxAnswer:
		return "", miss("", "The answer has %d bytes; more than %d are not read.", "答案有 %d 字节，超过 %d 的不收。", len(answer), MaxAnswer)
	case !utf8.ValidString(answer):
		return "", miss("", "The answer is no UTF-8 text: save the file as UTF-8.", "答案不是 UTF-8 文本，请把文件存成 UTF-8。")
	case strings.ContainsRune(answer, 0):
		return "", miss("", "The answer holds a zero byte: is it a text file?", "答案里有零字节，这是文本文件吗？")
	}
	switch f.Form {
	case lessons.Pick:
		return option(f, strings.TrimSpace(answer))
	case lessons.Order:
		return ordered(f, answer)
	case lessons.Gap:
		gap := strings.TrimSpace(answer)
		if strings.ContainsAny(gap, "\r\n") {
			return "", miss("", "The gap takes one line, but the answer has several.", "空格里只能填一行，答案却有好几行。")
		}
		return strings.Replace(f.Frame, lessons.Blank, gap, 1), nil
	}
	return strings.ReplaceAll(answer, "\r\n", "\n"), nil
}

// option finds an option by its name, or by its letter: "a" is the first.
func option(f *lessons.Fix, name string) (string, error) {
	var names []string
	for _, o := range f.Options {
		if o.Name == name {
			return name, nil
		}
		names = append(names, o.Name)
	}
	if len(name) == 1 {
		if i := int(name[0]|0x20) - 'a'; i >= 0 && i < len(names) { // capitals as well
			return names[i], nil
		}
	}
	return "", miss("", "There is no option %q: pick one of %s.", "没有 %q 这个选项，可选的有：%s。", name, strings.Join(names, ", "))
}

// ordered puts the chosen lines together: "3 1 4".
func ordered(f *lessons.Fix, answer string) (string, error) {
	var b strings.Builder
	used := map[int]bool{}
	for _, word := range strings.FieldsFunc(answer, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' }) {
		n, err := strconv.Atoi(word)
		if err != nil || n < 1 || n > len(f.Lines) {
			return "", miss("", "%q is no line: there are lines 1 to %d.", "没有 %q 这一行，只有第 1 到第 %d 行。", word, len(f.Lines))
		}
		if used[n] {
			return "", miss("", "Line %d is chosen twice.", "第 %d 行选了两次。", n)
		}
		used[n] = true
		b.WriteString(f.Lines[n-1] + "\n")
	}
	return b.String(), nil
}

// miss makes a miss from the same figures in both languages.
func miss(mistake, en, zh string, args ...any) *lessons.Miss {
	return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}}
}
