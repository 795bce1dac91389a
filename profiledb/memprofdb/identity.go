package memprofdb

import (
	"encoding/binary"
	"hash/fnv"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profiledb/calltree"
	"proflens/profiledb/stored"
)

// function tells functions apart: by their GUID, else by name, else by address.
type function struct {
	fid     uint64
	guid    uint64 // 0 where it is not known
	name    string
	module  int32 // index of a module, or -1
	address uint64
}

// findFunctions numbers the functions of frames, in the order of the frames.
func (t *tables) findFunctions() {
	numbers := map[function]uint32{}
	t.functionOf = make([]uint32, len(t.p.Frames))
	for i := range t.p.Frames {
		f := &t.p.Frames[i]
		is := function{module: -1}
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
func (t *tables) functionAddress(f *function) uint64 {
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
