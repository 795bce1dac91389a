package memprof_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// twoContexts is a raw profile of a version, of two contexts.
func twoContexts(version uint64) []byte {
	r := recorded{
		version: version, mibs: []recordedMIB{{5, object(1, 10, 20), nil}, {6, object(2, 3, 4), nil}},
		stacks: map[uint64][]uint64{5: {0x2000, 0x3000}, 6: {0x2500}},
	}
	if version >= 4 {
		r.mibs[0].histogram = []uint64{1, 2, 3}
	}
	return r.build()
}

// A profile of any version that was cut anywhere is refused, and told where.
func TestCutRawProfilesAreRefused(t *testing.T) {
	for version := uint64(1); version <= 5; version++ {
		data := twoContexts(version)
		for n := range data {
			_, err := memprof.OpenRaw(data[:n:n], nil)
			if err == nil {
				t.Fatalf("version %d: %d of %d bytes are taken", version, n, len(data))
			}
			if f := fault(t, err); f.Kind != model.KindTruncated || f.Section == "" || f.Expected == "" || f.Offset > uint64(n) {
				t.Errorf("version %d, %d bytes: %+v", version, n, f)
			}
		}
	}
}

// A profile of which any bit is another is refused, or read to what holds together.
func TestDamagedRawProfilesHold(t *testing.T) {
	of := program(t, "clang-19_mem_a.exe")
	for version := uint64(1); version <= 5; version++ {
		data := twoContexts(version)
		for n := range data {
			for _, flip := range []byte{1 << (n % 8), 0xff} {
				broken := bytes.Clone(data)
				broken[n] ^= flip
				r, err := memprof.OpenRaw(broken, &wire.Recorder{})
				if err != nil {
					if f := fault(t, err); f.Section == "" || f.Offset > uint64(len(data)) {
						t.Errorf("version %d, byte %d: %+v", version, n, f)
					}
					continue
				}
				for _, programs := range [][]*memprof.Program{nil, {of}} {
					p, err := r.Profile(t.Context(), programs)
					checked(t, p, err)
				}
			}
		}
	}
}

