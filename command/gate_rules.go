package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"proflens/gate"
)

// findRules reads the rules that are kept in a file: that of -rules or, if there is one,
// proflens.toml of the working directory or of a folder above it, up to that of the
// repository.
func (c *gateConfig) findRules() (*gate.Config, error) {
	path := c.ruleFile
	if path == "" {
		var err error
		if path, err = findUpwards(gate.FileName); err != nil || path == "" {
			return &gate.Config{}, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > gate.MaxFile {
		return nil, usageError{fmt.Sprintf("%s has %d bytes; it may have %d", path, info.Size(), gate.MaxFile)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	config, err := gate.Parse(text)
	if fault, ok := errors.AsType[*gate.ConfigError](err); ok {
		fault.File = path
		return nil, usageError{fault.Error()}
	}
	return config, err
}

// findUpwards is the path of a file in the working directory or the nearest folder above
// it that has one, up to the root of a repository; empty where there is none.
func findUpwards(name string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}
