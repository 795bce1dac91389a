package cov

import (
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"proflens/analyze/coverage"
	"proflens/command/llvmerr"
	"proflens/encode/llvmcov"
)

// destination is where show writes: one stream, or a folder with a file for each source
// and an index.
type destination struct {
	r     *run
	root  *os.Root // nil: the stream
	title []string // of each file
}

// into opens the destination that is asked for, and makes its folder.
func (r *run) into() (*destination, error) {
	o := &r.options
	d := &destination{r: r}
	if o.outputDir == "" {
		return d, nil
	}
	if _, err := os.Stat(o.outputDir); err != nil {
		if err := os.MkdirAll(o.outputDir, 0o777); err != nil {
			return nil, notCreated("output directory", err)
		}
	}
	var err error
	if d.root, err = os.OpenRoot(o.outputDir); err != nil {
		return nil, notCreated("index file", err)
	}
	if o.projectTitle != "" {
		d.title = append(d.title, o.projectTitle)
	}
	d.title = append(d.title, "Coverage Report")
	if o.createdTime {
		d.title = append(d.title, "Created: "+r.made().Format("2006-01-02 15:04"))
	}
	return d, nil
}

func notCreated(what string, err error) error {
	return fmt.Errorf("%s: could not create %s!", llvmerr.System(err), what)
}

func (d *destination) isFolder() bool { return d.root != nil }

func (d *destination) close() {
	if d.isFolder() {
		d.root.Close()
	}
}

// index writes the table of files that a folder has.
func (d *destination) index(c *coverage.Coverage, files []int, keep func(*coverage.Function) bool) error {
	if !d.isFolder() {
		return nil
	}
	f, err := d.root.Create("index.txt")
	if err != nil {
		return err
	}
	defer f.Close()
	columns := d.r.columns()
	columns.Maker = "proflens cov -- version " + d.r.version
	if err := llvmcov.WriteReport(f, c, files, columns, keep); err != nil {
		return err
	}
	return f.Close()
}

// view is where the lines of a source go. Its file is made when something is written;
// one that would lie outside the folder is an error.
func (d *destination) view(source string) io.WriteCloser {
	if !d.isFolder() {
		return stream{d.r.out}
	}
	folder, file := path.Split(source)
	return &viewFile{
		root: d.root, name: path.Join("coverage", strings.TrimLeft(coverage.CleanPath(folder), "/"), file+".txt"),
	}
}

// stream stays open for all sources.
type stream struct{ io.Writer }

func (stream) Close() error { return nil }

// viewFile is the file of a source.
type viewFile struct {
	root *os.Root
	name string
	file *os.File
}

func (v *viewFile) Write(p []byte) (int, error) {
	if v.file == nil {
		err := v.root.MkdirAll(path.Dir(v.name), 0o777)
		if err == nil {
			v.file, err = v.root.Create(v.name)
		}
		if err != nil {
			return 0, notCreated("view file", err)
		}
	}
	return v.file.Write(p)
}

func (v *viewFile) Close() error {
	if v.file == nil {
		return nil
	}
	return v.file.Close()
}
