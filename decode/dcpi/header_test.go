package dcpi_test

import (
	"strings"
	"testing"

	"proflens/decode/dcpi"
	"proflens/decode/model"
)

// Each fault of a header says in which line it is.
func TestFaultsOfTheHeader(t *testing.T) {
	for _, test := range []struct {
		name            string
		lines           []string
		kind            model.Kind
		field           string
		line            string // where the fault is: that of a keyword, or the last; empty for the whole header
		expected, found string
	}{
		{
			"version 1", with(headLines, "version pdb-1.00"), model.KindUnsupportedVersion, "version", "version",
			"0.06 or 0.07", "pdb-1.00",
		},
		{
			"a version past 64 bits", with(headLines, "version 99999999999999999999.07"), model.KindUnsupportedVersion,
			"version", "version", "0.06 or 0.07", "99999999999999999999.07",
		},
		{
			"a version in words", with(headLines, "version seven"), dcpi.KindBadValue, "version", "version",
			"pdb-0.06 or pdb-0.07", `"seven"`,
		},
		{
			"a minor version past 64 bits", with(headLines, "version 0.99999999999999999999"), dcpi.KindBadValue, "version",
			"version", "pdb-0.06 or pdb-0.07", `"0.99999999999999999999"`,
		},
		{"no image", with(headLines, "image"), dcpi.KindMissingRequired, "image", "", "one", "none"},
		{"no epoch", with(headLines, "epoch"), dcpi.KindMissingRequired, "epoch", "", "one", "none"},
		{"no cpuspeed", with(headLines, "cpuspeed"), dcpi.KindMissingRequired, "cpuspeed", "", "one", "none"},
		{
			"an image in words", with(headLines, "image xyz"), dcpi.KindBadValue, "image", "image", "hexadecimal digits",
			`"xyz"`,
		},
		{
			"a negative period", with(headLines, "period -1"), dcpi.KindBadValue, "period", "period",
			"a decimal number below 2^64", `"-1"`,
		},
		{
			"a signed size", with(headLines, "tsize +8192"), dcpi.KindBadValue, "tsize", "tsize", "a decimal number below 2^64",
			`"+8192"`,
		},
		{
			"a period past 64 bits", with(headLines, "period 18446744073709551616"), dcpi.KindBadValue, "period", "period",
			"a decimal number below 2^64", `"18446744073709551616"`,
		},
		{
			"digits in groups", with(headLines, "period 63_488"), dcpi.KindBadValue, "period", "period",
			"a decimal number below 2^64", `"63_488"`,
		},
		{
			"a prefix of hexadecimal", with(headLines, "tstart 0x120000000"), dcpi.KindBadValue, "tstart", "tstart",
			"a hexadecimal number below 2^64", `"0x120000000"`,
		},
		{
			"a mask in words", with(headLines, "cpuamask many"), dcpi.KindBadValue, "cpuamask", "cpuamask",
			"a hexadecimal number below 2^64", `"many"`,
		},
		{
			"an image twice", append(with(headLines), "image 19970328c0c18b"), dcpi.KindDuplicateLine, "image", "last", "one",
			"another at 0x11",
		},
		{
			"a line without a value", append(with(headLines), "platform"), dcpi.KindHeaderSyntax, "", "last",
			"a keyword, blanks and a value", `"platform"`,
		},
		{
			"an indented line", append(with(headLines), " path /x"), dcpi.KindHeaderSyntax, "", "last",
			"a keyword, blanks and a value", `" path /x"`,
		},
		{
			"a line of bytes", append(with(headLines), "\x01\x00\x00\x00 \x02"), dcpi.KindMissingTerminator, "samples", "last",
			`a line "samples"`, `"\x01\x00\x00\x00 \x02"`,
		},
		{
			"unknown keywords alone", []string{"colour red", "shape round"}, dcpi.KindNotDCPI, "", "",
			"image, epoch, platform, event …", "",
		},
	} {
		b := built{lines: test.lines}
		at := uint64(0)
		switch head := b.head(); test.line {
		case "":
		case "last":
			at = uint64(strings.LastIndex(head, "\n"+test.lines[len(test.lines)-1]) + 1)
		default:
			at = uint64(strings.Index("\n"+head, "\n"+test.line))
		}
		f := refused(t, b.bytes())
		if f.Kind != test.kind || f.Section != "header" || f.Field != test.field || f.Offset != at ||
			f.Expected != test.expected || f.Found != test.found {
			t.Errorf("%s: %+v; want offset %d", test.name, f, at)
		}
	}
}

