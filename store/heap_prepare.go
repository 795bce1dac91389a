package store

import (
	"context"
	"encoding/binary"
	"hash/fnv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/names"
)

// heapTables is a heap profile with all that its tables add to it.
type heapTables struct {
	p          *memprof.Profile
	contexts   []memprof.Context // one for each call stack
	functions  []heapFunction
	functionOf []uint32 // by frame, an index of functions
	paths      analyze.PathForest
	pathOf     []int32  // by frame, a node of paths
	addresses  []uint64 // by stack; see stackAddress
	classes    []analyze.HeapClass
	modules    []moduleUse
	overview   HeapOverview
}

// heapFunction tells functions apart: by their GUID, else by name, else by
// address.
type heapFunction struct {
	fid     uint64
	guid    uint64 // 0 where it is not known
	name    string
	module  int32 // index of a module, or -1
	address uint64
}

// moduleUse is how much of a profile has only addresses in a module.
type moduleUse struct{ frames, contexts int }

// prepareHeap computes what the tables hold beside the profile itself. The
// functions of an indexed profile get the names that records of the same file
// have.
func (c *collection) prepareHeap(ctx context.Context, p *memprof.Profile) (*heapTables, error) {
	t := &heapTables{p: p, contexts: p.Distinct()}
	t.findFunctions()
	t.nameFunctions(c)
	t.pathOf = make([]int32, len(p.Frames))
	for i := range p.Frames {
		t.pathOf[i] = t.paths.Add(p.Frames[i].File)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t.findAddresses()
	t.classes = make([]analyze.HeapClass, len(t.contexts))
	for i := range t.contexts {
		t.classes[i] = analyze.DefaultHeapThresholds.Class(&t.contexts[i].MIB)
	}
	t.countModules()
	t.overview = t.figures()
	return t, ctx.Err()
}

// findFunctions numbers the functions of frames, in the order of the frames.
func (t *heapTables) findFunctions() {
	numbers := map[heapFunction]uint32{}
	t.functionOf = make([]uint32, len(t.p.Frames))
	for i := range t.p.Frames {
		f := &t.p.Frames[i]
		is := heapFunction{module: -1}
		switch {
		case f.Function != 0:
			is.guid = f.Function
		case f.Name != "":
			is.name = f.Name
		default:
			is.module, is.address = f.Module, f.Address
		}
		n, ok := numbers[is]
		if !ok {
			n = uint32(len(t.functions))
			numbers[is] = n
			is.fid = is.guid
			if is.guid == 0 {
				is.fid = t.functionAddress(&is)
			}
			t.functions = append(t.functions, is)
		}
		t.functionOf[i] = n
		if t.functions[n].name == "" {
			t.functions[n].name = f.Name
		}
	}
}

// functionAddress stands for a function without a GUID in addresses of pages,
// the same whenever the profile is decoded.
func (t *heapTables) functionAddress(f *heapFunction) uint64 {
	h := fnv.New64a()
	h.Write([]byte(f.name))
	if f.module >= 0 {
		m := &t.p.Modules[f.module]
		h.Write(m.BuildID)
		h.Write([]byte(m.Path))
	}
	h.Write(binary.LittleEndian.AppendUint64(nil, f.address))
	return h.Sum64()
}

// nameFunctions gives functions without a name that of a record, or of a symbol
// that records call, with the same number.
func (t *heapTables) nameFunctions(c *collection) {
	nameless := map[uint64]int{}
	for i := range t.functions {
		if f := &t.functions[i]; f.guid != 0 && f.name == "" {
			nameless[f.guid] = i
		}
	}
	if len(nameless) == 0 {
		return
	}
	give := func(pgo []byte) {
		if len(pgo) == 0 {
			return
		}
		_, linkage := names.Cut(pgo)
		if i, ok := nameless[model.GUID(string(linkage))]; ok && t.functions[i].name == "" {
			t.functions[i].name = string(linkage)
		}
	}
	for i := range uint32(c.records.n) {
		give(c.nameOf(c.records.at(i)))
	}
	for _, extra := range c.extra {
		give(extra.name)
	}
}

// findAddresses gives each stack a number that stays the same whenever the
// profile is decoded: a hash of its frames.
func (t *heapTables) findAddresses() {
	places := make([]uint64, len(t.p.Frames))
	h := fnv.New64a()
	var b []byte
	for i := range t.p.Frames {
		f := &t.p.Frames[i]
		h.Reset()
		h.Write([]byte(f.File))
		b = binary.LittleEndian.AppendUint64(b[:0], t.functions[t.functionOf[i]].fid)
		b = binary.LittleEndian.AppendUint64(b, uint64(f.LineOffset)<<32|uint64(f.Column))
		b = binary.LittleEndian.AppendUint64(b, uint64(f.Line)<<32|uint64(f.Discriminator))
		if f.Inline {
			b = append(b, 1)
		}
		h.Write(b)
		places[i] = h.Sum64()
	}
	t.addresses = make([]uint64, len(t.p.Stacks))
	for i, s := range t.p.Stacks {
		above := uint64(0)
		if s.Caller != memprof.NoStack {
			above = t.addresses[s.Caller]
		}
		t.addresses[i] = mixAddress(above, places[s.Frame])
	}
}

// mixAddress is the address of what is reached by a step from an address.
func mixAddress(from, step uint64) uint64 {
	v := (from ^ 0x9e3779b97f4a7c15) + step
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// contextAddress is that of the stack of a context.
func (t *heapTables) contextAddress(c *memprof.Context) uint64 {
	if c.Stack == memprof.NoStack {
		return 0
	}
	return t.addresses[c.Stack]
}

// countModules counts, for each module, the frames that are addresses in it,
// and the contexts that have such frames.
func (t *heapTables) countModules() {
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
func (t *heapTables) figures() HeapOverview {
	o := HeapOverview{
		Format: t.p.Format, Version: t.p.Version, Schema: t.p.Schema, Symbolized: t.p.Symbolized, Dumps: t.p.Dumps,
		Recorded: len(t.p.Contexts), Functions: len(t.functions), Frames: len(t.p.Frames), Stacks: len(t.p.Stacks),
		Modules: len(t.p.Modules), Summary: t.p.Summary, DataAccess: t.p.DataAccess != nil,
	}
	sites := map[heapSite]siteClasses{}
	owners := map[uint32]bool{}
	for i := range t.contexts {
		c := &t.contexts[i]
		o.HeapTotals.Add(&c.MIB)
		class := heapClassIndex(t.classes[i])
		o.Classes[class].Contexts++
		o.Classes[class].Bytes.Add(c.MIB.Get(memprof.TotalSize))
		o.Longest = max(o.Longest, uint32(c.MIB.Get(memprof.MaxLifetime)))
		if c.Stack == memprof.NoStack {
			continue
		}
		leaf := t.p.Stacks[c.Stack].Frame
		o.Deepest = max(o.Deepest, t.p.Stacks[c.Stack].Depth)
		owners[t.functionOf[leaf]] = true
		site := siteOf(t.functionOf[leaf], &t.p.Frames[leaf])
		sites[site] = sites[site].with(class)
	}
	o.Sites, o.Owners = len(sites), len(owners)
	for _, classes := range sites {
		if classes.mixed() {
			o.MixedSites++
		}
	}
	for i := range t.p.Records {
		o.CallSites += len(t.p.Records[i].CallSites)
	}
	return o
}

// heapSite is a place that allocates, whatever it was inlined into.
type heapSite struct{ function, line, lineOffset, column uint32 }

func siteOf(function uint32, f *memprof.Frame) heapSite {
	return heapSite{function, f.Line, f.LineOffset, f.Column}
}

// address of the site in pages, by that of its function.
func (s heapSite) address(fid uint64) uint64 {
	return mixAddress(mixAddress(fid, uint64(s.line)<<32|uint64(s.lineOffset)), uint64(s.column))
}

// siteClasses are the classes that contexts of a site have: a bit for each
// index of analyze.HeapClasses.
type siteClasses uint8

func (s siteClasses) with(class int) siteClasses { return s | 1<<class }

// mixed reports whether the compiler would need to clone: some contexts are
// cold, others are known not to be. Hot ones are not cold by its defaults.
func (s siteClasses) mixed() bool { return s&1 != 0 && s&6 != 0 }

// heapClassIndex is the place of a class in analyze.HeapClasses.
func heapClassIndex(c analyze.HeapClass) int {
	for i, class := range analyze.HeapClasses {
		if class == c {
			return i
		}
	}
	return len(analyze.HeapClasses) - 1
}
