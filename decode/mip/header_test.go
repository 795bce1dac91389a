package mip_test

import (
	"bytes"
	"strings"
	"testing"

	"proflens/decode/mip"
	"proflens/decode/model"
)

// Each fault of a header says in which field it is, what was expected and what
// stands there.
func TestHeaderFaults(t *testing.T) {
	whole := file(t, "variants/documented.mip").Data
	for _, test := range []struct {
		name            string
		at              int
		bytes           string
		kind            model.Kind
		field           string
		offset          uint64
		expected, found string
	}{
		{"another magic", 0, "MIP\xfb", model.KindBadMagic, "Magic", 0, "fb 4d 49 50", "4d 49 50 fb"},
		{"big-endian", 0, "PIM\xfb", model.KindBadMagic, "Magic", 0, "fb 4d 49 50", "50 49 4d fb"},
		{"version 0", 4, "\x00\x00", model.KindUnsupportedVersion, "Version", 4, "8", "0"},
		{"version 9", 4, "\x09\x00", model.KindUnsupportedVersion, "Version", 4, "8", "9"},
		{"version 8, big-endian", 4, "\x00\x08", model.KindUnsupportedVersion, "Version", 4, "8", "2048"},
		{"the header of before", 28, "\x18\x00\x00\x00", model.KindUnsupportedVersion, "OffsetToData", 28, "32", "24"},
		{"data in the header", 28, "\x1f\x00\x00\x00", model.KindBadHeader, "OffsetToData", 28, "at least 32", "31"},
		{"data past the end", 28, "\xff\xff\xff\xff", model.KindTruncated, "OffsetToData", 28, "at most 945", "4294967295"},
		{
			"no file type", 6, "\x00\x00", model.KindBadHeader, "FileType", 6,
			"one of Raw (1), Ret (2), Map (4) and Profile (8), and a width", "0x0",
		},
		{
			"two file types", 6, "\x0c\x00", model.KindBadHeader, "FileType", 6,
			"one of Raw (1), Ret (2), Map (4) and Profile (8), and a width", "0xc",
		},
		{
			"an unknown file type", 6, "\x48\x00", model.KindBadHeader, "FileType", 6,
			"one of Raw (1), Ret (2), Map (4) and Profile (8), and a width", "0x48",
		},
		{"two widths", 6, "\x38\x00", model.KindBadHeader, "FileType", 6, "one width", "0x38"},
		{
			"samples of calls", 6, "\x02\x00", model.KindUnsupportedFeature, "FileType", 6, "",
			"Ret, Function Coverage, Block Coverage",
		},
		{
			"no profile type", 8, "\x00\x00\x00\x00", model.KindBadHeader, "ProfileType", 8, "bits of 0x1f, one at least", "0x0",
		},
		{
			"coverage and counts", 8, "\x0d\x00\x00\x00", model.KindBadHeader, "ProfileType", 8,
			"either function coverage, or timestamps and call counts", "0xd",
		},
		{
			"an unknown profile type", 8, "\x21\x00\x00\x00", model.KindBadHeader, "ProfileType", 8,
			"bits of 0x1f, one at least", "0x21",
		},
		{"a map", 6, "\x04\x00", model.KindBadHeader, "FileType", 6, "Profile", "Map"},
	} {
		data := bytes.Clone(whole)
		copy(data[test.at:], test.bytes)
		_, err := mip.OpenProfile(data, nil)
		if err == nil {
			t.Errorf("%s: taken", test.name)
			continue
		}
		if f := faultOf(t, err); f.Kind != test.kind || f.Section != "header" || f.Field != test.field ||
			f.Offset != test.offset || f.Expected != test.expected || f.Found != test.found {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// What a file is called binds, whatever it holds.
func TestPeek(t *testing.T) {
	profile := file(t, "variants/documented.mip").Data
	for _, test := range []struct {
		name     string
		data     []byte
		format   model.Format
		describe string
		kind     model.Kind
	}{
		{"x.mip", profile, mip.FormatProfile, "MIP profile v8, function coverage, block coverage, module 0x5f0e6e79", ""},
		{"x", profile, mip.FormatProfile, "MIP profile v8", ""},
		{"x.MIPMAP", profile, mip.FormatProfile, "MIP profile v8", model.KindBadHeader},
		{
			"x.mipraw", head(mip.FileRaw|mip.File32, coverage), mip.FormatRaw,
			"MIP raw v8, 32-bit, function coverage, block coverage, module 0x1f2e3d4c", "",
		},
		{
			"x", head(mip.FileMap|mip.File64, counting), mip.FormatMap,
			"MIP map v8, 64-bit, block coverage, function timestamp, function call count", "",
		},
		{
			"x.mipret", head(mip.FileRet, mip.ReturnAddress), mip.FormatProfile, "MIP call edge samples v8, return address",
			model.KindUnsupportedFeature,
		},
		{"x.mipraw", nil, mip.FormatRaw, "MIP raw v0", model.KindTruncated},
		{"x.mipmap", []byte("anything"), mip.FormatMap, "MIP map v0", model.KindBadMagic},
		{"x.mip", profile[:31], mip.FormatProfile, "MIP profile v8", model.KindTruncated},
	} {
		h, info, err := mip.Peek(test.name, test.data)
		if (err == nil) != (test.kind == "") || err != nil && model.KindOf(err) != test.kind || h == nil {
			t.Errorf("%s: %v, want %s", test.describe, err, test.kind)
		}
		if info.Format != test.format || !strings.HasPrefix(info.Describe, test.describe) || info.Families[0] != mip.Family {
			t.Errorf("%+v; want %s, %s", info, test.format, test.describe)
		}
	}
	for name, want := range map[string]mip.FileType{
		"a.mip": mip.FileProfile, "A.MipMap": mip.FileMap, "dir.mip/a.mipraw": mip.FileRaw, "a.mipret": mip.FileRet,
		"a.mip.gz": 0, "mip": 0, ".mip": mip.FileProfile, "": 0,
	} {
		if got := mip.KindOfName(name); got != want {
			t.Errorf("%q is %v", name, got.Words())
		}
	}
}

// Files of one program have one key: those whose link unit, profile type and width
// are the same, whatever kind they are.
func TestProgramKeys(t *testing.T) {
	key := func(file mip.FileType, profile mip.ProfileType, hash byte) string {
		b := head(file, profile)
		b[12] = hash
		h, _, err := mip.Peek("", b)
		if err != nil {
			t.Fatal(err)
		}
		return mip.ProgramKey(h)
	}
	of := key(mip.FileMap|mip.File64, coverage, 1)
	if key(mip.FileRaw|mip.File64, coverage, 1) != of {
		t.Error("map and run of one program differ")
	}
	for _, other := range []string{
		key(mip.FileRaw|mip.File32, coverage, 1), key(mip.FileRaw|mip.File64, counting, 1),
		key(mip.FileRaw|mip.File64, coverage, 2),
	} {
		if other == of {
			t.Errorf("%s is of two programs", of)
		}
	}
}

func TestBits(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 200} {
		b := mip.NewBits(n)
		for i := 0; i < n; i += 3 {
			b.Set(i)
		}
		for i := range n {
			if b.Has(i) != (i%3 == 0) {
				t.Errorf("%d of %d: %v", i, n, b.Has(i))
			}
		}
	}
}