// A header that never ends is not read to the end of the file.
func TestHeadersWithoutAnEnd(t *testing.T) {
	for name, test := range map[string]struct {
		data string
		kind model.Kind
	}{
		"nothing":            {"", model.KindTruncated},
		"a single long line": {strings.Repeat("x", 100<<10), dcpi.KindNotDCPI},
		"a long line below": {
			"image 12\npath " + strings.Repeat("x", 100<<10) + "\nsamples\n", dcpi.KindMissingTerminator,
		},
		"more lines than there": {strings.Repeat("label a label of no use\n", 100<<10), dcpi.KindMissingTerminator},
		"lines without samples": {"image 12\nepoch 9612042334\n", dcpi.KindMissingTerminator},
		"another word":          {"image 12\nsamplesque\n", dcpi.KindHeaderSyntax},
	} {
		if f := refused(t, []byte(test.data)); f.Kind != test.kind {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Epochs come in three lengths; of two digits for a year those from 70 on are of
// the last century.
func TestEpochs(t *testing.T) {
	for epoch, want := range map[string]string{
		"9612042334": "1996-12-04T23:34:00Z", "7001010000": "1970-01-01T00:00:00Z", "6912312359": "2069-12-31T23:59:00Z",
		"0001010000":   "2000-01-01T00:00:00Z",
		"199805191724": "1998-05-19T17:24:00Z", "19980519172460": "1998-05-19T17:24:60Z",
		"00000101000000": "0000-01-01T00:00:00Z",
		"961204233":      "", "96120423345": "", "9613042334": "", "9600042334": "", "9612322334": "", "9612002334": "",
		"9612042434": "", "9612042360": "",
		"19980519172461": "", "961204233x": "", "-612042334": "", "1998-05-1917": "",
	} {
		f, err := dcpi.Open("x", built{lines: with(headLines, "epoch "+epoch)}.bytes(), nil)
		switch {
		case want == "" && (err == nil || model.KindOf(err) != dcpi.KindBadValue):
			t.Errorf("%s: %v", epoch, err)
		case want != "" && (err != nil || f.Profiles[0].Start != want || f.Profiles[0].Epoch != epoch):
			t.Errorf("%s: %+v, %v; want %s", epoch, f, err, want)
		}
	}
}

// What is odd about a header is told, and does not stand in the way.
func TestOddHeaders(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		codes string
	}{
		"all is there":    {headLines, ""},
		"no version":      {with(headLines, "version"), "dcpi.no_version_line"},
		"no start":        {with(headLines, "tstart"), "dcpi.no_tstart_line"},
		"another release": {with(headLines, "version pdb-0.08"), "dcpi.unlisted_minor_version"},
		"a bare version":  {with(headLines, "version 0.06"), ""},
		"periods":         {append(with(headLines), "period 1"), "dcpi.repeated_period"},
		"unknown twice":   {append(with(headLines), "label a", "label b"), ""},
		"several oddities": {
			append(with(headLines, "version", "tstart"), "period 1"),
			"dcpi.no_tstart_line dcpi.no_version_line dcpi.repeated_period",
		},
		"bytes, not UTF-8":   {append(with(headLines), "label \xff\xfe"), ""},
		"blanks of any kind": {with(headLines, "event \t cycles \t"), ""},
	} {
		f, err := dcpi.Open("x", built{lines: test.lines}.bytes(), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var codes []string
		for _, finding := range f.Findings {
			codes = append(codes, finding.Code)
		}
		p := &f.Profiles[0]
		if got := strings.Join(codes, " "); got != test.codes || p.Period != 63488 || p.Event != "cycles" {
			t.Errorf("%s: %q, period %d, event %q", name, got, p.Period, p.Event)
		}
		for _, l := range p.Lines { // as they stood, so that they can be written back
			if !strings.HasPrefix(string(l.Raw), l.Key) || !strings.HasSuffix(string(l.Raw), "\n") {
				t.Errorf("%s: line %+v", name, l)
			}
		}
	}
	f, err := dcpi.Open("x", built{lines: append(with(headLines), "label \xff\xfe")}.bytes(), nil)
	if err != nil || f.Profiles[0].Lines[9].Value != "\ufffd" {
		t.Errorf("%+v, %v", f, err)
	}
}

// A header of which something is wrong still says what the rest is.
func TestPeek(t *testing.T) {
	h, err := dcpi.Peek(built{lines: headLines}.bytes())
	if err != nil || h.Event != "cycles" || h.Start != "1996-12-04T23:34:00Z" || h.TextStart != 0x120000000 {
		t.Errorf("%+v, %v", h, err)
	}
	if h, err := dcpi.Peek([]byte("image 12\nepoch 9612042334\n")); model.KindOf(err) != dcpi.KindMissingTerminator ||
		len(h.Lines) != 2 {
		t.Errorf("%+v, %v", h, err)
	}
	for key, want := range map[string]string{
		"image": dcpi.Required, "tstart": dcpi.Required, "path": dcpi.Optional, "label": dcpi.Unknown, "": dcpi.Unknown,
	} {
		if got := dcpi.KindOfLine(key); got != want {
			t.Errorf("%q is %s", key, got)
		}
	}
}
