package llvmargs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// Bounds of files with arguments.
const (
	maxResponse = 16 << 20 // bytes of one
	maxNested   = 32
	maxArgs     = 1 << 20
)

// Expand replaces @FILE by the arguments in the file, which may name further files. One
// that is not there is an argument as it is.
func Expand(args []string) ([]string, error) {
	var e expander
	err := e.add(args)
	return e.args, err
}

type expander struct {
	args []string
	open []string // files that are being read
}

func (e *expander) add(args []string) error {
	for _, arg := range args {
		name, ok := strings.CutPrefix(arg, "@")
		info, err := os.Stat(name)
		if !ok || err != nil {
			e.args = append(e.args, arg)
			continue
		}
		if len(e.open) == maxNested || len(e.args) > maxArgs {
			return fmt.Errorf("%s: too many arguments", arg)
		}
		if slices.ContainsFunc(e.open, func(name string) bool { return sameFile(name, info) }) {
			return fmt.Errorf("%s: the file contains itself", arg)
		}
		text, err := readResponse(name)
		if err != nil {
			return fmt.Errorf("%s: %v", arg, err)
		}
		e.open = append(e.open, name)
		if err := e.add(split(strings.TrimPrefix(text, "\ufeff"))); err != nil {
			return err
		}
		e.open = e.open[:len(e.open)-1]
	}
	return nil
}

func readResponse(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", withoutPath(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxResponse+1))
	err = withoutPath(err)
	if err == nil && len(data) > maxResponse {
		err = fmt.Errorf("more than %d bytes", maxResponse)
	}
	return string(data), err
}

// withoutPath is an error of the system without the name of the file, which stands before it.
func withoutPath(err error) error {
	if fault, ok := errors.AsType[*fs.PathError](err); ok {
		return fault.Err
	}
	return err
}

func sameFile(name string, info os.FileInfo) bool {
	other, err := os.Stat(name)
	return err == nil && os.SameFile(other, info)
}

// split is the arguments in a text: between blanks, with quotes around what has some, and
// a backslash before any character that stands for itself.
func split(text string) (args []string) {
	var arg []byte
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			arg = append(arg, text[i])
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if len(arg) > 0 {
				args, arg = append(args, string(arg)), nil
			}
		default:
			arg = append(arg, c)
		}
	}
	if len(arg) > 0 {
		args = append(args, string(arg))
	}
	return args
}
