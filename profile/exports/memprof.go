package exports

import (
	"io"
	"slices"

	"proflens/analyze"
	"proflens/decode/format"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/encode/stacks"
	"proflens/names"
	"proflens/profile/memprofdb"
)

var (
	memprofIndexed = Form{Family: memprof.Family, Takes: []string{"version", "lossy"}, Plan: planIndexed}

	memprofText = Form{Family: memprof.Family, Plan: func(p *format.Profile, _ Options) (*Plan, error) {
		if p.Info.Format != memprof.FormatIndexed {
			return nil, lack(model.KindIncompatible, "proftext cannot hold a heap profile; use memprof-yaml")
		}
		return &Plan{Nothing: "the file has a heap profile and no counters, so llvm-profdata merge --text writes nothing; " +
			"use memprof-yaml",
			Writes: func(io.Writer) error { return nil }}, nil
	}}

	memprofYAML = Form{Family: memprof.Family, Plan: ofMemProf(encode.MemProfYAML), Offers: suiting(memprofdb.Of,
		func(heap *memprofdb.Profile) bool { return heap.Overview.Symbolized },
		Offer{Label: "MemProf YAML", For: "the text form, as llvm-profdata show --memory prints an indexed one and merge " +
			"reads it"})}

	memprofDump = Form{Family: memprof.Family, Plan: ofMemProf(encode.MemProfDump), Offers: suiting(memprofdb.Of,
		func(heap *memprofdb.Profile) bool {
			return heap.Overview.Symbolized && heap.Overview.Format == memprof.FormatRaw
		},
		Offer{Label: "MemProf dump", For: "every field, segment and record, as llvm-profdata show --memory prints a raw " +
			"one"})}

	memprofPprof = Form{Family: memprof.Family, Takes: foldOptions,
		Plan: ofStacks(func(samples *stacks.Profile, _ Options) (*Plan, error) { return planOfPprof(samples), nil }),
		Offers: suiting(memprofdb.Of, weighed, Offer{Label: "pprof",
			For: "call stacks with bytes, objects, lifetime and accesses, for go tool pprof"})}

	memprofFolded = Form{Family: memprof.Family, Takes: append([]string{"w", "names"}, foldOptions...),
		Plan: ofStacks(func(samples *stacks.Profile, o Options) (*Plan, error) {
			value := slices.IndexFunc(samples.Types, func(t stacks.Type) bool {
				return t.Name == encode.MemProfWeights[o.Word("w")]
			})
			if value < 0 {
				return nil, lack(model.KindIncompatible, "the heap profile lacks the fields that %s needs", o.Word("w"))
			}
			return planOfStacks(samples, value, o, stacks.Folded), nil
		}), Offers: offering(memprofdb.Of, offerFolded)}

	memprofSpeedscope = Form{Family: memprof.Family, Takes: append([]string{"names"}, foldOptions...),
		Plan: ofStacks(func(samples *stacks.Profile, o Options) (*Plan, error) {
			return planOfStacks(samples, 0, o, speedscope), nil
		}), Offers: suiting(memprofdb.Of, weighed,
			Offer{Label: "Speedscope", For: "call stacks with all weights for speedscope.app"})}
)

// weighed reports whether call stacks have something to be weighed by.
func weighed(heap *memprofdb.Profile) bool {
	return heap.Overview.Schema.Has(memprof.TotalSize) || heap.Overview.Schema.Has(memprof.AllocCount)
}

// offerFolded offers folded lines, by the weights that the profile has.
func offerFolded(heap *memprofdb.Profile) []Offer {
	if !weighed(heap) {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(weights), func(w string) bool {
		return !memprofdb.Weight(w).Known(heap.Overview.Schema)
	})
	return []Offer{{Label: "Folded", For: "one call stack per line with its bytes, for flame graph tools",
		Words: map[string][]string{"w": known}}}
}

