package sampledb

import (
	"encoding/binary"

	"proflens/decode/sampleprof"
	"proflens/profile/stored"
)

// appendBody packs a function's records, callees and vtables, as the column body of the
// schema has them.
func appendBody(b []byte, f *sampleprof.Function) []byte {
	number := func(v uint64) { b = binary.AppendUvarint(b, v) }
	place := func(l sampleprof.Loc) { number(uint64(l.Offset)); number(uint64(l.Discriminator)) }
	name := func(id sampleprof.NameID) { number(uint64(id) + 1) }
	number(uint64(len(f.Body)))
	for i := range f.Body {
		r := &f.Body[i]
		place(r.Loc)
		number(r.Count)
		number(uint64(len(r.Targets)))
		for _, t := range r.Targets {
			name(t.Name)
			number(t.Count)
		}
	}
	number(uint64(len(f.Sites)))
	for _, s := range f.Sites {
		place(s.Loc)
		name(s.Callee.Name)
		number(s.Callee.Total)
		number(s.Callee.Head)
		number(s.Callee.Checksum)
		number(uint64(s.Callee.Attributes))
		b = appendBody(b, s.Callee)
	}
	number(uint64(len(f.VTables)))
	for _, v := range f.VTables {
		place(v.Loc)
		name(v.Type)
		number(v.Count)
	}
	return b
}

// appendContext packs the frames of a calling context.
func appendContext(b []byte, frames []sampleprof.Frame) []byte {
	for _, f := range frames {
		b = binary.AppendUvarint(b, uint64(f.Name)+1)
		b = binary.AppendUvarint(b, uint64(f.Loc.Offset))
		b = binary.AppendUvarint(b, uint64(f.Loc.Discriminator))
	}
	return b
}

// maxInlined is how deep callees are inlined into each other at most: what decoders take.
const maxInlined = 600

// unpacking reads what was packed.
type unpacking struct {
	stored.Numbers
	names int // of the profile
}

func (x *index) unpack(packed []byte) *unpacking {
	return &unpacking{stored.ReadNumbers("a body of samples", packed), len(x.names)}
}

func (u *unpacking) place() sampleprof.Loc {
	return sampleprof.Loc{Offset: uint32(u.Uint()), Discriminator: uint32(u.Uint())}
}

func (u *unpacking) name() sampleprof.NameID {
	id := u.Below(u.names+1, "name")
	if id == 0 {
		u.Fail("a name is not there")
		return 0
	}
	return sampleprof.NameID(id - 1)
}

// body reads a function's records, callees and vtables.
func (u *unpacking) body(f *sampleprof.Function, depth int) {
	if n := u.Count(4); n > 0 {
		f.Body = make([]sampleprof.Record, n)
	}
	for i := range f.Body {
		r := &f.Body[i]
		r.Loc, r.Count = u.place(), u.Uint()
		if n := u.Count(2); n > 0 {
			r.Targets = make([]sampleprof.Target, n)
		}
		for t := range r.Targets {
			r.Targets[t] = sampleprof.Target{Name: u.name(), Count: u.Uint()}
		}
	}
	if n := u.Count(10); n > 0 {
		if depth == maxInlined {
			u.Fail("callees are inlined too deep")
			return
		}
		f.Sites = make([]sampleprof.Site, n)
	}
	for i := range f.Sites {
		at := u.place()
		callee := &sampleprof.Function{
			Context: -1, Name: u.name(), Total: u.Uint(), Head: u.Uint(), Checksum: u.Uint(),
			Attributes: uint32(u.Uint()),
		}
		f.Sites[i] = sampleprof.Site{Loc: at, Callee: callee}
		u.body(callee, depth+1)
	}
	if n := u.Count(4); n > 0 {
		f.VTables = make([]sampleprof.VTable, n)
	}
	for i := range f.VTables {
		f.VTables[i] = sampleprof.VTable{Loc: u.place(), Type: u.name(), Count: u.Uint()}
	}
}

// context reads the frames of a calling context.
func (u *unpacking) context() (frames []sampleprof.Frame) {
	for u.Left() > 0 {
		frames = append(frames, sampleprof.Frame{Name: u.name(), Loc: u.place()})
	}
	return frames
}
