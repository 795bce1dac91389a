package memprofdb

import (
	"context"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// Filter selects allocation contexts. The zero value is all of them.
type Filter struct {
	// Text and Regexp are over the function of any frame, linkage and demangled
	// name, and over its source file, as in query.Names.
	Text, Regexp string
	// Focus and Ignore are regular expressions over the same: contexts with a
	// frame that Focus matches, without one that Ignore does.
	Focus, Ignore string
	// of the source file of the frame that allocates: a prefix, or with ';' behind it the whole
	Path      string
	Owner     *uint64          // FID of the function that allocates
	Function  *uint64          // FID of the function of any frame
	Site      *uint64          // ID of a Site by line
	Blame     *uint64          // FID of the function of the blame frame; 0 where there is none
	Type      *string          // that is allocated, as BlameSite.Type; empty where it is not known
	Library   *analyze.Library // what Blame and Type go by; else unused
	Classes   []analyze.MemProfClass
	Mixed     *bool // of sites that need cloning
	Truncated *bool // with a stack that is probably cut off at the root
	Ranges    []query.RealRange
	Changed   *bool // of another class than by the compiler's default thresholds
	// Thresholds of the classes; zero is the compiler's defaults.
	Thresholds analyze.MemProfThresholds
}

// thresholds are those in force.
func (f *Filter) thresholds() analyze.MemProfThresholds {
	if f.Thresholds == (analyze.MemProfThresholds{}) {
		return analyze.DefaultMemProfThresholds
	}
	return f.Thresholds
}

// Filtered reports whether anything is left out.
func (f *Filter) Filtered() bool {
	return f.Text != "" || f.Regexp != "" || f.Focus != "" || f.Ignore != "" || f.Path != "" || f.Owner != nil ||
		f.Function != nil || f.Site != nil || f.Blame != nil || f.Type != nil ||
		len(f.Classes) > 0 || f.Mixed != nil || f.Truncated != nil || f.Changed != nil || len(f.Ranges) > 0
}

// key tells filters apart in the cache.
func (f *Filter) key() string {
	library := ""
	if f.Blame != nil || f.Type != nil {
		library = f.Library.Key()
	}
	return query.CacheKey(f.Text, f.Regexp, f.Focus, f.Ignore, f.Path, f.thresholds(), wish(f.Owner), wish(f.Function),
		wish(f.Site), wish(f.Blame), wish(f.Type), library, f.Classes, wish(f.Mixed), wish(f.Truncated), wish(f.Changed),
		f.Ranges)
}

// wish is what is wished for, nil where anything will do.
func wish[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// tests makes a test of each filter, of contexts with these classes.
func (p *Profile) tests(ctx context.Context, x *index, f *Filter, of *selection) ([]query.Test, error) {
	var tests []query.Test
	type pattern struct {
		text, re string
		want     bool
	}
	patterns := []pattern{{"", f.Regexp, true}, {"", f.Focus, true}, {"", f.Ignore, false}}
	for word := range strings.FieldsSeq(f.Text) { // each may be in another frame
		patterns = append(patterns, pattern{word, "", true})
	}
	for _, pattern := range patterns {
		if pattern.text == "" && pattern.re == "" {
			continue
		}
		found, err := p.matching(ctx, x, pattern.text, pattern.re)
		if err != nil {
			return nil, err
		}
		tests = append(tests, found.Wants(pattern.want))
	}
	if len(f.Classes) > 0 {
		tests = append(tests, func(i uint32) bool {
			return slices.Contains(f.Classes, analyze.MemProfClasses[of.classes[i]])
		})
	}
	if f.Mixed != nil {
		tests = append(tests, of.mixed.Wants(*f.Mixed))
	}
	if f.Truncated != nil {
		tests = append(tests, x.contexts.truncated.Wants(*f.Truncated))
	}
	if f.Changed != nil {
		before := x.contexts.classes(analyze.DefaultMemProfThresholds)
		tests = append(tests, func(i uint32) bool { return (before[i] != of.classes[i]) == *f.Changed })
	}
	if f.Path != "" {
		tests = append(tests, x.pathTest(f.Path))
	}
	if f.Owner != nil {
		tests = append(tests, func(i uint32) bool {
			leaf, ok := x.leaf(i)
			return ok && x.functions[x.function[leaf]].FID == *f.Owner
		})
	}
	if f.Site != nil {
		tests = append(tests, func(i uint32) bool {
			at, ok := x.place(i)
			return ok && x.address(at) == *f.Site
		})
	}
	if f.Blame != nil || f.Type != nil {
		l, err := p.framesOf(ctx, x, f.Library)
		if err != nil {
			return nil, err
		}
		tests = append(tests, x.blameTests(l, f)...)
	}
	if f.Function != nil {
		tests = append(tests, x.withFrames(func(frame uint32) bool {
			return x.functions[x.function[frame]].FID == *f.Function
		}).Has)
	}
	for _, r := range f.Ranges {
		column, ok := figures()[r.Column]
		if !ok {
			return nil, &query.ColumnError{Column: r.Column}
		}
		tests = append(tests, func(i uint32) bool {
			v, known := column.number(x.fields(i))
			return known && v >= r.Min && v <= r.Max
		})
	}
	return tests, nil
}

// pathTest tests the source file of the frame that allocates.
func (x *index) pathTest(prefix string) query.Test {
	file := once(len(x.files), func(node uint32) bool { return hasPath(x.files[node], prefix) })
	return func(i uint32) bool {
		leaf, ok := x.leaf(i)
		if !ok || x.path[leaf] < 0 {
			return prefix == ";" // those without a file
		}
		return file(uint32(x.path[leaf]))
	}
}

// hasPath reports whether a source file begins with a path, as query.PathPrefix
// has it.
func hasPath(file, prefix string) bool {
	if whole, ok := strings.CutSuffix(prefix, ";"); ok {
		return file == whole || analyze.CleanPath(file) == whole
	}
	return strings.HasPrefix(file, prefix) || strings.HasPrefix(analyze.CleanPath(file), prefix)
}

// matching finds the contexts with a frame whose function or source file
// matches, from the cache when it was asked for before.
func (p *Profile) matching(ctx context.Context, x *index, text, re string) (query.Bitset, error) {
	return stored.Cached(ctx, p.Profile, query.CacheKey("memprof matching", text, re),
		func() (query.Bitset, int64, error) {
			m, err := names.NewMatcher(text, re)
			if err != nil {
				return nil, 0, err
			}
			functions := make([]bool, len(x.functions))
			for i := range x.functions {
				if i%stored.CheckEvery == 0 && ctx.Err() != nil {
					return nil, 0, ctx.Err()
				}
				functions[i] = m.Match([]byte(x.functions[i].Name))
			}
			file := once(len(x.files), func(node uint32) bool { return m.Match([]byte(x.files[node])) })
			found := x.withFrames(func(frame uint32) bool {
				return functions[x.function[frame]] || x.path[frame] >= 0 && file(uint32(x.path[frame]))
			})
			return found, int64(len(found)) * 8, nil
		})
}

// withFrames is the set of contexts with a frame that passes. Callers stand
// before what they call, so one look at each stack is enough.
func (x *index) withFrames(passes query.Test) query.Bitset {
	passes = once(len(x.function), passes)
	hits := make([]bool, len(x.frame))
	for i, frame := range x.frame {
		hits[i] = passes(frame) || x.caller[i] >= 0 && hits[x.caller[i]]
	}
	found := query.NewBitset(len(x.contexts.stack))
	for i, stack := range x.contexts.stack {
		if stack >= 0 && hits[stack] {
			found.Set(uint32(i))
		}
	}
	return found
}

// once makes a test of n things that looks at each but once. It is for one
// goroutine.
func once(n int, test query.Test) query.Test {
	const looked, hit = 1, 2
	seen := make([]uint8, n)
	return func(i uint32) bool {
		if seen[i] == 0 {
			seen[i] = looked
			if test(i) {
				seen[i] = hit
			}
		}
		return seen[i] == hit
	}
}
