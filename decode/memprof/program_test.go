package memprof_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// What a file's first header says tells its program: files of one program have one
// key, however often it ran.
func TestPeekTellsPrograms(t *testing.T) {
	key := func(data []byte) string {
		peek, err := memprof.PeekRaw(data)
		if err != nil {
			t.Fatal(err)
		}
		return peek.ProgramKey
	}
	keys := map[string]string{}
	for _, name := range all(t, ".memprofraw") {
		data := real(t, name)
		if before, has := keys[key(data)]; has {
			t.Errorf("%s and %s are taken for runs of one program", before, name)
		}
		keys[key(data)] = name
	}
	for version := uint64(1); version <= 5; version++ {
		data := twoContexts(version)
		moved := bytes.Clone(data)
		binary.LittleEndian.PutUint64(moved[56:], 0x7000) // loaded elsewhere
		binary.LittleEndian.PutUint64(moved[64:], 0xf000)
		if key(moved) != key(data) {
			t.Errorf("version %d: the program is another one when it is loaded elsewhere", version)
		}
		other := bytes.Clone(data)
		if version < 3 {
			binary.LittleEndian.PutUint64(other[64:], 0xa000) // a longer segment
		} else {
			other[88] ^= 1 // another build ID
		}
		if key(other) == key(data) {
			t.Errorf("version %d: two programs have one key", version)
		}
	}
	if peek, err := memprof.PeekRaw(twoContexts(3)[:100]); err == nil || peek.Version != 3 || peek.ProgramKey != "" {
		t.Errorf("%+v, %v", peek, err)
	}
	if peek, err := memprof.PeekRaw(nil); model.KindOf(err) != model.KindTruncated || peek.Version != 0 {
		t.Errorf("%+v, %v", peek, err)
	}
}

// A peek keeps nothing of the file.
func TestPeekDoesNotAliasTheFile(t *testing.T) {
	data := real(t, "clang-22_mem_pie.memprofraw")
	peek, err := memprof.PeekRaw(data)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(peek.Modules[0].BuildID)
	clear(data)
	if !bytes.Equal(peek.Modules[0].BuildID, want) || len(want) != 20 {
		t.Errorf("%x became %x", want, peek.Modules[0].BuildID)
	}
}

// Each run fits its program, and no other: by build ID, or before there were any
// by how much of its file is mapped where.
func TestProgramsFitTheirRuns(t *testing.T) {
	executables := map[string]memprof.Executable{}
	for _, name := range all(t, ".exe") {
		image, err := symbol.Open(name, real(t, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		executables[name[:len(name)-len(".exe")]] = memprof.ExecutableOf(image)
	}
	for run := range executables {
		peek, err := memprof.PeekRaw(real(t, run+".memprofraw"))
		if err != nil {
			t.Fatal(err)
		}
		for program, x := range executables {
			if got := peek.Fits(&x); got != (run == program) && !(peek.Version < 3 && got) {
				t.Errorf("%s fits %s: %v", program, run, got)
			}
		}
		if x := executables[run]; !peek.Fits(&x) {
			t.Errorf("%s does not fit its own run", run)
		}
	}
}

// Before there were build IDs a segment tells its program: at its own address when
// it is at a fixed one, anywhere above 4 GiB when it is not.
func TestFitByAddress(t *testing.T) {
	fixed := memprof.Executable{Segments: []symbol.Segment{{Addr: 0x401000, Offset: 0x1000, Size: 0x800}}}
	pie := memprof.Executable{PIE: true, Segments: []symbol.Segment{{Addr: 0x1000, Offset: 0x1000, Size: 0x800}}}
	for name, test := range map[string]struct {
		module     memprof.Module
		fixed, pie bool
	}{
		"the fixed one's own": {memprof.Module{Start: 0x401000, End: 0x402000, Offset: 0x1000}, true, false},
		"elsewhere, low":      {memprof.Module{Start: 0x501000, End: 0x502000, Offset: 0x1000}, false, false},
		"high": {
			memprof.Module{Start: 0x555500001000, End: 0x555500002000, Offset: 0x1000}, false, true,
		},
		"of another size": {memprof.Module{Start: 0x401000, End: 0x403000, Offset: 0x1000}, false, false},
		"of another part of a file": {
			memprof.Module{Start: 0x555500001000, End: 0x555500002000, Offset: 0x2000}, false, false,
		},
	} {
		peek := memprof.Peek{Version: 1, Modules: []memprof.Module{test.module}}
		if peek.Fits(&fixed) != test.fixed || peek.Fits(&pie) != test.pie {
			t.Errorf("%s: fits the fixed one %v, the other %v", name, peek.Fits(&fixed), peek.Fits(&pie))
		}
	}
	for name, ids := range map[string][2][]byte{
		"none at all": {nil, nil}, "none in the program": {{1}, nil}, "a longer one": {{1}, {1, 2}},
	} {
		peek := memprof.Peek{Version: 3, Modules: []memprof.Module{{BuildID: ids[0]}}}
		if peek.Fits(&memprof.Executable{BuildID: ids[1]}) {
			t.Errorf("%s: build IDs of %x and %x fit", name, ids[0], ids[1])
		}
	}
}

// What was split off a program is told by the ids that both have.
func TestSplitPartsOfPrograms(t *testing.T) {
	x := memprof.Executable{SplitIDs: []uint64{3, 5, 9}}
	for _, test := range []struct {
		ids  []uint64
		want bool
	}{{[]uint64{5}, true}, {[]uint64{1, 9}, true}, {[]uint64{4}, false}, {nil, false}} {
		if got := x.LeftOut(&memprof.Executable{Split: true, SplitIDs: test.ids}); got != test.want {
			t.Errorf("%v: %v", test.ids, got)
		}
	}
}

// Without its program a profile asks for it, by the build ID of what its addresses
// are in, and keeps each address in its module.
func TestAddressesInModules(t *testing.T) {
	for version, address := range map[uint64]uint64{1: 0x2000 - 0x1000 + 0x1000, 3: 0x2000 - 0x1000} {
		p := raw(t, recorded{version: version, mibs: []recordedMIB{{5, object(1, 1, 2), nil}},
			stacks: map[uint64][]uint64{5: {0x2000, 0x9000, 0x1000, 0x99999}}}.build())
		sound(t, p)
		var frames []memprof.Frame
		for f := range p.Stack(p.Contexts[0].Stack) {
			frames = append(frames, *f)
		}
		// the end is the address behind a last call
		if frames[0].Module != 0 || frames[0].Address != address || frames[1].Module != 0 {
			t.Errorf("version %d: %+v", version, frames)
		}
		// no call has its address at the start
		if frames[2].Module != -1 || frames[3].Module != -1 || frames[3].Address != 0x99999 {
			t.Errorf("version %d: %+v", version, frames)
		}
	}
	p := raw(t, real(t, "clang-22_mem_pie.memprofraw"))
	asked := p.Findings[len(p.Findings)-1]
	if asked.Code != "memprof.unsymbolized" || asked.Expected != "build ID a857983d65f7efa3fb4bf6f75232e7e177f97eb0" {
		t.Errorf("%+v", asked)
	}
}
