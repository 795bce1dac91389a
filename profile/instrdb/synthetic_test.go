package instrdb_test

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"iter"
	"math/rand/v2"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// synthetic is a source of made-up records.
type synthetic struct {
	info      instrprof.Info
	functions []instrprof.Function
	names     map[uint64][]byte
	traces    []instrprof.Trace
	findings  []model.Finding
	fail      error // after the last record
}

func (s *synthetic) Info() *instrprof.Info { return &s.info }

// Functions reuses one record, as decoders do.
func (s *synthetic) Functions() iter.Seq2[*instrprof.Function, error] {
	return func(yield func(*instrprof.Function, error) bool) {
		var f instrprof.Function
		for i := range s.functions {
			src := &s.functions[i]
			name, counters, bitmap := append(f.Name[:0], src.Name...), append(f.Counters[:0], src.Counters...),
				append(f.Bitmap[:0], src.Bitmap...)
			f = *src
			f.Name, f.Counters, f.Bitmap = name, counters, bitmap
			if !yield(&f, nil) {
				return
			}
		}
		if s.fail != nil {
			yield(nil, s.fail)
		}
	}
}

func (s *synthetic) Names() iter.Seq2[uint64, []byte] {
	return func(yield func(uint64, []byte) bool) {
		for i := range s.functions {
			if f := &s.functions[i]; len(f.Name) > 0 && !yield(f.NameRef, f.Name) {
				return
			}
		}
		for ref, name := range s.names {
			if !yield(ref, name) {
				return
			}
		}
	}
}

func (s *synthetic) Traces() iter.Seq2[instrprof.Trace, error] {
	return func(yield func(instrprof.Trace, error) bool) {
		for _, t := range s.traces {
			if !yield(t, nil) {
				return
			}
		}
	}
}

func (s *synthetic) Findings() []model.Finding { return s.findings }

func refOf(name []byte) uint64 {
	sum := md5.Sum(name)
	return binary.LittleEndian.Uint64(sum[:])
}

// typical makes n records such as programs have: names of some hundred bytes
// with long common beginnings, a fifth of them local to a file, two in five
// never executed, ten counters on average, some value sites.
func typical(n int, seed uint64) *synthetic {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &synthetic{
		info: instrprof.Info{
			Info: model.Info{Format: instrprof.FormatIndexed, Families: []model.Family{instrprof.Family}, Version: 13,
				Profiles: 1}, Variant: instrprof.IRProf, Records: uint64(n),
		},
	}
	words := []string{
		"Value", "Instruction", "BasicBlock", "SmallVector", "Analysis", "Pass", "Manager", "Builder", "Visitor", "Metadata",
		"Context", "Module",
	}
	word := func() string { w := words[rng.IntN(len(words))]; return fmt.Sprint(len(w), w) }
	s.functions = make([]instrprof.Function, n)
	for i := range s.functions {
		name := "_ZN4llvm"
		for range 2 + rng.IntN(5) {
			name += word()
		}
		tail := fmt.Sprintf("fn%x", rng.Uint64()>>rng.IntN(50))
		name += fmt.Sprint(len(tail), tail) + "ERKNS_" + word() + "E"
		if rng.IntN(5) == 0 {
			name = fmt.Sprintf("lib/part%d/file%d.cpp;%s", rng.IntN(20), rng.IntN(300), name)
		}
		f := &s.functions[i]
		f.Name, f.NameRef, f.FuncHash = []byte(name), refOf([]byte(name)), rng.Uint64()>>4
		f.Counters = make([]uint64, 1+int(rng.ExpFloat64()*9))
		if rng.IntN(5) < 2 {
			continue
		}
		heat := rng.ExpFloat64() * 3
		for j := range f.Counters {
			if rng.IntN(4) > 0 {
				f.Counters[j] = uint64(rng.ExpFloat64() * heat * heat * heat * 10)
			}
		}
		if rng.IntN(20) == 0 {
			for kind := range 2 {
				for range rng.IntN(3) {
					var site instrprof.ValueSite
					for range rng.IntN(4) {
						site = append(site, instrprof.Value{Value: s.functions[rng.IntN(i+1)].NameRef, Count: rng.Uint64N(1000)})
					}
					f.Sites[kind] = append(f.Sites[kind], site)
				}
			}
		}
	}
	return s
}

