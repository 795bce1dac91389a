package memprof_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

func TestVector(t *testing.T) {
	p := raw(t, real(t, "vector_v5.memprofraw"))
	sound(t, p)
	if p.Version != 5 || p.Symbolized || len(p.Contexts) != 1 || len(p.Modules) != 1 {
		t.Fatalf("%+v", p)
	}
	c := &p.Contexts[0]
	var got []uint64
	for f := range memprof.CompleteSchema.Fields() {
		got = append(got, c.MIB.Get(f))
	}
	want := []uint64{
		3, 600, 100, 300, 60, 10, 30, 500, 700, 450, 50, 200, 1, 2, 1, 1, 2, 1, 0, 3000, 1000, 1000, 30000, 5000, 20000, 3,
		0xdeadbeef,
	}
	if diff := cmp.Diff(want, got); diff != "" || c.ID != 7 {
		t.Error(c.ID, diff)
	}
	if diff := cmp.Diff([]uint64{0, 5000, 1000192}, c.MIB.Histogram); diff != "" {
		t.Error(diff)
	}
	var pcs []uint64
	for f := range p.Stack(c.Stack) {
		if f.Module != 0 {
			t.Errorf("%+v", f)
		}
		pcs = append(pcs, f.Address)
	}
	if diff := cmp.Diff([]uint64{0x401122, 0x401210}, pcs); diff != "" {
		t.Error(diff)
	}
	asked := p.Findings[len(p.Findings)-1]
	if asked.Kind != model.KindUnsymbolized ||
		!strings.Contains(asked.Remedy, "0102030405060708090a0b0c0d0e0f1011121314") {
		t.Errorf("%+v", asked)
	}
}

// recorded is a raw profile to be built.
type recorded struct {
	version uint64
	mibs    []recordedMIB
	stacks  map[uint64][]uint64
}

type recordedMIB struct {
	id        uint64
	fields    map[memprof.MIBField]uint64
	histogram []uint64
}

func (r recorded) build() []byte {
	le := binary.LittleEndian
	schema := memprof.CompleteSchema
	switch r.version {
	case 1:
		schema = memprof.SchemaToTag19
	case 2, 3:
		schema = memprof.SchemaToTag25
	}
	words := func(b []byte, list ...uint64) []byte {
		for _, w := range list {
			b = le.AppendUint64(b, w)
		}
		return b
	}
	pad := func(b []byte) []byte { return append(b, make([]byte, -len(b)&7)...) }
	segments := words(nil, 1, 0x1000, 0x9000, 0x1000)
	if r.version >= 3 {
		segments = words(segments, 4)
	}
	segments = append(segments, "\xab\xcd\xef\x01"...)
	segments = append(segments, make([]byte, 28)...)
	mibs := words(nil, uint64(len(r.mibs)))
	for _, m := range r.mibs {
		mibs = words(mibs, m.id)
		for f := range schema.Fields() {
			v := m.fields[f]
			if f == memprof.AccessHistogramSize {
				v = uint64(len(m.histogram))
			}
			if f.Size() == 4 {
				mibs = le.AppendUint32(mibs, uint32(v))
			} else {
				mibs = words(mibs, v)
			}
		}
		for _, n := range m.histogram {
			if r.version == 5 {
				mibs = le.AppendUint16(mibs, uint16(n))
			} else {
				mibs = words(mibs, n)
			}
		}
	}
	mibs = pad(mibs)
	stacks := words(nil, uint64(len(r.stacks)))
	for _, m := range r.mibs {
		if pcs, ok := r.stacks[m.id]; ok {
			stacks = words(words(stacks, m.id, uint64(len(pcs))), pcs...)
		}
	}
	total := uint64(48 + len(segments) + len(mibs) + len(stacks))
	b := append([]byte("\x81rforpm\xff"),
		words(nil, r.version, total, 48, uint64(48+len(segments)), uint64(48+len(segments)+len(mibs)))...)
	return slices.Concat(b, segments, mibs, stacks)
}

