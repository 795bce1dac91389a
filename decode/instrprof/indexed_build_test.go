package instrprof_test

import (
	"crypto/md5" //nolint:gosec // as the format does
	"encoding/binary"

	"proflens/decode/instrprof"
)

// builtIndexed builds an indexed file byte by byte, as instrprof.md §3 has it
// and without the package's own code.
type builtIndexed struct {
	version     uint64
	flags       instrprof.Variant
	names       []builtName // one bucket each
	binaryIDs   []byte      // the entries, padded
	vtableNames string
	memProf     []byte
	traces      []instrprof.Trace

	// Where things came to stand.
	payload, table, binaryIDsAt, vtableNamesAt, tracesAt uint64
}

type builtName struct {
	name    string
	records []builtRecord
}

type builtRecord struct {
	hash     uint64
	counters []uint64
	bitmap   []byte
	uniform  []byte
	calls    []instrprof.ValueSite
	memops   []instrprof.ValueSite
}

func le64(b []byte, v ...uint64) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

func pad8(b []byte) []byte {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return b
}

func md5of(name string) uint64 {
	sum := md5.Sum([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])
}

func (x *builtIndexed) bytes() []byte {
	words := 5
	for _, since := range []uint64{8, 9, 10, 12} {
		if x.version >= since {
			words++
		}
	}
	b := append([]byte("\xfflprofi\x81"), make([]byte, 8*(words-1))...)
	if x.version >= 4 {
		b = append(b, x.summary(7)...)
		if x.flags.Has(instrprof.CSIRProf) {
			b = append(b, x.summary(9)...)
		}
	}
	x.payload = uint64(len(b))
	var buckets []uint64
	for _, n := range x.names {
		buckets = append(buckets, uint64(len(b)))
		b = binary.LittleEndian.AppendUint16(b, 1)
		data := x.records(n.records)
		b = le64(b, md5of(n.name), uint64(len(n.name)), uint64(len(data)))
		b = append(append(b, n.name...), data...)
	}
	b = pad8(b)
	x.table = uint64(len(b))
	b = le64(le64(b, uint64(len(buckets)), uint64(len(x.names))), buckets...)

	header := []uint64{uint64(x.flags) | x.version, 0, 0, x.table}
	if x.version >= 8 {
		header = append(header, uint64(len(b)))
		b = append(b, x.memProf...)
	}
	if x.version >= 9 {
		x.binaryIDsAt = uint64(len(b))
		header = append(header, x.binaryIDsAt)
		b = append(le64(b, uint64(len(x.binaryIDs))), x.binaryIDs...)
	}
	if x.version >= 12 {
		x.vtableNamesAt = uint64(len(b))
		b = pad8(append(le64(b, uint64(len(x.vtableNames))), x.vtableNames...))
	}
	if x.version >= 10 {
		x.tracesAt = uint64(len(b))
		header = append(header, x.tracesAt)
		b = le64(b, uint64(len(x.traces)), uint64(len(x.traces))+3)
		for _, t := range x.traces {
			b = le64(le64(b, t.Weight, uint64(len(t.NameRefs))), t.NameRefs...)
		}
	}
	if x.version >= 12 {
		header = append(header, x.vtableNamesAt)
	}
	copy(b[8:], le64(nil, header...))
	return b
}

// summary is a stored summary of fields first, first+1, …, and two cutoffs.
func (x *builtIndexed) summary(first uint64) []byte {
	b := le64(nil, 6, 2)
	for i := range uint64(6) {
		b = le64(b, first+i)
	}
	return le64(b, 990000, 30, 2, 999999, 3, 4)
}

func (x *builtIndexed) records(records []builtRecord) []byte {
	var b []byte
	for _, r := range records {
		b = le64(b, r.hash)
		if x.version > 1 {
			b = le64(b, uint64(len(r.counters)))
		}
		b = le64(b, r.counters...)
		switch {
		case x.version >= 14:
			b = pad8(append(le64(b, uint64(len(r.bitmap))), r.bitmap...))
			b = pad8(append(le64(b, uint64(len(r.uniform))), r.uniform...))
		case x.version >= 11:
			b = le64(b, uint64(len(r.bitmap)))
			for _, v := range r.bitmap {
				b = le64(b, uint64(v))
			}
		}
		if x.version >= 3 {
			b = append(b, valueData(r.calls, r.memops)...)
		}
	}
	return b
}

// valueData is a ValueProfData block, little-endian.
func valueData(kinds ...[]instrprof.ValueSite) []byte {
	b := make([]byte, 8)
	n := uint32(0)
	for kind, sites := range kinds {
		if len(sites) == 0 {
			continue
		}
		n++
		b = binary.LittleEndian.AppendUint32(b, uint32(kind))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(sites)))
		for _, s := range sites {
			b = append(b, byte(len(s)))
		}
		b = pad8(b)
		for _, s := range sites {
			for _, v := range s {
				b = le64(b, v.Value, v.Count)
			}
		}
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	binary.LittleEndian.PutUint32(b[4:], n)
	return b
}

// builtSample is a file of a version with everything that version can hold.
func builtSample(version uint64) *builtIndexed {
	x := &builtIndexed{version: version, names: []builtName{
		{"main", []builtRecord{{hash: 11, counters: []uint64{3, 0, 1 << 63}}}},
		{"dir/a.c;leaf", []builtRecord{{hash: 1 << 60, counters: []uint64{5}}}},
		{"_ZN3foo3barEv", []builtRecord{{hash: 7, counters: []uint64{0, 0}}}},
	}}
	main, leaf := &x.names[0], &x.names[1].records[0]
	if version >= 2 {
		main.records = append(main.records, builtRecord{hash: 12, counters: []uint64{9}})
	}
	if version >= 3 {
		leaf.calls = []instrprof.ValueSite{
			{{Value: md5of("main"), Count: 8}, {Value: 0, Count: 4}, {Value: 77, Count: 2}}, {},
			{{Value: md5of("_ZN3foo3barEv"), Count: 1}},
		}
		leaf.memops = []instrprof.ValueSite{{{Value: 513, Count: 4}, {Value: 8, Count: 2}}}
	}
	if version >= 4 {
		x.flags = instrprof.IRProf
	}
	if version >= 6 {
		x.flags |= instrprof.CSIRProf
	}
	if version >= 7 {
		x.flags |= instrprof.InstrEntry
	}
	if version >= 9 {
		x.binaryIDs = pad8(append(le64(nil, 5), "\x01\x02\xab\xcd\xef"...))
	}
	if version >= 10 {
		x.flags |= instrprof.TemporalProf
		x.traces = []instrprof.Trace{
			{Weight: 2, NameRefs: []uint64{md5of("main"), md5of("dir/a.c;leaf")}},
			{Weight: 1, NameRefs: []uint64{md5of("_ZN3foo3barEv"), 5}},
		}
	}
	if version >= 11 {
		leaf.bitmap = []byte{0, 0xff, 0x10}
	}
	if version >= 12 {
		x.vtableNames = "\x0b\x00" + "_ZTV1A\x01_ZTV"
	}
	if version >= 14 {
		leaf.uniform = []byte{1, 0}
	}
	return x
}
