package dcpi_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
)

// later is a profile of a version whose samples nobody reads, with a mask and a
// word of its own in the header.
func later(name string) format.File {
	b := built{lines: with(headLines, "version pdb-1.01", "cpuamask 303", "cpuimplv 2", "counters m0 m1")}
	return format.File{Name: name, Data: append([]byte(b.head()), "what no description tells"...)}
}

// The anatomy of a profile of version 1 has its header in full, its samples as
// bytes, and says what can be known and what cannot, beside the fault.
func TestAnatomyOfVersion1(t *testing.T) {
	f := later("app.prof")
	a := decode.Inspect(f)
	if len(a.Sections) != 2 {
		t.Fatalf("%+v", a.Sections)
	}
	header, samples := a.Sections[0], a.Sections[1]
	meanings := map[string]string{}
	for _, field := range header.Fields {
		meanings[field.Name] = field.Meaning
	}
	for key, part := range map[string]string{
		"version": "never published", "epoch": "1996-12-04T23:34:00Z",
		"cpuamask": "BWX: byte and word loads and stores, FIX: square root and moves between registers, MVI: multimedia, " +
			"precise traps",
		"cpuimplv": "EV6 (21264)", "counters": "not a known keyword", "samples": "ends the header",
	} {
		if !strings.Contains(meanings[key], part) {
			t.Errorf("%s is said to be %q", key, meanings[key])
		}
	}
	want := model.Section{
		Name: "samples", Offset: header.Size, Size: 25,
		Note: "not read: the layout was never published; at a 32-bit boundary",
	}
	if diff := cmp.Diff(want, samples); diff != "" || header.Offset != 0 ||
		header.Note != "a multiple of 4, as the format recommends for speed" {
		t.Errorf("%s\n%q", diff, header.Note)
	}
	var codes []string
	for _, finding := range a.Findings {
		codes = append(codes, finding.Code)
	}
	if diff := cmp.Diff([]string{"dcpi.header_read", "dcpi.samples_unread", "dcpi.unsupported_version"},
		codes); diff != "" {
		t.Error(diff)
	}
	for i, part := range []string{
		"event cycles, a sample every 63488 events, image 19970328c0c18b, host walnut, epoch from 1996-12-04T23:34:00Z, " +
			"text from 0x120000000, tsize 8192, cpuspeed 333",
		"they are the 25 bytes from offset 0x",
		"the samples of version 1 cannot be read",
	} {
		if !strings.Contains(a.Findings[i].Message, part) {
			t.Errorf("%q is not in %q", part, a.Findings[i].Message)
		}
	}
}

// A header of a later version may lack what version 0 requires, or be cut: what
// there is is told.
func TestIncompleteHeadersOfVersion1(t *testing.T) {
	for name, test := range map[string]struct {
		lines []string
		part  string
	}{
		"without lines":      {with(headLines, "version pdb-2.0", "event", "tstart"), "it has no line event, tstart"},
		"an impossible time": {with(headLines, "version 1.01", "epoch soon"), "epoch from soon"},
		"a long value": {
			with(headLines, "version 1.01", "platform "+strings.Repeat("x", 5000)), "host " + strings.Repeat("x", 200) + ",",
		},
	} {
		a := decode.Inspect(format.File{Name: "x.prof", Data: []byte(built{lines: test.lines}.head())})
		if len(a.Findings) != 3 || !strings.Contains(a.Findings[0].Message, test.part) ||
			!strings.Contains(a.Findings[1].Message, "they are the 0 bytes") {
			t.Errorf("%s: %+v", name, a.Findings)
		}
	}
}

// In a database a profile of version 1 is left out, and its header told; alone,
// or among its like, it is refused.
func TestVersion1InADatabase(t *testing.T) {
	p := open(t, later("new.prof"), sampled("old.prof", "path /usr/bin/app"))
	if len(p.DCPI.Files) != 1 || len(p.Inputs) != 2 || p.Profile.Info.Describe != "DCPI samples 0.07" ||
		!strings.HasPrefix(p.Inputs[0].Info.Describe, "DCPI profile 1.01, cycles") {
		t.Errorf("%d files, %+v", len(p.DCPI.Files), p.Inputs)
	}
	found := p.Findings()
	if len(found) != 2 || found[0].Severity != model.Warning || found[0].Code != "dcpi.unsupported_version" ||
		found[0].File != "new.prof" || found[0].Found != "pdb-1.01" ||
		!strings.HasPrefix(found[0].Message, "left out: the samples of version 1 cannot be read") ||
		found[1].Severity != model.Note || found[1].File != "new.prof" ||
		!strings.HasPrefix(found[1].Message,
			"known from the header: event cycles, a sample every 63488 events, image 19970328c0c18b") {
		t.Errorf("%+v", found)
	}
	for _, files := range [][]format.File{{later("a")}, {later("a"), later("b")}, {later("a"), listing("app.nm", here)}} {
		_, err := decodetest.Open(context.Background(), files, format.Options{})
		if f := fault(t, files[0].Data, err); f.Kind != model.KindUnsupportedVersion || f.File != "a" {
			t.Errorf("%+v", f)
		}
	}
}

// That a header is not as long as is advised is a note, one for all profiles.
func TestUnalignedHeaders(t *testing.T) {
	short := func(name string, blanks int) format.File {
		b := built{lines: headLines}
		head := strings.TrimRight(b.head(), " \n")
		head += strings.Repeat(" ", (3-len(head)%4+4-blanks)%4) + "\n"
		return format.File{Name: name, Data: append([]byte(head), b.bytes()[len(b.head()):]...)}
	}
	for blanks, note := range map[int]string{
		0: "a multiple of 4, as the format recommends for speed",
		1: "1 byte short of a multiple of 4, which the format recommends for speed only",
		3: "3 bytes short of a multiple of 4, which the format recommends for speed only",
	} {
		a := decode.Inspect(short("x.prof", blanks))
		if a.Sections[0].Note != note || len(a.Findings) != min(blanks, 1) {
			t.Errorf("%d: %q, %+v", blanks, a.Sections[0].Note, a.Findings)
		}
	}
	found := open(t, short("a.prof", 2), short("b.prof", 0), short("c.prof", 1)).Findings()
	if len(found) != 1 || found[0].Code != "dcpi.unaligned_header" || found[0].Severity != model.Note ||
		found[0].File != "a.prof" || found[0].Count != 2 ||
		!strings.HasPrefix(found[0].Message, "of 3 profiles, 2 have a header whose length is not a multiple of 4 bytes") {
		t.Errorf("%+v", found)
	}
}

// A profile is said to be of the versions that its headers name, and of none when
// they name none.
func TestVersionsOfADatabase(t *testing.T) {
	six, none := sampled("6.prof", "version 0.06"), sampled("none.prof", "version")
	for want, files := range map[string][]format.File{
		"DCPI samples 0.07":                              {sampled("7.prof")},
		"DCPI samples 0.06":                              {six, sampled("again.prof", "version pdb-0.06")},
		"DCPI samples 0.07 and 0.06":                     {sampled("7.prof"), six},
		"DCPI samples, no version line":                  {none},
		"DCPI samples 0.06, some without a version line": {none, six},
		"dcpicat text":                                   {{Name: "dump", Data: read(t, "testdata/cat/dump0.txt")}, six},
	} {
		p := open(t, files...)
		if p.Profile.Info.Describe != want {
			t.Errorf("%q, want %q", p.Profile.Info.Describe, want)
		}
	}
	if p := open(t, none); p.Inputs[0].Info.Describe != "DCPI samples, no version line" {
		t.Errorf("%+v", p.Inputs)
	}
}
