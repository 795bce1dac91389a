package covsite

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// marker is the file by which a site is known as one of ours. It names its other files,
// which are removed when the site is written again.
const marker = ".proflens-site"

// folder is where a site is written. What it does stays in it.
type folder struct {
	root  *os.Root
	list  *os.File
	later *os.File // what is kept; nil while nothing is
	size  int64    // of later
}

// kept is where in the file of what is kept something stands.
type kept struct {
	at   int64
	size int
}

// keeping is the file of what is kept until it is asked for: pages of half a megabyte, of some files
// hundreds.
const keeping = ".proflens-later"

// keep keeps bytes until the site is done.
func (f *folder) keep(data []byte) (k kept, err error) {
	if f.later == nil {
		if err = f.write(keeping, nil); err != nil {
			return k, err
		}
		if f.later, err = f.root.OpenFile(keeping, os.O_RDWR, 0); err != nil {
			return k, err
		}
	}
	n, err := f.later.WriteAt(data, f.size)
	k = kept{f.size, n}
	f.size += int64(n)
	return k, err
}

// kept are the bytes that keep has kept.
func (f *folder) kept(k kept) ([]byte, error) {
	data := make([]byte, k.size)
	_, err := f.later.ReadAt(data, k.at)
	return data, err
}

// openFolder makes a folder, or takes one that is empty, or that has a site.
func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{root: root}
	if err := f.empty(dir); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	if f.list, err = root.Create(marker); err != nil {
		return nil, errors.Join(err, root.Close())
	}
	return f, nil
}

// empty removes the site that is there. Files that are not of it stay.
func (f *folder) empty(dir string) error {
	list, err := f.root.Open(marker)
	if errors.Is(err, fs.ErrNotExist) {
		there, err := fs.ReadDir(f.root.FS(), ".")
		if err == nil && len(there) > 0 {
			err = fmt.Errorf("%s is not empty, and is not a site of proflens cov -o; name another folder, or remove it", dir)
		}
		return err
	}
	if err != nil {
		return err
	}
	defer list.Close()
	for lines := bufio.NewScanner(list); lines.Scan(); {
		name := lines.Text()
		if err := f.root.Remove(name); err != nil {
			continue // is gone, or is none of ours
		}
		for name = path.Dir(name); name != "." && name != "/" && f.root.Remove(name) == nil; name = path.Dir(name) {
		}
	}
	return nil
}

// write writes a file, and notes it first.
func (f *folder) write(name string, data []byte) error {
	if _, err := fmt.Fprintln(f.list, strings.ReplaceAll(name, "\n", "_")); err != nil {
		return err
	}
	if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return f.root.WriteFile(name, data, 0o644)
}

func (f *folder) done() error {
	err := f.list.Close()
	f.list = nil
	return err
}

func (f *folder) close() {
	if f.list != nil {
		f.list.Close()
	}
	if f.later != nil {
		f.later.Close()
		f.root.Remove(keeping) // if it stays, the next site removes it
	}
	f.root.Close()
}
