package cov

import (
	"os"

	"proflens/analyze/coverage"
	"proflens/decode/unidiff"
	"proflens/encode/llvmcov"
)

// diff says how the lines ran that a unified diff adds. The diff comes from standard
// input, or from a file.
func (r *run) diff() error {
	o := &r.options
	in := r.in
	if o.Patch != "" && o.Patch != "-" {
		f, err := os.Open(o.Patch)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	c, s, err := r.open(false)
	if err != nil {
		return err
	}
	r.noteLeftOut()
	files, err := unidiff.Parse(in)
	if err != nil {
		return err
	}
	s.warn = func(string, error) {} // without its text a file is not checked
	changer := coverage.Changer{
		View: func(file int) (*coverage.View, error) { return c.UnionView(file), nil },
		Text: func(file int) ([][]byte, bool, error) {
			source, ok := s.source(file)
			return source, ok, nil
		},
	}
	for i := range c.Files {
		changer.Names = append(changer.Names, c.Files[i].Name)
	}
	changed, err := changer.Changed(files)
	if err != nil {
		return err
	}
	switch o.Format {
	case "json":
		err = llvmcov.WriteChangedJSON(r.out, changer.Names, changed)
	case "markdown":
		err = llvmcov.WriteChangedMarkdown(r.out, changed)
	case "text":
		err = llvmcov.WriteChangedText(r.out, changed)
	default:
		return usageError("-format of diff is text, json or markdown")
	}
	if err != nil {
		return err
	}
	if m := changed.Sum.Metric(); m.Total > 0 { // a change without code has nothing to test
		return o.short(0, "changed lines", m)
	}
	return nil
}
