package memprofdb

import (
	"context"
	"math/bits"
	"slices"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profile/stored"
)

// tables is a heap profile with all that its tables add to it.
type tables struct {
	p          *memprof.Profile
	contexts   []memprof.Context // one for each call stack
	functions  []function
	functionOf []uint32 // by frame, an index of functions
	paths      analyze.PathForest
	pathOf     []int32  // by frame, a node of paths
	addresses  []uint64 // by stack; see findAddresses
	classes    []analyze.MemProfClass
	modules    []moduleUse
	overview   Overview
}

// moduleUse is how much of a profile has only addresses in a module.
type moduleUse struct{ frames, contexts int }

// newTables computes what the tables hold beside the profile itself. The
// functions of an indexed profile get the names that other parts of it know.
func newTables(ctx context.Context, p *memprof.Profile, others []stored.Prepared) (*tables, error) {
	t := &tables{p: p, contexts: p.Distinct()}
	t.findFunctions()
	t.nameFunctions(others)
	t.pathOf = make([]int32, len(p.Frames))
	for i := range p.Frames {
		t.pathOf[i] = t.paths.Add(p.Frames[i].File)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.findAddresses()
	t.classes = make([]analyze.MemProfClass, len(t.contexts))
	for i := range t.contexts {
		t.classes[i] = analyze.DefaultMemProfThresholds.Class(&t.contexts[i].MIB)
	}
	t.countModules()
	t.overview = t.figures()
	return t, ctx.Err()
}

// countModules counts, for each module, the frames that are addresses in it,
// and the contexts that have such frames.
func (t *tables) countModules() {
	t.modules = make([]moduleUse, len(t.p.Modules))
	bare := false
	for i := range t.p.Frames {
		if m := t.p.Frames[i].Module; m >= 0 && int(m) < len(t.modules) {
			t.modules[m].frames++
			bare = true
		}
	}
	if !bare {
		return
	}
	seen := make([]int, len(t.modules)) // the context that was counted last, from 1
	for i := range t.contexts {
		for f := range t.p.Stack(t.contexts[i].Stack) {
			if m := f.Module; m >= 0 && int(m) < len(seen) && seen[m] != i+1 {
				seen[m] = i + 1
				t.modules[m].contexts++
			}
		}
	}
}

// figures are those of the whole profile.
func (t *tables) figures() Overview {
	o := Overview{
		Format: t.p.Format, Version: t.p.Version, Schema: t.p.Schema, Symbolized: t.p.Symbolized, Dumps: t.p.Dumps,
		Recorded: len(t.p.Contexts), Functions: len(t.functions), Frames: len(t.p.Frames), Stacks: len(t.p.Stacks),
		Modules: len(t.p.Modules), Summary: t.p.Summary, DataAccess: t.p.DataAccess != nil, Shared: analyze.StackSizesOf(t.p),
	}
	places := map[place]classSet{}
	owners := map[uint32]bool{}
	for i := range t.contexts {
		c := &t.contexts[i]
		o.MemProfTotals.Add(&c.MIB)
		class := classIndex(t.classes[i])
		o.Classes[class].Contexts++
		o.Classes[class].Bytes.Add(c.MIB.Get(memprof.TotalSize))
		o.Longest = max(o.Longest, uint32(c.MIB.Get(memprof.MaxLifetime)))
		if c.Stack == memprof.NoStack {
			continue
		}
		leaf := t.p.Stacks[c.Stack].Frame
		o.Deepest = max(o.Deepest, t.p.Stacks[c.Stack].Depth)
		owners[t.functionOf[leaf]] = true
		at := placeOf(t.functionOf[leaf], &t.p.Frames[leaf])
		places[at] = places[at].with(class)
	}
	o.Sites, o.Owners = len(places), len(owners)
	for _, classes := range places {
		if classes.mixed() {
			o.MixedSites++
		}
	}
	for i := range t.p.Records {
		o.CallSites += len(t.p.Records[i].CallSites)
	}
	return o
}

// magnitudes counts contexts by the bytes that they allocate.
func (t *tables) magnitudes() *[65]uint64 {
	var histogram [65]uint64
	for i := range t.contexts {
		histogram[bits.Len64(t.contexts[i].MIB.Get(memprof.TotalSize))]++
	}
	return &histogram
}

// SourceFiles implements [stored.Sourced].
func (t *tables) SourceFiles() []string {
	var files []string
	for i := range t.p.Frames {
		if name := t.p.Frames[i].File; name != "" && (len(files) == 0 || files[len(files)-1] != name) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