func object(count, first, last uint64) map[memprof.MIBField]uint64 {
	return map[memprof.MIBField]uint64{
		memprof.AllocCount: count, memprof.TotalSize: 10 * count, memprof.MinSize: 10, memprof.MaxSize: 10,
		memprof.AllocTimestamp: first, memprof.DeallocTimestamp: last, memprof.TotalLifetime: last - first,
		memprof.MinLifetime: last - first,
		memprof.MaxLifetime: last - first, memprof.AllocCPUID: 1, memprof.DeallocCPUID: first, memprof.NumMigratedCPU: 1,
	}
}

func TestEveryVersion(t *testing.T) {
	sizes := map[uint64]int{
		1: 48 + 64 + 224, 2: 48 + 64 + 288, 3: 48 + 72 + 288, 4: 48 + 72 + 8 + 2*152, 5: 48 + 72 + 8 + 2*152,
	}
	for version := uint64(1); version <= 5; version++ {
		r := recorded{version: version,
			mibs:   []recordedMIB{{id: 5, fields: object(1, 10, 20)}, {id: 6, fields: object(2, 3, 4)}},
			stacks: map[uint64][]uint64{5: {0x2000, 0x3000}, 6: {0x2500, 0x3000}}}
		data := r.build()
		if want := sizes[version] + 8 + 2*32; len(data) != want {
			t.Errorf("version %d has %d bytes, want %d", version, len(data), want)
		}
		p := raw(t, data)
		sound(t, p)
		if p.Version != version || len(p.Contexts) != 2 || len(p.Stacks) != 3 {
			t.Fatalf("version %d: %+v", version, p)
		}
		if n, ok := p.Contexts[1].MIB.Value(memprof.TotalSize); n != 20 || !ok {
			t.Errorf("version %d: TotalSize %d", version, n)
		}
		if _, ok := p.Contexts[0].MIB.Value(memprof.TotalAccessDensity); ok != (version >= 2) {
			t.Errorf("version %d knows densities: %v", version, ok)
		}
		peek, err := memprof.PeekRaw(data)
		if err != nil || peek.Version != version || peek.ProgramKey == "" {
			t.Errorf("%+v, %v", peek, err)
		}
	}
}

func TestSeveralDumpsAreMerged(t *testing.T) {
	dump := func(fields map[memprof.MIBField]uint64, histogram ...uint64) []byte {
		return recorded{version: 4, mibs: []recordedMIB{{5, fields, histogram}},
			stacks: map[uint64][]uint64{5: {0x2000}}}.build()
	}
	p := raw(t, slices.Concat(dump(object(1, 10, 20), 1, 2), dump(object(2, 15, 40), 5, 5, 5)))
	sound(t, p)
	if p.Dumps != 2 || len(p.Contexts) != 1 {
		t.Fatalf("%d dumps, %d contexts", p.Dumps, len(p.Contexts))
	}
	m := &p.Contexts[0].MIB
	for f, want := range map[memprof.MIBField]uint64{
		memprof.AllocCount: 3, memprof.TotalSize: 30, memprof.MinLifetime: 10, memprof.MaxLifetime: 25,
		memprof.TotalLifetime:  35,
		memprof.AllocTimestamp: 15, memprof.DeallocTimestamp: 40, memprof.NumLifetimeOverlaps: 1, memprof.NumSameAllocCPU: 1,
		memprof.NumSameDeallocCPU: 0, memprof.NumMigratedCPU: 1, memprof.DeallocCPUID: 15, memprof.AccessHistogramSize: 3,
	} {
		if got := m.Get(f); got != want {
			t.Errorf("%v is %d, want %d", f, got, want)
		}
	}
	if diff := cmp.Diff([]uint64{6, 7, 5}, m.Histogram); diff != "" {
		t.Error(diff)
	}
}

