package cov

import (
	"errors"
	"fmt"
	"slices"

	"proflens/analyze/coverage"
	"proflens/encode/llvmcov"
)

func (r *run) show() error {
	o := &r.options
	if err := o.exported(); err != nil {
		return err
	}
	into, err := r.into()
	if err != nil {
		return err
	}
	defer into.close()
	c, s, err := r.open(false)
	if err != nil {
		return err
	}
	r.noteLeftOut()
	if s.given && !s.chosen {
		s.files = nil
	}
	keep, err := r.filter(c)
	if err != nil {
		return err
	}
	options := llvmcov.ShowOptions{
		LineCounts: o.LineCounts.set || !o.Regions || o.BestCounts, RegionMarkers: o.Regions || o.BestCounts,
		Expansions: o.Expansions, Instantiations: o.Instantiations, MCDC: o.MCDC,
		Binary: o.Binary || c.SingleByte, Colours: r.colours(), Source: s.source, Title: into.title,
	}
	switch o.Branches {
	case "count":
		options.Branches = llvmcov.BranchCounts
	case "percent":
		options.Branches = llvmcov.BranchPercents
	}
	options.Demangle = r.demangle
	if o.Dump {
		options.Dump = r.err
	}
	if o.Format == "html" {
		return r.showHTML(c, s, keep, into, options)
	}
	if err := into.indexes(c, s.files, keep); err != nil {
		return err
	}
	if keep != nil {
		return r.showFunctions(c, s, options, keep, into)
	}
	for _, file := range s.files {
		out := into.view(c.Files[file].Name)
		shown, err := llvmcov.ShowFile(out, c, file, len(s.files) != 1 || into.isFolder(), options)
		if err := errors.Join(err, out.Close()); err != nil {
			return err
		}
		if !shown {
			r.warn("The file '%s' isn't covered.", c.Files[file].Name)
		}
	}
	return nil
}

// showFunctions shows the functions that a filter lets through, by file.
func (r *run) showFunctions(c *coverage.Coverage, s *sources, o llvmcov.ShowOptions,
	keep func(*coverage.Function) bool, into *destination) error {
	slices.Sort(s.files)
	for _, file := range slices.Compact(s.files) {
		some := false
		out := into.view(c.Files[file].Name)
		o.Title = into.title
		for _, f := range c.Standing(file) {
			if !keep(f) {
				continue
			}
			some = true
			shown, err := llvmcov.ShowFunction(out, c, f, o)
			if err != nil {
				return errors.Join(err, out.Close())
			}
			if !shown {
				r.warn("Could not read coverage for '%s'.", f.Name)
				continue
			}
			o.Title = nil
		}
		if some {
			fmt.Fprintln(out)
		}
		if err := out.Close(); err != nil {
			return err
		}
	}
	return nil
}
