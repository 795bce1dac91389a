package cov

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"proflens/analyze/coverage"
)

// matchAny reports whether one of the regular expressions of an option is in a text. One
// that is none is in no text, as for llvm-cov; a note tells so.
func (r *run) matchAny(option string, expressions []string) (func(string) bool, error) {
	var list []*regexp.Regexp
	for _, e := range expressions {
		re, err := compilePosix(e)
		switch {
		case errors.Is(err, errBeyond):
			return nil, fmt.Errorf("%s=%s: %w", option, e, err)
		case err != nil:
			r.note("%s=%s fits nothing: %v", option, e, err)
			continue
		}
		list = append(list, re)
	}
	return func(text string) bool { return matches(list, text) }, nil
}

func matches(list []*regexp.Regexp, text string) bool {
	text = latin1(text)
	return slices.ContainsFunc(list, func(re *regexp.Regexp) bool { return re.MatchString(text) })
}

// filter reports which functions are asked for; nil: all. Names are of one kind,
// percentages of another: one of each kind that is given has to fit.
func (r *run) filter(c *coverage.Coverage) (func(*coverage.Function) bool, error) {
	o := &r.options
	var kinds []func(*coverage.Function) bool
	if len(o.Name)+len(o.NameRegex) > 0 || r.allowed != nil {
		fits, err := r.matchAny("-name-regex", o.NameRegex)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, func(f *coverage.Function) bool {
			for _, name := range o.Name {
				if strings.Contains(f.Name, name) {
					return true
				}
			}
			return r.allowed != nil && r.allowed(f.Name) || fits(f.Name)
		})
	}
	if o.RegionLt.set || o.RegionGt.set || o.LineLt.set || o.LineGt.set {
		kinds = append(kinds, func(f *coverage.Function) bool {
			s := c.Summary(f)
			regions, lines := s.Regions.Percent(), s.Lines.Percent()
			return o.RegionLt.set && regions < o.RegionLt.at || o.RegionGt.set && regions > o.RegionGt.at ||
				o.LineLt.set && lines < o.LineLt.at || o.LineGt.set && lines > o.LineGt.at
		})
	}
	if len(kinds) == 0 {
		return nil, nil
	}
	return func(f *coverage.Function) bool {
		for _, fits := range kinds {
			if !fits(f) {
				return false
			}
		}
		return true
	}, nil
}
