package covdb

import (
	"encoding/binary"
	"fmt"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/profile/stored"
)

// A body is what a function is made of, as LEB128 numbers: its files, which of them it
// stands in, and its regions, conditions and decisions. Lines are told by how far they
// are from the one before, as zigzag numbers.

// The flags of a condition.
const (
	trueFolded = 1 << iota
	falseFolded
	mcdcBranch
)

// packer writes bodies.
type packer struct {
	b    []byte
	line uint32
}

func (p *packer) uint(v uint64) { p.b = binary.AppendUvarint(p.b, v) }

func (p *packer) start(at covmap.Position) {
	p.b = binary.AppendVarint(p.b, int64(at.Line)-int64(p.line))
	p.uint(uint64(at.Column))
	p.line = at.Line
}

func (p *packer) place(start, end covmap.Position) {
	p.start(start)
	p.uint(uint64(end.Line - start.Line))
	p.uint(uint64(end.Column))
}

// pack returns the body of a function, valid until the next call.
func (p *packer) pack(f *coverage.Function) []byte {
	p.b, p.line = p.b[:0], 0
	p.uint(uint64(len(f.Files)))
	for _, file := range f.Files {
		p.uint(uint64(file))
	}
	p.uint(uint64(f.Main + 1))
	p.uint(uint64(len(f.Regions)))
	for i := range f.Regions {
		r := &f.Regions[i]
		p.uint(uint64(r.Kind))
		p.uint(uint64(r.File))
		p.place(r.Start, r.End)
		p.uint(r.Count)
		if r.Kind == covmap.Expansion {
			p.uint(uint64(r.Expanded))
		}
	}
	p.uint(uint64(len(f.Branches)))
	for i := range f.Branches {
		b := &f.Branches[i]
		flags := uint64(0)
		if b.TrueFolded {
			flags |= trueFolded
		}
		if b.FalseFolded {
			flags |= falseFolded
		}
		if b.Kind == covmap.MCDCBranch {
			flags |= mcdcBranch
		}
		p.uint(flags)
		p.uint(uint64(b.File))
		p.place(b.Start, b.End)
		p.uint(b.Count)
		p.uint(b.False)
	}
	p.uint(uint64(len(f.Decisions)))
	for i := range f.Decisions {
		p.decision(&f.Decisions[i])
	}
	return p.b
}

func (p *packer) decision(d *coverage.Decision) {
	p.uint(uint64(d.File))
	p.place(d.Start, d.End)
	p.uint(uint64(len(d.Conditions)))
	for i := range d.Conditions {
		c := &d.Conditions[i]
		p.start(c.Start)
		folded := uint64(0)
		if c.Folded {
			folded = 1
		}
		p.uint(uint64(c.Pair[0])<<1 | folded)
		p.uint(uint64(c.Pair[1]))
		p.uint(uint64(c.ID))
		p.uint(uint64(c.Next[0] + 1))
		p.uint(uint64(c.Next[1] + 1))
	}
	p.uint(uint64(len(d.Vectors)))
	p.uint(uint64(d.False))
	for i := range d.Vectors {
		for at, v := range d.Vectors[i].Values {
			if at%4 == 0 {
				p.b = append(p.b, 0)
			}
			p.b[len(p.b)-1] |= byte(v) << (at % 4 * 2)
		}
	}
}

// unpacker reads a body.
type unpacker struct {
	stored.Numbers
	line uint32
}

func (u *unpacker) start() covmap.Position {
	u.line = uint32(int64(u.line) + u.Int())
	return covmap.Position{Line: u.line, Column: uint32(u.Uint())}
}

func (u *unpacker) place() (start, end covmap.Position) {
	start = u.start()
	end.Line = start.Line + uint32(u.Uint())
	end.Column = uint32(u.Uint())
	return start, end
}

// id is a file id below n.
func (u *unpacker) id(n int) uint32 { return uint32(u.Below(n, "file id")) }

// unpack reads the body of a function of a profile with so many files.
func (u *unpacker) unpack(f *coverage.Function, b []byte, files int) error {
	u.Numbers, u.line = stored.ReadNumbers("a body", b), 0
	f.Files = make([]int32, u.Count(1))
	for i := range f.Files {
		f.Files[i] = int32(u.id(files))
	}
	n := len(f.Files)
	f.Main = int(u.Below(n+1, "main file id")) - 1
	f.Regions = make([]coverage.Region, u.Count(7))
	for i := range f.Regions {
		r := &f.Regions[i]
		r.Kind, r.File = covmap.Kind(u.Uint()), u.id(n)
		r.Start, r.End = u.place()
		r.Count = u.Uint()
		if r.Kind == covmap.Expansion {
			r.Expanded = u.id(n)
		}
	}
	f.Branches = make([]coverage.Region, u.Count(8))
	for i := range f.Branches {
		flags := u.Uint()
		r := &f.Branches[i]
		r.Kind = covmap.Branch
		if flags&mcdcBranch != 0 {
			r.Kind = covmap.MCDCBranch
		}
		r.TrueFolded, r.FalseFolded = flags&trueFolded != 0, flags&falseFolded != 0
		r.File = u.id(n)
		r.Start, r.End = u.place()
		r.Count, r.False = u.Uint(), u.Uint()
	}
	f.Decisions = make([]coverage.Decision, u.Count(8))
	for i := range f.Decisions {
		u.decision(&f.Decisions[i], n)
	}
	if u.Err() != nil {
		return fmt.Errorf("%s: %w", f.Linkage, u.Err())
	}
	return nil
}

func (u *unpacker) decision(d *coverage.Decision, files int) {
	d.File = u.id(files)
	d.Start, d.End = u.place()
	d.Conditions = make([]coverage.Condition, u.Count(7))
	for i := range d.Conditions {
		c := &d.Conditions[i]
		c.Start = u.start()
		first := u.Uint()
		c.Folded, c.Pair = first&1 != 0, [2]int{int(first >> 1), int(u.Uint())}
		c.ID = int16(u.Uint())
		c.Next = [2]int16{int16(u.Uint()) - 1, int16(u.Uint()) - 1}
	}
	n, bytes := u.Uint(), uint64(len(d.Conditions)+3)/4
	d.False = int(u.Uint())
	if n > uint64(u.Left()) || n*bytes > uint64(u.Left()) {
		u.Fail("%d vectors where %d bytes follow", n, u.Left())
		return
	}
	if d.False < 0 || uint64(d.False) > n {
		u.Fail("%d of %d vectors", d.False, n)
		return
	}
	d.Vectors = make([]coverage.Vector, n)
	for i := range d.Vectors {
		v := &d.Vectors[i]
		v.Result = i >= d.False
		v.Values = make([]coverage.Value, len(d.Conditions))
		packed := u.Bytes(int(bytes))
		for at := range v.Values {
			v.Values[at] = coverage.Value(packed[at/4] >> (at % 4 * 2) & 3)
		}
	}
	for i := range d.Conditions {
		if pair := d.Conditions[i].Pair; pair[0] < 0 || pair[1] < 0 || pair[0] > int(n) || pair[1] > int(n) {
			u.Fail("vectors %v of %d", pair, n)
		}
	}
}
