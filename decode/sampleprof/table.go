package sampleprof

import (
	"container/list"
	"slices"
)

// tableSizes are how many buckets the tables of libstdc++ have: the next when there are more entries than buckets.
var tableSizes = [...]int{
	13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043, 85229, 172933, 351061, 712697, 1447153, 2938679,
	5967347, 12117689, 24607243, 49969847, 101473717, 206062531, 418453459, 849756587, 1725587117, 3504151727,
}

// Table is functions in the order in which LLVM's tools go through them: that of a std::unordered_map of libstdc++,
// by the hash of their context or name.
type Table struct {
	p     *Profile
	guids []uint64        // by name
	list  *list.List      // of entry; those of a bucket stand together
	first []*list.Element // by bucket
}

type entry struct {
	hash uint64
	f    *Function
}

// TableOf is a table to which functions of the profile were added in this order.
func (p *Profile) TableOf(functions []*Function) *Table {
	t := &Table{p: p, guids: make([]uint64, len(p.Names)), list: list.New()}
	for i, n := range p.Names {
		if t.guids[i] = n.MD5; n.MD5 == 0 {
			t.guids[i] = Hash(n.Text) // also where the text is a number, which names take for a hash elsewhere
		}
	}
	for _, f := range functions {
		t.Add(f)
	}
	return t
}

// hash is what a function stands by.
func (t *Table) hash(f *Function) uint64 {
	if f.Context < 0 {
		return t.guids[f.Name]
	}
	return hashFrames(t.p.Frames(f), t.guids)
}

// FrameHash is what the tools order callees of a function by.
func (t *Table) FrameHash(callee NameID, at Loc) uint64 { return at.Hash(t.guids[callee]) }

// Add adds a function, before all others of its bucket, and a bucket before all others.
func (t *Table) Add(f *Function) {
	if t.list.Len() == len(t.first) {
		at, _ := slices.BinarySearch(tableSizes[:], len(t.first)+1)
		t.first = make([]*list.Element, tableSizes[at])
		before := t.list
		t.list = list.New()
		for e := before.Front(); e != nil; e = e.Next() {
			t.insert(e.Value.(entry))
		}
	}
	t.insert(entry{t.hash(f), f})
}

func (t *Table) insert(e entry) {
	if first := t.bucket(e.hash); *first == nil {
		*first = t.list.PushFront(e)
	} else {
		*first = t.list.InsertBefore(e, *first)
	}
}

func (t *Table) bucket(hash uint64) **list.Element { return &t.first[hash%uint64(len(t.first))] }

// Remove takes a function out, which must still have the context that it was added with. One that the table
// does not have changes nothing.
func (t *Table) Remove(f *Function) {
	if t.list.Len() == 0 {
		return
	}
	first := t.bucket(t.hash(f))
	at := *first
	for at != nil && at.Value.(entry).f != f {
		at = at.Next()
	}
	if at == nil {
		return
	}
	if next := at.Next(); at == *first {
		*first = nil
		if next != nil && t.bucket(next.Value.(entry).hash) == first {
			*first = next
		}
	}
	t.list.Remove(at)
}

// Functions are those of the table, in its order.
func (t *Table) Functions() []*Function {
	functions := make([]*Function, 0, t.list.Len())
	for e := t.list.Front(); e != nil; e = e.Next() {
		functions = append(functions, e.Value.(entry).f)
	}
	return functions
}

// Table has the functions as LLVM's tools have them once they read the file or, of a sum, added it up.
func (p *Profile) Table() *Table {
	switch {
	case p.table != nil:
		return p.table
	case p.read == nil: // which no file has
		return p.TableOf(p.Functions)
	}
	return p.TableOf(p.read)
}

// anyOrder reports whether functions may be added up in any order, since they have neither checksums nor attributes.
func (p *Profile) anyOrder() bool {
	return !p.Has(FullContexts) && !p.Has(Probes) && !p.Has(PreInlined) && !p.Has(Attributed)
}

// Added are the functions in the order in which LLVM's tools go through their sum.
func (p *Profile) Added() []*Function {
	if p.anyOrder() {
		return p.Functions
	}
	added := p.Table().Functions()
	if !p.added {
		added = p.TableOf(added).Functions()
	}
	if len(added) == len(p.Functions) {
		return added
	}
	left := map[*Function]bool{}
	for _, f := range p.Functions {
		left[f] = true
	}
	return slices.DeleteFunc(added, func(f *Function) bool { return !left[f] })
}
