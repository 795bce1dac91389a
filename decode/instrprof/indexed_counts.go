package instrprof

import (
	"encoding/binary"
	"iter"
)

// Counted is a record whose counts are left where they stand.
type Counted struct {
	Name     []byte
	FuncHash uint64
	Offset   uint64    // where the record begins
	Counts   int       // how many counts it has
	Whole    *Function // of one that has more than counts; else nil
}

// Counted yields the records in the order of Functions, which reads each whole. A Counted is
// valid until the next.
func (x *Indexed) Counted() iter.Seq2[*Counted, error] {
	return func(yield func(*Counted, error) bool) {
		r, w := x.records(), x.items()
		var f Counted
		for w.next() {
			f.Name = w.name
			r.c.Restart(w.data, w.offset)
			for first := true; first || r.c.Remaining() > 0; first = false {
				if f.Offset, f.Whole = r.c.Offset(), nil; !r.pass(&f) {
					if err := r.read(&r.c); err != nil {
						yield(nil, err)
						return
					}
					f.FuncHash, f.Counts, f.Whole = r.f.FuncHash, len(r.f.Counters), &r.f
				}
				if !yield(&f, nil) {
					return
				}
			}
		}
		if err := w.c.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// pass moves behind a record that has counts alone, and says where they stand; it stays before
// any other.
func (r *recordReader) pass(f *Counted) bool {
	b := r.c.Peek()
	behind := uint64(valueDataHeader) // the counts
	if r.version > 10 {
		behind += 8 // NumBitmapBytes
	}
	if r.version >= 14 {
		behind += 8 // NumUniformityBytes
	}
	if r.version <= 2 || len(b)%8 != 0 || uint64(len(b)) < 16+behind {
		return false
	}
	n := binary.LittleEndian.Uint64(b[8:])
	if n > (uint64(len(b))-16-behind)/8 {
		return false
	}
	end := 16 + 8*n + behind
	for at := 16 + 8*n; at < end-valueDataHeader; at += 8 {
		if binary.LittleEndian.Uint64(b[at:]) != 0 {
			return false
		}
	}
	if binary.LittleEndian.Uint64(b[end-valueDataHeader:]) != valueDataHeader {
		return false
	}
	f.FuncHash, f.Counts = binary.LittleEndian.Uint64(b), int(n)
	r.c.Skip("record", end)
	return true
}

// WordsAt is the n counts of a record without more, at an offset that Counted told: eight bytes
// each, little-endian.
func (x *Indexed) WordsAt(record uint64, n int) []byte { return x.data[record+16:][:8*n] }

// CountedReader reads single records of files, all but their names, reusing its memory: what it
// read last is valid until it reads again.
type CountedReader struct{ records recordReader }

// Read is the record of a file at an offset that Counted told; it is empty where none stands.
func (r *CountedReader) Read(x *Indexed, record uint64) *Function {
	rest := x.data[record:]
	r.records.version = x.version
	if r.records.c.Restart(rest[:len(rest)&^7], record); r.records.read(&r.records.c) != nil {
		return &Function{}
	}
	return &r.records.f
}