// ofHeap plans an export of a heap profile.
func ofHeap(plan func(heap *memprof.Profile, o Options) (*Plan, error)) Planner {
	return of(memprof.Family, "no heap profile", plan)
}

// ofMemProf plans an export of a heap profile in a form of LLVM's.
func ofMemProf(write func(io.Writer, *memprof.Profile) ([]model.Finding, error)) Planner {
	return ofHeap(func(heap *memprof.Profile, _ Options) (*Plan, error) {
		return &Plan{Tells: func(w io.Writer) ([]model.Finding, error) { return write(w, heap) }}, nil
	})
}

// ofStacks plans an export of the call stacks of a heap profile.
func ofStacks(plan func(samples *stacks.Profile, o Options) (*Plan, error)) Planner {
	return ofHeap(func(heap *memprof.Profile, o Options) (*Plan, error) {
		samples, err := encode.MemProfSamples(heap)
		if err != nil {
			return nil, lacking(err)
		}
		if samples, err = foldedStacks(samples, o); err != nil {
			return nil, err
		}
		return plan(samples, o)
	})
}

// foldOptions are those that leave frames out of stacks.
var foldOptions = []string{"lib", "rec", "library"}

// foldedStacks leaves out of stacks what options ask for.
func foldedStacks(samples *stacks.Profile, o Options) (*stacks.Profile, error) {
	l, err := analyze.ParseLibrary(o["library"])
	if err != nil {
		return nil, &OptionError{"library", err.Error()}
	}
	if o.Word("lib") == "show" {
		l = nil
	}
	return FoldStacks(samples, l, o.Word("rec") == "collapse"), nil
}

// FoldStacks leaves the frames of a library out of stacks, and recursion; a nil
// library has none.
func FoldStacks(samples *stacks.Profile, l *analyze.Library, recursion bool) *stacks.Profile {
	if l == nil {
		if !recursion {
			return samples
		}
		return stacks.Fold(samples, nil, recursion)
	}
	type place struct{ linkage, file, image string }
	known := map[place]bool{}
	return stacks.Fold(samples, func(f *stacks.Frame) bool {
		at := place{f.Linkage, f.File, f.Image}
		is, ok := known[at]
		if !ok {
			is = l.HasFunction(names.Demangle(f.Linkage, names.Short)) || l.HasPath(f.File) || l.HasPath(f.Image)
			known[at] = is
		}
		return is
	}, recursion)
}

// planOfPprof writes samples for go tool pprof.
func planOfPprof(samples *stacks.Profile) *Plan {
	return &Plan{Tells: func(w io.Writer) ([]model.Finding, error) {
		clamped, err := stacks.Pprof(w, samples)
		if clamped == 0 {
			return nil, err
		}
		return []model.Finding{{Severity: model.Warning, Code: "pprof.clamped", Count: uint64(clamped),
			Message: model.Amount(clamped, "value exceeds the format's maximum and is capped there",
				"values exceed the format's maximum and are capped there")}}, err
	}}
}

// planOfStacks writes one value of samples, or all, with function names in the
// form that was asked for.
func planOfStacks(samples *stacks.Profile, value int, o Options,
	write func(w io.Writer, p *stacks.Profile, value int, names stacks.Names) error) *Plan {
	form := stacks.Demangled
	switch mode := names.Mode(o.Word("names")); mode {
	case names.Mangled:
		form = stacks.Linkage
	case names.Short, names.NoTemplates:
		demangled := names.NewCache(demangledBytes)
		samples = stacks.Renamed(samples, func(linkage string) string { return demangled.Demangle(linkage, mode) })
	}
	return &Plan{Writes: func(w io.Writer) error { return write(w, samples, value, form) }}
}

// speedscope writes all values: the viewer chooses among them.
func speedscope(w io.Writer, p *stacks.Profile, _ int, names stacks.Names) error {
	return stacks.Speedscope(w, p, names)
}
