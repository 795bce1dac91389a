package memprof_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// spelled is a profile's records with everything in place of numbers.
func spelled(p *memprof.Profile) map[uint64][]any {
	out := map[uint64][]any{}
	stack := func(id memprof.StackID) (list []memprof.Frame) {
		for f := range p.Stack(id) {
			list = append(list, memprof.Frame{
				Function: f.Function, LineOffset: f.LineOffset, Column: f.Column, Inline: f.Inline,
			})
		}
		return list
	}
	for _, r := range p.Records {
		for _, n := range r.AllocSites {
			m := p.Contexts[n].MIB
			out[r.Function] = append(out[r.Function], stack(p.Contexts[n].Stack), m.Get(memprof.AllocCount),
				m.Get(memprof.TotalSize), m.Get(memprof.TotalLifetime), m.Get(memprof.TotalLifetimeAccessDensity))
		}
		for _, c := range r.CallSites {
			out[r.Function] = append(out[r.Function], stack(c.Stack), c.Callees)
		}
	}
	return out
}

// Versions and schemas of one profile say the same of what they all have.
func TestIndexedVersionsAgree(t *testing.T) {
	want := indexed(t, "clang-19_mem_v0.profdata")
	for _, name := range []string{"v1", "v2", "v2_full", "v3", "v3_full"} {
		p := indexed(t, "clang-19_mem_"+name+".profdata")
		sound(t, p)
		if diff := cmp.Diff(spelled(want), spelled(p)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		full := name == "v1" || name == "v2_full" || name == "v3_full"
		if want := map[bool]memprof.MIBSchema{true: memprof.CompleteSchema,
			false: memprof.DefaultSchema}[full]; p.Schema != want {
			t.Errorf("%s: schema %x", name, p.Schema)
		}
	}
}

func TestIndexedVector(t *testing.T) {
	p := indexed(t, "vector_v4.profdata")
	sound(t, p)
	if diff := cmp.Diff(&memprof.Summary{NumContexts: 3, NumColdContexts: 1, MaxColdTotalSize: 1000,
		MaxWarmTotalSize: 4000}, p.Summary); diff != "" {
		t.Error(diff)
	}
	if len(p.Contexts) != 3 || len(p.Records) != 2 || p.Version != 4 {
		t.Errorf("%+v", p)
	}
	want := &memprof.DataAccess{
		Records: []memprof.DataAccessRecord{
			{
				Symbol: "abcde", AccessCount: 100,
				Locations: []memprof.DataLocation{{File: "file2.h", Line: 123}, {File: "file3.cpp", Line: 125}},
			},
			{Hash: 101010, IsString: true, AccessCount: 200, Locations: []memprof.DataLocation{{File: "file.cpp", Line: 233}}},
		},
		ColdSymbols: []string{"foo", "bar"}, ColdHashes: []uint64{999, 1001},
	}
	if diff := cmp.Diff(want, p.DataAccess); diff != "" {
		t.Error(diff)
	}
}

// An input that was merged twice without merging its contexts has each twice.
func TestDistinct(t *testing.T) {
	p := indexed(t, "clang-19_mem_two.profdata")
	sound(t, p)
	distinct := p.Distinct()
	if len(p.Contexts) != 168 || len(distinct) != 84 {
		t.Fatalf("%d contexts, %d distinct", len(p.Contexts), len(distinct))
	}
	var one, both uint64
	for _, c := range p.Contexts {
		both += c.MIB.Get(memprof.AllocCount)
	}
	for _, c := range distinct {
		one += c.MIB.Get(memprof.AllocCount)
	}
	if one != both {
		t.Errorf("%d allocations, %d when merged", both, one)
	}
}

func TestIndexedAnatomy(t *testing.T) {
	for _, name := range all(t, ".profdata") {
		data, base := section(t, real(t, name))
		rec := &wire.Recorder{}
		if _, err := memprof.OpenIndexed(data, base, rec); err != nil {
			t.Fatal(name, err)
		}
		end := base
		for _, s := range rec.Sections() {
			if s.Offset < end {
				t.Errorf("%s: %s at 0x%x, the one before ends at 0x%x", name, s.Name, s.Offset, end)
			}
			end = s.Offset + s.Size
		}
		if end > base+uint64(len(data)) {
			t.Errorf("%s: sections end at 0x%x of 0x%x", name, end, base+uint64(len(data)))
		}
	}
}

// Every word and every length of a section is tried: nothing may panic, and what
// is taken must hold together.
func TestIndexedDamage(t *testing.T) {
	for _, name := range []string{"vector_v4.profdata", "mem_v4.profdata", "mem_dap_v4.profdata"} {
		data, base := section(t, real(t, name))
		try := func(b []byte) {
			p, err := memprof.OpenIndexed(b, base, nil)
			if err == nil {
				sound(t, p)
				return
			}
			fault(t, err)
		}
		for n := range data {
			try(data[:n])
		}
		damaged := slices.Clone(data)
		for at := 0; at+8 <= len(data); at += 4 {
			for _, v := range []uint64{0, 1, 0xffffffff, 1 << 40, 1<<64 - 1, base, base + uint64(len(data))} {
				binary.LittleEndian.PutUint64(damaged[at:], v)
				try(damaged)
				copy(damaged[at:at+8], data[at:at+8])
			}
		}
	}
}

// Stacks that share their callers over and over would fill any memory when they
// are written out.
func TestSharedStacksAreBounded(t *testing.T) {
	le := binary.LittleEndian
	const deep, many = 1 << 17, 1 << 17
	b := make([]byte, 32)
	word := func(v uint64) { b = le.AppendUint64(b, v) }
	le.PutUint64(b, 3)
	word(0) // no fields in the schema
	b = append(b, make([]byte, 17)...)
	le.PutUint64(b[8:], uint64(len(b)))
	b = le.AppendUint32(b, deep)
	b = append(b, make([]byte, 4*deep)...)
	le.PutUint64(b[16:], uint64(len(b)))
	b = le.AppendUint16(b, 1)
	word(1)
	word(8)
	word(8 + 4*many + 8)
	word(1)
	word(many)
	b = append(b, make([]byte, 4*many)...)
	word(0)
	b = append(b, make([]byte, -len(b)&7)...)
	le.PutUint64(b[24:], uint64(len(b)))
	word(1)
	word(1)
	word(0)
	_, err := memprof.OpenIndexed(b, 0, nil)
	if err == nil || fault(t, err).Kind != model.KindTooLarge {
		t.Error(err)
	}
}