// Each fault says in which section and field it is, what was expected and what
// stands there. Offsets are those of version 3: a header of 48 bytes, segments from
// there, MIBs from 120 on, stacks behind them.
func TestFaultsOfRawProfiles(t *testing.T) {
	data := twoContexts(3)
	le := binary.LittleEndian
	if mibs := le.Uint64(data[32:]); mibs != 120 {
		t.Fatalf("MIBs are at %d", mibs)
	}
	stackAt := int(le.Uint64(data[40:]))
	for _, test := range []struct {
		name            string
		at              int
		word            uint64
		kind            model.Kind
		section, field  string
		offset          uint64
		expected, found string
	}{
		{
			"the magic of counters", 0, 0xff6c70726f667281, model.KindBadMagic, "header", "Magic", 0, "81 72 66 6f 72 70 6d ff",
			"81 72 66 6f 72 70 6c ff",
		},
		{"version 0", 8, 0, model.KindUnsupportedVersion, "header", "Version", 8, "1 to 5", ""},
		{"version 6", 8, 6, model.KindUnsupportedVersion, "header", "Version", 8, "1 to 5", ""},
		{"the other byte order", 8, 3 << 56, model.KindUnsupportedVersion, "header", "Version", 8, "1 to 5", ""},
		{
			"a huge size", 16, 1 << 63, model.KindTruncated, "header", "TotalSize", 48, "9223372036854775808 bytes",
			fmt.Sprint(len(data)),
		},
		{
			"an odd size", 16, uint64(len(data)) - 1, model.KindMalformed, "header", "TotalSize", 16,
			fmt.Sprintf("a multiple of 8, at least 0x%x for StackOffset", stackAt), fmt.Sprintf("0x%x", len(data)-1),
		},
		{
			"segments in the header", 24, 40, model.KindMalformed, "header", "SegmentOffset", 24,
			"a multiple of 8, at least 0x30 for the header", "0x28",
		},
		{
			"stacks before MIBs", 40, 112, model.KindMalformed, "header", "StackOffset", 40,
			"a multiple of 8, at least 0x78 for MIBOffset", "0x70",
		},
		{
			"more segments than bytes", 48, 2, model.KindTruncated, "segments", "NumEntries", 56, "2 × 64 bytes",
			"64 bytes left",
		},
		{
			"as many as can be", 48, 1<<64 - 1, model.KindTruncated, "segments", "NumEntries", 56,
			"18446744073709551615 × 64 bytes", "64 bytes left",
		},
		{
			"a segment that ends before it starts", 64, 0xfff, model.KindMalformed, "segments", "Start", 56, "at most 0xfff",
			"0x1000",
		},
		{"a build ID of 33 bytes", 80, 33, model.KindMalformed, "segments", "BuildIdSize", 80, "at most 32", "33"},
		{"more MIBs than bytes", 120, 3, model.KindTruncated, "MIBs", "NumEntries", 128, "3 × 140 bytes", "280 bytes left"},
		{
			"more stacks than bytes", stackAt, 99, model.KindTruncated, "stacks", "NumEntries", uint64(stackAt) + 8,
			"99 × 16 bytes", "56 bytes left",
		},
		{
			"more addresses than bytes", stackAt + 16, 1 << 61, model.KindTruncated, "stacks", "NumPCs", uint64(stackAt) + 24,
			"2305843009213693952 × 8 bytes", "40 bytes left",
		},
		{
			"a MIB of no stack", 128, 9, model.KindMalformed, "stacks", "StackId", uint64(len(data)), "a stack with StackId 9",
			"",
		},
	} {
		broken := bytes.Clone(data)
		le.PutUint64(broken[test.at:], test.word)
		_, err := memprof.OpenRaw(broken, nil)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		if f := fault(t, err); f.Kind != test.kind || f.Section != test.section || f.Field != test.field ||
			f.Offset != test.offset || f.Expected != test.expected || f.Found != test.found {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// What is wrong with the second profile of a file is told of that.
func TestFaultsOfTheSecondDump(t *testing.T) {
	first, second := twoContexts(3), twoContexts(3)
	join := func(change func(b []byte)) []byte {
		b := bytes.Clone(second)
		change(b)
		return slices.Concat(first, b)
	}
	le := binary.LittleEndian
	for name, test := range map[string]struct {
		data    []byte
		section string
		words   string
	}{
		"another version":  {slices.Concat(first, twoContexts(2)), "header of profile 2", "different versions"},
		"other segments":   {join(func(b []byte) { le.PutUint64(b[56:], 0) }), "segments of profile 2", "different runs"},
		"another build ID": {join(func(b []byte) { b[88] ^= 1 }), "segments of profile 2", "different runs"},
		"another stack": {
			join(func(b []byte) { b[len(b)-8] ^= 1 }), "stacks of profile 2", "two different call stacks with StackId 6",
		},
		"cut in its header": {slices.Concat(first, second[:20]), "header of profile 2", "ends inside"},
		"something else": {
			slices.Concat(first, bytes.Repeat([]byte("x"), 48)), "header of profile 2", "not a raw MemProf profile",
		},
	} {
		_, err := memprof.OpenRaw(test.data, nil)
		if f := fault(t, err); f.Section != test.section || !strings.Contains(f.Msg, test.words) ||
			f.Offset < uint64(len(first)) {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Histograms are words, and in version 5 numbers of twelve bits with an exponent of
// four; one cannot be longer than the file.
func TestHistograms(t *testing.T) {
	for version, want := range map[uint64][]uint64{4: {0x1001, 0xffff, 0}, 5: {0x001 << 1, 0xfff << 15, 0}} {
		r := recorded{
			version: version, mibs: []recordedMIB{{5, object(1, 1, 2), []uint64{0x1001, 0xffff, 0}}},
			stacks: map[uint64][]uint64{5: {0x2000}},
		}
		p := raw(t, r.build())
		sound(t, p)
		if m := &p.Contexts[0].MIB; !slices.Equal(m.Histogram, want) || m.Get(memprof.AccessHistogramSize) != 3 {
			t.Errorf("version %d: %x", version, m.Histogram)
		}
		data := r.build()
		broken := bytes.Clone(data)
		const stacks, address = 8 + 24, 8
		counts := map[uint64]int{4: 3 * 8, 5: 3*2 + 2}[version] // with their padding
		at := len(data) - stacks - counts - address - 4
		if binary.LittleEndian.Uint32(broken[at:]) != 3 {
			t.Fatalf("version %d: %d at %d", version, binary.LittleEndian.Uint32(broken[at:]), at)
		}
		binary.LittleEndian.PutUint32(broken[at:], 1<<31)
		_, err := memprof.OpenRaw(broken, nil)
		if f := fault(t, err); f.Kind != model.KindTruncated || f.Field != "AccessHistogramSize" || f.Section != "MIBs" {
			t.Errorf("version %d: %+v", version, f)
		}
	}
}

// What is not as it seems is told once.
func TestFindingsOfRawProfiles(t *testing.T) {
	deep := make([]uint64, 40)
	for i := range deep {
		deep[i] = 0x2000 + uint64(i)
	}
	build := func(version uint64, stacks ...[]uint64) []byte {
		r := recorded{version: version, stacks: map[uint64][]uint64{}}
		for i, s := range stacks {
			id := uint64(i + 5)
			r.mibs = append(r.mibs, recordedMIB{id: id, fields: object(1, 1, 2)})
			r.stacks[id] = s
		}
		return r.build()
	}
	for name, test := range map[string]struct {
		data []byte
		code string
	}{
		"nothing but addresses": {build(3, []uint64{0x2000}), ""},
		"version 1":             {build(1, []uint64{0x2000}), "memprof.v1_maximum"},
		"deep stacks":           {build(3, deep, append([]uint64{1}, deep[1:]...)), "memprof.truncated_stacks"},
		"one deep stack":        {build(3, deep, []uint64{1}), ""},
		"two profiles": {
			slices.Concat(build(3, []uint64{0x2000}), build(3, []uint64{0x2000})), "memprof.several_dumps",
		},
		"a stack of nothing": {build(3, []uint64{0x2000}, nil), "memprof.no_stack"},
	} {
		p := raw(t, test.data)
		var codes []string
		for _, f := range p.Findings {
			if f.Code != "memprof.unsymbolized" {
				codes = append(codes, f.Code)
			}
			if f.Message == "" {
				t.Errorf("%s: %+v", name, f)
			}
			marked := slices.DeleteFunc(slices.Clone(p.Contexts), func(c memprof.Context) bool { return !c.Truncated })
			if f.Code == "memprof.truncated_stacks" && (f.Count != uint64(len(marked)) || len(marked) != 2) {
				t.Errorf("%s: counts %d, %d contexts are marked", name, f.Count, len(marked))
			}
		}
		if strings.Join(codes, " ") != test.code {
			t.Errorf("%s: %v", name, codes)
		}
	}
}
