package mip_test

import (
	"bytes"
	"slices"
	"testing"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// A profile that was cut anywhere is refused, and the fault lies in what is left;
// unless what is left happens to be one of another layout, whose names then explain
// nothing.
func TestCutProfilesAreRefused(t *testing.T) {
	for _, name := range []string{
		"hand/two_cntblk.mip", "hand/two_cntblk.tool.mip", "variants/documented-count.mip", "variants/tool64-length.mip",
	} {
		data := file(t, name).Data
		whole, err := mip.OpenProfile(data, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		for n := range data {
			m, err := mip.OpenProfile(data[:n:n], nil)
			if err == nil {
				if m.Layout == whole.Layout || !slices.Contains(m.Warnings, mip.UnnamedFunctions) {
					t.Errorf("%s: %d of %d bytes are taken, as %s with %v", name, n, len(data), m.Layout, m.Warnings)
				}
				continue
			}
			if f := faultOf(t, err); f.Offset > uint64(n) {
				t.Errorf("%s, %d bytes: %+v", name, n, f)
			}
		}
	}
}

// Nothing says how many records a map has: cut between two it is a shorter map, and
// anywhere else refused.
func TestCutMaps(t *testing.T) {
	for _, name := range []string{"hand/two_cntblk.mipmap", "hand/two_32.mipmap", "merged/coverage.mipmap"} {
		data := file(t, name).Data
		whole, err := mip.OpenMap(data, 0, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		ends := map[int]int{32: 0} // of records, with those before
		for i := range whole.Functions {
			f := &whole.Functions[i]
			ends[int(f.RecordOffset)+2*whole.RecordWidth/8+16+4*len(f.Blocks)+len(f.Name)] = i + 1
		}
		for n := range data {
			m, err := mip.OpenMap(data[:n:n], 0, nil)
			if err != nil {
				if f := faultOf(t, err); f.Offset > uint64(n) {
					t.Errorf("%s, %d bytes: %+v", name, n, f)
				}
				if _, whole := ends[n]; whole {
					t.Errorf("%s: whole records, %d bytes of them, are refused: %v", name, n, err)
				}
				continue
			}
			last := 0
			for end, functions := range ends {
				if end <= n {
					last = max(last, functions)
				}
			}
			if len(m.Functions) != last {
				t.Errorf("%s: %d functions in %d bytes, which has %d", name, len(m.Functions), n, last)
			}
		}
	}
}

// Every byte of every kind of file is tried: what is taken holds together, and what
// is not has a fault in the file.
func TestDamagedFilesHold(t *testing.T) {
	sets := [][]format.File{
		{file(t, "hand/two_cntblk.mip")}, {file(t, "hand/two_covblk.tool.mip")},
		{file(t, "hand/two_32.mipmap"), file(t, "hand/two_32.mipraw")},
		{file(t, "hand/two_cntblk.mipmap"), file(t, "hand/two_cntblk.mipraw")},
	}
	for _, s := range everyType() {
		sets = append(sets, s.files())
	}
	for _, files := range sets {
		for i := range files {
			whole := files[i].Data
			for n := range whole {
				for _, flip := range []byte{1 << (n % 8), 0xff} {
					files[i].Data = bytes.Clone(whole)
					files[i].Data[n] ^= flip
					checkMIP(t, files...)
				}
			}
			files[i].Data = whole
		}
	}
}

// A count is held against the bytes that there are, before anything is made for it.
func TestCountsPastTheFile(t *testing.T) {
	profile, tool, records := file(t, "hand/two_cntblk.mip").Data, file(t, "hand/two_cntblk.tool.mip").Data,
		file(t, "hand/two_cntblk.mipmap").Data
	change := func(data []byte, at int, with ...byte) []byte {
		data = bytes.Clone(data)
		copy(data[at:], with)
		return data
	}
	most := bytes.Repeat([]byte{0xff}, 8)
	openMap := func(data []byte) error { _, err := mip.OpenMap(data, 0, &wire.Recorder{}); return err }
	openProfile := func(data []byte) error { _, err := mip.OpenProfile(data, &wire.Recorder{}); return err }
	for _, test := range []struct {
		name            string
		open            func([]byte) error
		data            []byte
		kind            model.Kind
		section, field  string
		offset          uint64
		expected, found string
	}{
		{
			"functions", openProfile, change(profile, 32, most...), model.KindCountTooLarge, "profile count", "ProfileCount",
			32, "at most 2", "18446744073709551615",
		},
		{
			"functions, halved", openProfile, change(profile, 39, 0x80), model.KindCountTooLarge, "profile count",
			"ProfileCount", 32, "at most 2", "9223372036854775810",
		},
		{
			"one function too many", openProfile, change(profile, 32, 3), model.KindTruncated, "profile count", "ProfileCount",
			32, "at most 2", "3",
		},
		{
			"blocks", openProfile, change(profile, 64, most[:4]...), model.KindCountTooLarge, "functions", "NonEntryBlockCount",
			64, "at most 18", "4294967295",
		},
		{
			"names", openProfile, change(profile, 164, most...), model.KindCountTooLarge, "names", "FunctionNamesLength", 164,
			"at most 11", "18446744073709551615",
		},
		{
			"one byte of names too many", openProfile, change(profile, 164, 12), model.KindCountTooLarge, "names",
			"FunctionNamesLength", 164, "at most 11", "12",
		},
		{
			"one byte of names too few", openProfile, change(profile, 164, 10), model.KindTrailingData, "names", "", 182,
			"the end of the file", "1 byte",
		},
		{
			"call edges", openProfile, change(profile, 93, 1), model.KindUnsupportedFeature, "functions", "CallEdgeCount", 93,
			"0", "1",
		},
		{
			"names by their number", openProfile, change(tool, len(tool)-19, 3), model.KindTruncated, "names", "FunctionNames",
			uint64(len(tool)), "a NUL", "",
		},
		{
			"blocks of a record", openMap, change(records, 0x38, most[:4]...), model.KindCountTooLarge, "functions",
			"NonEntryBlockCount", 0x38, "at most 16", "4294967295",
		},
		{
			"a name of a record", openMap, change(records, 0x40, most[:4]...), model.KindCountTooLarge, "functions",
			"FunctionNameLength", 0x40, "at most 60", "4294967295",
		},
		{
			"counters in the header", openMap, change(records, 0x20, 0xff, 0x2f), model.KindCorrupt, "functions",
			"RawProfilePCOffset", 0x20, "at least 32", "31",
		},
		{"padding", openMap, change(records, 0x4b, 1), model.KindCorrupt, "functions", "", 0x4b, "00", "01"},
		{
			"a second map", openMap, append(change(records, 0), records...), model.KindSecondHeader, "functions", "Magic", 0x80,
			"a function's record", "a header",
		},
	} {
		err := test.open(test.data)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		if f := faultOf(t, err); f.Kind != test.kind || f.Section != test.section || f.Field != test.field ||
			f.Offset != test.offset || f.Expected != test.expected || f.Found != test.found {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// What a map says of its section in a program is where it stands in the program.
func TestMapsHaveTheOffsetsOfTheirFile(t *testing.T) {
	records := file(t, "hand/two_cntblk.mipmap").Data
	m, err := mip.OpenMap(records, 0x1000, nil)
	if err != nil || m.Functions[1].RecordOffset != 0x50 {
		t.Fatalf("%+v, %v", m, err)
	}
	_, err = mip.OpenMap(records[:0x45], 0x1000, nil)
	if f := faultOf(t, err); f.Offset != 0x1040 {
		t.Errorf("%+v", f)
	}
}

// A run cannot be weighted, and damage of the only run is told as its own.
func TestOptionsOfFiles(t *testing.T) {
	mapFile, raw := file(t, "hand/two_cntblk.mipmap"), file(t, "hand/two_cntblk.mipraw")
	raw.Weight = 2
	_, err := decodetest.Open(t.Context(), []format.File{mapFile, raw}, format.Options{})
	if f := format.FindingOf("", err); f.Kind != model.KindIncompatible || f.File != raw.Name {
		t.Errorf("%+v", f)
	}
	raw.Weight = 1
	stranger := text("notes.zip", "PK\x03\x04abcdef")
	stranger.Optional = true
	p, err := decodetest.Open(t.Context(), []format.File{mapFile, raw, stranger, text("empty", "")},
		format.Options{Record: true})
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{}
	for _, f := range p.Findings() {
		codes[f.File] = f.Code
	}
	if codes["notes.zip"] != "input.left_out" || codes["empty"] != "raw.empty_raw_profile" || len(p.MIP.Runs) != 1 ||
		len(p.Inputs) != 4 {
		t.Errorf("%+v", p.Findings())
	}
}
