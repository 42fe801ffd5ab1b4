package showdown

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxDocument is the largest file that is read, in bytes; a full showdown has 30 KB.
const maxDocument = 1 << 20

// Load reads the document in a file. The error is fs.ErrNotExist if there is none,
// ErrForeign if the file holds something else, or one of the system.
func Load(file string) (*Document, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if st, err := f.Stat(); err == nil && st.IsDir() {
		return nil, ErrForeign
	}
	b, err := io.ReadAll(io.LimitReader(f, maxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("reading the showdown: %w", err)
	}
	if len(b) > maxDocument {
		return nil, ErrForeign
	}
	return Decode(b)
}

// Keep writes the document to a file that only its owner may read, in place of the one
// that was kept there before: all of it or nothing. A file that holds something else
// stays as it is, and the error is ErrForeign.
func (d *Document) Keep(file string) error {
	if _, err := Load(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	b, err := d.Encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".showdown-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails once it has its name
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}