// awkward makes records of what breaks programs: counters and totals at the
// ends of uint64 and past it, names of any bytes, none, shared by several
// hashes, the very same record twice, no counters, pseudo counts.
func awkward(n int, seed uint64) *synthetic {
	rng := rand.New(rand.NewPCG(seed, 2))
	s := &synthetic{
		info: instrprof.Info{
			Info: model.Info{Format: instrprof.FormatRaw, Families: []model.Family{instrprof.Family}, Version: 8,
				PointerSize: 8, Profiles: 2, BinaryIDs: [][]byte{{1, 2, 0, 255}, {}}},
			Variant:     instrprof.IRProf | instrprof.CSIRProf | instrprof.InstrEntry,
			VTableNames: [][]byte{[]byte("_ZTV1A"), {0xff}}, TraceStreamSize: 9,
			Summary: &instrprof.Summary{NumFunctions: 1, MaxCount: 1<<64 - 1,
				Detailed: []instrprof.SummaryEntry{{Cutoff: 10000, MinCount: 1 << 63, NumCounts: 3}}},
			MemProfSection: model.Section{Name: "memprof", Offset: 1 << 40, Size: 77},
		},
	}
	extremes := []uint64{
		0, 0, 1, 2, 127, 128, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<64 - 4, instrprof.MaxCount,
		instrprof.PseudoWarm, instrprof.PseudoHot,
	}
	pool := [][]byte{nil, []byte("main"), []byte("a.c;main"), []byte("a.c:main"), []byte("src/a.c;f"),
		[]byte("src/b/c.cc;f"), []byte("src/b/c.cc;g"),
		{0xff, 0xfe}, {0xff, 0xfe, 'x'}, []byte("nul\x00byte"), []byte("ümläut"), []byte("_ZN3fooC2Ev"),
		[]byte("_ZN3foo3barERKSs")}
	for range n {
		name := pool[rng.IntN(len(pool))]
		if rng.IntN(3) == 0 {
			name = fmt.Appendf(nil, "src/d%d/f.cc;name%d", rng.IntN(4), rng.IntN(n))
		}
		if rng.IntN(100) == 0 {
			name = make([]byte, rng.IntN(20000))
			for j := range name {
				name[j] = byte('a' + rng.IntN(3))
			}
		}
		f := instrprof.Function{Name: name, NameRef: refOf(name), FuncHash: rng.Uint64N(4)}
		if rng.IntN(4) == 0 {
			f.FuncHash |= instrprof.CSFlagInFuncHash | 1<<63
		}
		if rng.IntN(50) == 0 {
			f.NameRef = []uint64{0, 1, 1 << 63, 1<<64 - 1}[rng.IntN(4)]
		}
		count := rng.IntN(6)
		if rng.IntN(60) == 0 {
			count = rng.IntN(5000)
		}
		for j := range count {
			c := extremes[rng.IntN(len(extremes))]
			if j > 0 {
				c = min(c, instrprof.MaxCount)
			}
			f.Counters = append(f.Counters, c)
		}
		for range rng.IntN(3) * rng.IntN(2) {
			f.Bitmap = append(f.Bitmap, byte(rng.Uint32()))
		}
		for kind := range f.Sites {
			for range rng.IntN(3) * rng.IntN(2) {
				var site instrprof.ValueSite
				for range rng.IntN(4) {
					site = append(site, instrprof.Value{Value: rng.Uint64() >> rng.IntN(64), Count: extremes[rng.IntN(len(extremes))]})
				}
				f.Sites[kind] = append(f.Sites[kind], site)
			}
		}
		s.functions = append(s.functions, f)
	}
	s.names = map[uint64][]byte{
		refOf([]byte("_ZTV1A")): []byte("_ZTV1A"), refOf([]byte{0xff}): {0xff},
		refOf([]byte("called only")): []byte("called only"),
	}
	s.traces = []instrprof.Trace{{Weight: 1<<64 - 1, NameRefs: []uint64{1 << 63, 0, 5}}, {Weight: 1}}
	s.findings = []model.Finding{{Severity: model.Note, Code: "n", Message: "noted"},
		{Severity: model.Warning, Code: "w", Kind: model.KindMalformed, File: "f", Section: "s", Field: "x",
			Offset:   1<<64 - 1,
			Expected: "e", Found: "f", Message: "m", Cause: "c", Remedy: "r", Count: 3}}
	return s
}
