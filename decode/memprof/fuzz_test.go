package memprof_test

import (
	"testing"

	"proflens/decode/memprof"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// checked fails when a profile that was taken does not hold together, or an
// error is no FormatError.
func checked(t *testing.T, p *memprof.Profile, err error) {
	t.Helper()
	if err != nil {
		fault(t, err)
		return
	}
	sound(t, p)
	if _, err := memprof.Merge([]*memprof.Profile{p, p}); err != nil {
		t.Fatal(err)
	}
}

func FuzzRaw(f *testing.F) {
	f.Add(real(f, "vector_v5.memprofraw"))
	f.Add(real(f, "clang-19_mem_a.memprofraw"))
	for version := uint64(1); version <= 5; version++ {
		f.Add(recorded{version: version, mibs: []recordedMIB{{5, object(1, 2, 3), nil}},
			stacks: map[uint64][]uint64{5: {0x2000, 0x2001}}}.build())
	}
	of := program(f, "clang-19_mem_a.exe")
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		_, _ = memprof.PeekRaw(data)
		r, err := memprof.OpenRaw(data, &wire.Recorder{})
		if err != nil {
			fault(t, err)
			return
		}
		p, err := r.Profile(t.Context(), nil)
		checked(t, p, err)
		p, err = r.Profile(t.Context(), []*memprof.Program{of})
		checked(t, p, err)
	})
}

func FuzzIndexed(f *testing.F) {
	for _, name := range all(f, ".profdata") {
		data, base := section(f, real(f, name))
		if len(data) < 1<<14 {
			f.Add(data, base)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, base uint64) {
		defer memtest.Watch(t, len(data))()
		base %= 1 << 40
		p, err := memprof.OpenIndexed(data, base, &wire.Recorder{})
		checked(t, p, err)
	})
}

func FuzzYAML(f *testing.F) {
	for _, name := range []string{"mem.yaml", "mem_dap.yaml", "vector_v4.golden", "mem_v4.golden"} {
		f.Add(real(f, name))
	}
	f.Add([]byte("---\nHeapProfileRecords:\n- GUID: \"f\\x41\"\n  CallSites:\n  - - { Function: 'it''s', LineOffset: " +
		"1, Column: 2, IsInlineFrame: false }\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		memprof.IsYAML(data)
		p, err := memprof.OpenYAML(data)
		checked(t, p, err)
	})
}

func FuzzReport(f *testing.F) {
	f.Add(real(f, "clang-22_mem_exec.report")[:4000])
	f.Add([]byte("MIB:9/5/12.20/10/14/3.00/3/3/0.40/0/2/1/2/3/4\nStack for id 9:\n    #0 0x10 in malloc " +
		"(/lib/rt.so+0x8) (BuildId: abcd)\n    #1 0x20 in f(int) const a b.cpp:3:4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		memprof.IsReport(data)
		p, err := memprof.OpenReport(data)
		checked(t, p, err)
	})
}
