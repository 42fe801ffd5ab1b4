package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// canWrite refuses a file that cannot be written, before any work is done for it. It
// leaves no trace; "" asks for no file.
func canWrite(flag, path string) error {
	if path == "" {
		return nil
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return usage(fmt.Errorf("%s %s is a directory: name a file", flag, path))
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage(fmt.Errorf("%s %s cannot be written: there is no directory %s", flag, path, dir))
	}
	_, there := os.Stat(path)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return usage(fmt.Errorf("%s %s cannot be written: check the rights of the file and of %s", flag, path, dir))
	}
	if there != nil {
		defer os.Remove(path)
	}
	return f.Close()
}