func TestRawFaults(t *testing.T) {
	whole := recorded{version: 3, mibs: []recordedMIB{{5, object(1, 1, 2), nil}},
		stacks: map[uint64][]uint64{5: {0x2000}}}.build()
	word := func(at int, v uint64) []byte {
		b := bytes.Clone(whole)
		binary.LittleEndian.PutUint64(b[at:], v)
		return b
	}
	second := recorded{version: 3, mibs: []recordedMIB{{5, object(1, 1, 2), nil}},
		stacks: map[uint64][]uint64{5: {0x2001}}}.build()
	for _, test := range []struct {
		name  string
		data  []byte
		kind  model.Kind
		field string
	}{
		{"no version", word(8, 0), model.KindUnsupportedVersion, "Version"},
		{"newer version", word(8, 6), model.KindUnsupportedVersion, "Version"},
		{"size of nothing", word(16, 0), model.KindMalformed, "TotalSize"},
		{"size past the end", word(16, uint64(len(whole))+8), model.KindTruncated, "TotalSize"},
		{"odd offset", word(24, 49), model.KindMalformed, "SegmentOffset"},
		{"offsets out of order", word(32, 40), model.KindMalformed, "MIBOffset"},
		{"many segments", word(48, 1<<60), model.KindTruncated, "NumEntries"},
		{"long build ID", word(80, 33), model.KindMalformed, "BuildIdSize"},
		{"backward segment", word(56, 1<<63), model.KindMalformed, "Start"},
		{"many MIBs", word(120, 1<<60), model.KindTruncated, "NumEntries"},
		{"unknown stack", word(128, 9), model.KindMalformed, "StackId"},
		{"second stack differs", slices.Concat(whole, second), model.KindMalformed, "StackId"},
		{"something behind", append(bytes.Clone(whole), 1, 2, 3), model.KindTruncated, "Magic"},
	} {
		_, err := memprof.OpenRaw(test.data, nil)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		if f := fault(t, err); f.Kind != test.kind || f.Field != test.field {
			t.Errorf("%s: %v in %s", test.name, err, f.Field)
		}
	}
	for n := range whole {
		if _, err := memprof.OpenRaw(whole[:n], nil); err == nil {
			t.Errorf("%d of %d bytes are taken", n, len(whole))
		} else {
			fault(t, err)
		}
	}
}

func TestRawAnatomy(t *testing.T) {
	rec := &wire.Recorder{}
	data := real(t, "clang-19_mem_a.memprofraw")
	if _, err := memprof.OpenRaw(data, rec); err != nil {
		t.Fatal(err)
	}
	end := uint64(0)
	for _, s := range rec.Sections() {
		if s.Offset != end || len(s.Fields) == 0 {
			t.Errorf("%s at 0x%x, the one before ends at 0x%x", s.Name, s.Offset, end)
		}
		end += s.Size
	}
	if end != uint64(len(data)) {
		t.Errorf("sections end at 0x%x of 0x%x", end, len(data))
	}
}

// The program gives every profile functions, and none of the runtime's.
func TestSymbolized(t *testing.T) {
	for _, name := range all(t, ".memprofraw") {
		exe := strings.TrimSuffix(name, ".memprofraw") + ".exe"
		if !slices.Contains(all(t, ".exe"), exe) {
			continue
		}
		bare := raw(t, real(t, name))
		sound(t, bare)
		of := program(t, exe)
		p := raw(t, real(t, name), of)
		sound(t, p)
		if !p.Symbolized || len(p.Records) == 0 || len(p.Contexts) == 0 || len(p.Contexts) > len(bare.Contexts) ||
			!of.Used() {
			t.Errorf("%s: %d records, %d contexts of %d", name, len(p.Records), len(p.Contexts), len(bare.Contexts))
		}
		for _, f := range p.Frames {
			if f.Function == 0 || f.Name == "" || f.Module != -1 || strings.Contains(f.File, "memprof_") ||
				f.Function != model.GUID(f.Name) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

func TestStrangersAreNotUsed(t *testing.T) {
	of := program(t, "clang-22_mem_pie.exe")
	p := raw(t, real(t, "clang-19_mem_a.memprofraw"), of)
	if p.Symbolized || of.Used() {
		t.Error("another program's functions")
	}
}
