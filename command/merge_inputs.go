package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"proflens/command/profdata"
	"proflens/decode"
	"proflens/decode/model"
	"proflens/ingest/unpack"
	"proflens/internal/mmap"
	"proflens/profile/stored"
)

// mergeInput is a file to be merged.
type mergeInput struct {
	name     string // as it was given, or found
	path     string // where it lies, if not under its name
	weight   uint64
	optional bool // it came out of an archive
}

// mergeInputs lists the files of a merge in the order of llvm-profdata: those named as
// arguments, those with a weight, those of a list.
func mergeInputs(args []string, weighted *weightFlag, list string, stdin io.Reader) ([]mergeInput, error) {
	var inputs []mergeInput
	add := func(name string, weight uint64) error {
		names, err := filesOf(name)
		for _, n := range names {
			inputs = append(inputs, mergeInput{name: n, weight: weight})
		}
		return err
	}
	for _, name := range args {
		if err := add(name, max(1, weighted.weights[name])); err != nil {
			return nil, err
		}
	}
	for _, name := range weighted.inputs(nil) {
		if !slices.Contains(args, name) {
			if err := add(name, weighted.weights[name]); err != nil {
				return nil, err
			}
		}
	}
	if list == "" {
		return inputs, nil
	}
	lines, err := (&mergeFiles{stdin: stdin}).read(mergeInput{name: list})
	if err != nil {
		return nil, err
	}
	if list != "-" {
		defer mmap.Release(lines)
	}
	err = profdata.Listed(lines, add)
	if wrong, ok := errors.AsType[*profdata.WeightError](err); ok {
		err = misused("merge: %s, %v", list, wrong)
	}
	return inputs, err
}

// packedError is returned for an archive in the place of a file.
type packedError struct{ name string }

func (e *packedError) Error() string { return e.name + ": this is an archive" }

// mergeFiles opens the files of a merge.
type mergeFiles struct {
	stdin io.Reader
	once  sync.Once
	data  []byte // of standard input
	err   error
	dir   string // of what archives hold; empty for none
}

// Close removes what was unpacked.
func (m *mergeFiles) Close() {
	if m.dir != "" {
		_ = os.RemoveAll(m.dir)
	}
}

// lazy are the inputs as they are opened in turn.
func (m *mergeFiles) lazy(ctx context.Context, inputs []mergeInput) []decode.Lazy {
	var opened atomic.Int64
	files := make([]decode.Lazy, len(inputs))
	for i, in := range inputs {
		files[i] = decode.Lazy{Name: in.name, Weight: in.weight, Optional: in.optional, Open: func() ([]byte, func(), error) {
			stored.Report(ctx, "Merging files", min(int(opened.Add(1)), len(inputs))-1, len(inputs))
			data, err := m.read(in)
			release := func() {
				if in.name != "-" {
					mmap.Release(data)
				}
			}
			if err == nil && in.path == "" && unpack.Packed(bytes.NewReader(data)) {
				err = &packedError{in.name}
			}
			return data, release, err
		}}
	}
	return files
}

// read is a whole file. What is read of standard input stays, as it is there once.
func (m *mergeFiles) read(in mergeInput) ([]byte, error) {
	if in.path != "" {
		return mmap.ReadFile(in.path)
	}
	if in.name != "-" {
		return mmap.ReadFile(in.name)
	}
	m.once.Do(func() { m.data, m.err = io.ReadAll(m.stdin) })
	return m.data, m.err
}

// unpack has the files of archives in the place of these, in a folder of their own.
func (m *mergeFiles) unpack(ctx context.Context, inputs []mergeInput) (all []mergeInput, err error) {
	if m.dir, err = os.MkdirTemp("", "proflens-"); err != nil {
		return nil, err
	}
	budget := &unpack.Budget{Bytes: maxUnpacked, Members: maxMembers, Depth: maxDepth}
	for _, in := range inputs {
		members, err := m.expand(ctx, in, budget)
		if err != nil {
			return nil, err
		}
		all = append(all, members...)
	}
	return all, nil
}

// expand is the files of an archive, or else the file itself.
func (m *mergeFiles) expand(ctx context.Context, in mergeInput, budget *unpack.Budget) ([]mergeInput, error) {
	data, err := m.read(in)
	if err != nil {
		return nil, err
	}
	if in.name != "-" {
		defer mmap.Release(data)
	}
	packed := bytes.NewReader(data)
	if !unpack.Packed(packed) {
		return []mergeInput{in}, nil
	}
	var members []mergeInput
	err = unpack.Expand(ctx, packed, packed.Size(), in.name, budget, func(member string, r io.Reader) error {
		f, err := os.CreateTemp(m.dir, "")
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		members = append(members, mergeInput{name: member, path: f.Name(), weight: in.weight, optional: true})
		return errors.Join(err, f.Close())
	})
	if fault, ok := errors.AsType[*unpack.Error](err); ok {
		return nil, &model.FormatError{
			Kind: model.Kind(fault.Kind), File: in.name, Section: "archive", Offset: uint64(fault.At), Msg: fault.Message(),
			Err: err,
		}
	}
	return members, err
}

// filesOf are the files that an argument names: one, all below a folder, or those that
// a pattern matches, by name. In a pattern ** stands for any folders. A name that is
// there is no pattern.
func filesOf(name string) ([]string, error) {
	if name == "-" {
		return []string{name}, nil
	}
	info, err := os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return below(name, func(string) bool { return true })
	case err == nil:
		return []string{name}, nil
	case !strings.ContainsAny(name, "*?["):
		return nil, err
	}
	pattern := strings.Split(filepath.ToSlash(filepath.Clean(name)), "/")
	for _, part := range pattern {
		if _, err := filepath.Match(part, ""); err != nil {
			return nil, misused("merge: %s: the pattern is wrong: %v", name, err)
		}
	}
	fixed := 0
	for fixed < len(pattern)-1 && !strings.ContainsAny(pattern[fixed], "*?[") {
		fixed++
	}
	root := filepath.FromSlash(strings.Join(pattern[:fixed], "/"))
	switch {
	case root == "" && strings.HasPrefix(name, "/"):
		root = "/"
	case root == "":
		root = "."
	}
	names, err := below(root, func(path string) bool {
		rest, err := filepath.Rel(root, path)
		return err == nil && matches(pattern[fixed:], strings.Split(filepath.ToSlash(rest), "/"))
	})
	if err == nil && len(names) == 0 {
		err = misused("merge: %s matches no file", name)
	}
	return names, err
}

// below are the files below a folder that are wanted, by name.
func below(root string, wanted func(path string) bool) ([]string, error) {
	var names []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !wanted(path) {
			return err
		}
		if d.Type()&os.ModeSymlink != 0 {
			if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
				return nil
			}
		} else if !d.Type().IsRegular() {
			return nil
		}
		names = append(names, path)
		return nil
	})
	return names, err
}

// matches reports whether the parts of a path are as those of a pattern.
func matches(pattern, path []string) bool {
	if len(pattern) == 0 {
		return len(path) == 0
	}
	if pattern[0] == "**" {
		for n := 0; n <= len(path); n++ {
			if matches(pattern[1:], path[n:]) {
				return true
			}
		}
		return false
	}
	if len(path) == 0 {
		return false
	}
	ok, _ := filepath.Match(pattern[0], path[0]) // the pattern is right
	return ok && matches(pattern[1:], path[1:])
}
