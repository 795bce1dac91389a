package memprofdb

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strings"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profile/calltree"
	"proflens/profile/stored"
)

// function tells functions apart: by their GUID, else by name, and by file and first line
// where these are known; else by address.
type function struct {
	fid     uint64
	guid    uint64 // 0 where it is not known
	name    string
	module  int32 // index of a module, or -1
	address uint64
	file    string // as the first frame has it; empty where no frame has one
	start   uint32 // 0 where it is not known
}

// called is what a function's frames have in common wherever its file is not known.
type called struct {
	guid    uint64
	name    string
	module  int32
	address uint64
}

// findFunctions numbers the functions of frames, in the order of the frames. A static
// function has a name that functions of other files may have too.
func (t *tables) findFunctions() {
	alike := map[called][]uint32{} // functions
	t.functionOf = make([]uint32, len(t.p.Frames))
	for i := range t.p.Frames {
		f := &t.p.Frames[i]
		is := called{module: -1}
		switch {
		case f.Function != 0:
			is.guid = f.Function
		case f.Name != "":
			is.name = f.Name
		default:
			is.module, is.address = f.Module, f.Address
		}
		n, ok := t.alike(alike[is], f)
		if !ok {
			n = uint32(len(t.functions))
			alike[is] = append(alike[is], n)
			t.functions = append(t.functions, function{guid: is.guid, name: is.name, module: is.module, address: is.address})
		}
		t.functionOf[i] = n
		at := &t.functions[n]
		at.name, at.file, at.start = cmp.Or(at.name, f.Name), cmp.Or(at.file, f.File), cmp.Or(at.start, f.StartLine())
	}
	for is, list := range alike {
		tails := t.tails(list)
		for i, n := range list {
			f := &t.functions[n]
			switch {
			case len(list) > 1:
				f.fid = t.functionAddress(&is, tails[i])
			case is.guid != 0:
				f.fid = is.guid
			default:
				f.fid = t.functionAddress(&is, "")
			}
		}
	}
}

// maxAlike is how many functions of one name are told apart.
const maxAlike = 256

// alike finds the function of a frame among those called alike. What is not known of
// either does not tell them apart.
func (t *tables) alike(list []uint32, frame *memprof.Frame) (n uint32, ok bool) {
	file, start := path.Clean(frame.File), frame.StartLine()
	for _, n := range list {
		f := &t.functions[n]
		if (frame.File == "" || f.file == "" || path.Clean(f.file) == file) &&
			(start == 0 || f.start == 0 || f.start == start) {
			return n, true
		}
	}
	if len(list) >= maxAlike {
		return list[0], true
	}
	return 0, false
}

// tails tell functions called alike apart, the same in every build as far as can be: the
// ends of their paths that differ, and of those in one file which of them it is.
func (t *tables) tails(list []uint32) []string {
	tails := make([]string, len(list))
	if len(list) < 2 {
		return tails
	}
	order := slices.Clone(list)
	slices.SortStableFunc(order, func(a, b uint32) int {
		f, g := &t.functions[a], &t.functions[b]
		return cmp.Or(cmp.Compare(path.Clean(f.file), path.Clean(g.file)), cmp.Compare(f.start, g.start))
	})
	parts := 1
	for i := 1; i < len(order); i++ {
		a, b := path.Clean(t.functions[order[i-1]].file), path.Clean(t.functions[order[i]].file)
		if a != b {
			parts = max(parts, commonParts(a, b)+1)
		}
	}
	seen := map[string]int{}
	for _, n := range order {
		names := strings.Split(path.Clean(t.functions[n].file), "/")
		tail := strings.Join(names[max(len(names)-parts, 0):], "/")
		seen[tail]++
		tails[slices.Index(list, n)] = fmt.Sprintf("%s %d", tail, seen[tail])
	}
	return tails
}

// commonParts is how many names at their ends two paths have in common.
func commonParts(a, b string) (n int) {
	p, q := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(p), len(q)) && p[len(p)-1-n] == q[len(q)-1-n] {
		n++
	}
	return n
}

// functionAddress stands for a function without a GUID of its own in addresses of pages,
// the same whenever the profile is decoded.
func (t *tables) functionAddress(f *called, tail string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(f.name))
	if f.module >= 0 {
		m := &t.p.Modules[f.module]
		h.Write(m.BuildID)
		h.Write([]byte(m.Path))
	}
	h.Write(binary.LittleEndian.AppendUint64(nil, f.address))
	if tail != "" {
		h.Write(binary.LittleEndian.AppendUint64(nil, f.guid))
		h.Write([]byte(tail))
	}
	return h.Sum64()
}

// nameFunctions gives functions without a name that of a function with the same
// GUID which another part knows.
func (t *tables) nameFunctions(others []stored.Prepared) {
	nameless := map[uint64]int{}
	for i := range t.functions {
		if f := &t.functions[i]; f.guid != 0 && f.name == "" {
			nameless[f.guid] = i
		}
	}
	for _, other := range others {
		namer, ok := other.(stored.Namer)
		if !ok || len(nameless) == 0 {
			continue
		}
		namer.EachName(func(pgo []byte) {
			if len(pgo) == 0 {
				return
			}
			_, linkage := names.Cut(pgo)
			guid := FIDOf(linkage)
			if i, ok := nameless[guid]; ok {
				t.functions[i].name = string(linkage)
				delete(nameless, guid)
			}
		})
	}
}

// FIDOf is the FID that a function has in heap profiles, by its linkage name.
func FIDOf(linkage []byte) uint64 { return model.GUID(string(linkage)) }

// findAddresses gives each stack a number that stays the same whenever the
// profile is decoded: a hash of its frames.
func (t *tables) findAddresses() {
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
		t.addresses[i] = calltree.Address(above, places[s.Frame])
	}
}

// contextAddress is that of the stack of a context.
func (t *tables) contextAddress(c *memprof.Context) uint64 {
	if c.Stack == memprof.NoStack {
		return 0
	}
	return t.addresses[c.Stack]
}
