package sample

import (
	"math/bits"
	"proflens/analyze"
	"proflens/decode/sampleprof"
)

// Fits are samples by how their functions stand in the program, by [sampleprof.Fit].
type Fits [4]uint64

// Lost are the samples that compilers cannot use: of functions that changed, or are gone.
func (f *Fits) Lost() uint64 {
	return sampleprof.Add(f[sampleprof.FitStale], f[sampleprof.FitGone])
}

// Name is what a profile has under one name: a function with all its contexts, what of it
// was inlined into others, and the calls to it.
type Name struct {
	Entries  int    // functions of the profile with the name: several with contexts
	Total    uint64 // theirs, with all that they inlined; see [sampleprof.Function]
	Head     uint64
	Entry    uint64 // estimated; see [sampleprof.Profile.Entry]
	Body     uint64 // their own counts
	Sum      uint64 // their counts and those of what they inlined
	Max      uint64 // the largest of these
	Places   int    // that have a count, inlined ones too
	Inlinees int    // inlined into them, at any depth
	// Lost are the counts of Sum by how the functions that they are of stand in the program.
	Lost       Fits
	Inlined    uint64 // own counts where the function was inlined into others
	InlinedAt  int    // places where it was
	Calls      uint64 // to it, that were not inlined
	Callers    int    // places that call it so
	Checksum   uint64 // of the first entry that has one, or else of the first place inlined at
	Attributes uint32 // of all entries
	Fit        sampleprof.Fit
}

// Own are all counts of the function itself, wherever its code is.
func (n *Name) Own() uint64 { return sampleprof.Add(n.Body, n.Inlined) }

// Whole is what a profile has under its names, and what it comes to.
type Whole struct {
	Names     []Name      // by [sampleprof.NameID]
	Functions int         // names with entries
	Sampled   int         // names with counts of their own, inlined or not
	Sum       analyze.Sum // of all counts
	Inlined   analyze.Sum // of these, counts of inlined functions
	Lost      Fits        // all counts, by how their functions stand
	LostNames [4]int      // names with counts of their own, by how they stand
	Figures   Places      // all places
	Counts    *[65]uint64 // counts by magnitude: [0] those of 0, [i] those in 2^(i-1) .. 2^i-1
	MaxName   int         // the name of the function with the largest count; -1 where there is none
	Max       uint64      // that count
	fits      map[fitKey]sampleprof.Fit
	p         *sampleprof.Profile
	root      int // name of the entry that is being added
}

// Places counts the places of a profile that have a count.
type Places struct {
	All     int `api:"all" doc:"Places with a count."`
	Zero    int `api:"zero" doc:"Of these, with 0."`
	One     int `api:"one" doc:"Of these, with 1."`
	Targets int `api:"targets" doc:"Functions called from them, place by place."`
}

type fitKey struct {
	name     sampleprof.NameID
	checksum uint64
}

// Names adds a profile up by name.
func Names(p *sampleprof.Profile) *Whole {
	w := &Whole{
		Names: make([]Name, len(p.Names)), Counts: &[65]uint64{}, MaxName: -1, fits: map[fitKey]sampleprof.Fit{}, p: p,
	}
	for _, f := range p.Functions {
		w.entry(f)
	}
	for i := range w.Names {
		n := &w.Names[i]
		n.Fit = w.fit(sampleprof.NameID(i), n.Checksum)
		if n.Entries > 0 {
			w.Functions++
		}
		if n.Own() > 0 {
			w.Sampled++
			w.LostNames[n.Fit]++
		}
	}
	w.fits = nil
	return w
}

func (w *Whole) entry(f *sampleprof.Function) {
	n := &w.Names[f.Name]
	n.Entries++
	n.Total = sampleprof.Add(n.Total, f.Total)
	n.Head = sampleprof.Add(n.Head, f.Head)
	n.Entry = sampleprof.Add(n.Entry, w.p.Entry(f))
	n.Attributes |= f.Attributes
	if n.Checksum == 0 || n.Entries == 1 {
		n.Checksum = f.Checksum
	}
	w.root = int(f.Name)
	n.Body = sampleprof.Add(n.Body, w.own(f))
	w.sites(f)
}

// sites adds what is inlined into a function.
func (w *Whole) sites(f *sampleprof.Function) {
	for _, s := range f.Sites {
		own := w.own(s.Callee)
		w.Inlined.Add(own)
		w.Names[w.root].Inlinees++
		n := &w.Names[s.Callee.Name]
		n.Inlined = sampleprof.Add(n.Inlined, own)
		n.InlinedAt++
		if n.Checksum == 0 {
			n.Checksum = s.Callee.Checksum
		}
		w.sites(s.Callee)
	}
}

// own adds a function's own counts to its root, and to the whole.
func (w *Whole) own(f *sampleprof.Function) (sum uint64) {
	root := &w.Names[w.root]
	for i := range f.Body {
		r := &f.Body[i]
		sum = sampleprof.Add(sum, r.Count)
		root.Max = max(root.Max, r.Count)
		if r.Count > w.Max {
			w.Max, w.MaxName = r.Count, w.root
		}
		w.Sum.Add(r.Count)
		w.Counts[bits.Len64(r.Count)]++
		switch r.Count {
		case 0:
			w.Figures.Zero++
		case 1:
			w.Figures.One++
		}
		for _, t := range r.Targets {
			to := &w.Names[t.Name]
			to.Calls = sampleprof.Add(to.Calls, t.Count)
			to.Callers++
		}
		w.Figures.Targets += len(r.Targets)
	}
	w.Figures.All += len(f.Body)
	root.Places += len(f.Body)
	root.Sum = sampleprof.Add(root.Sum, sum)
	if sum > 0 {
		fit := w.fit(f.Name, f.Checksum)
		root.Lost[fit] = sampleprof.Add(root.Lost[fit], sum)
		w.Lost[fit] = sampleprof.Add(w.Lost[fit], sum)
	}
	return sum
}

// fit asks the program once for each name and checksum.
func (w *Whole) fit(name sampleprof.NameID, checksum uint64) sampleprof.Fit {
	if w.p.Program == nil {
		return sampleprof.FitUnknown
	}
	key := fitKey{name, checksum}
	fit, ok := w.fits[key]
	if !ok {
		fit = w.p.Program.Fit(w.p.Names[name], checksum)
		w.fits[key] = fit
	}
	return fit
}
