package dcpi_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/dcpi"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
)

// sampled is a file of one chunk with such a header.
func sampled(name string, lines ...string) format.File {
	b := built{lines: with(headLines, lines...), chunks: []builtChunk{{offset: 16, counts: []uint32{1}}}}
	return format.File{Name: name, Data: b.bytes()}
}

func listing(name, text string) format.File { return format.File{Name: name, Data: []byte(text)} }

func open(t *testing.T, files ...format.File) *decodetest.Profile {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Profiles are of one image when id, start and size agree; case aside, and
// whatever their paths are.
func TestImagesAreToldApart(t *testing.T) {
	p := open(t,
		sampled("a.prof", "path /usr/bin/app"),
		sampled("b.prof", "image 19970328C0C18B", "path /mnt/usr/bin/app", "platform pecan"),
		sampled("c.prof", "event imiss", "path /usr/bin/app"),
		sampled("d.prof", "image 12"), sampled("e.prof", "tstart 130000000"), sampled("f.prof", "tsize 4096"),
		sampled("g.prof", "tstart", "label without a start"), sampled("h.prof", "tstart 0"))
	var of []int
	for profile := range p.DCPI.Profiles() {
		of = append(of, profile.ImageIndex)
	}
	if diff := cmp.Diff([]int{0, 0, 0, 1, 2, 3, 4, 5}, of); diff != "" {
		t.Error(diff)
	}
	first := p.DCPI.Images[0]
	if diff := cmp.Diff(dcpi.Image{ID: "19970328c0c18b", Label: "app", Paths: []string{"/usr/bin/app", "/mnt/usr/bin/app"},
		TextStart: 0x120000000, HasTextStart: true, TextSize: 8192, Base: 0x120000000, Listing: -1}, first); diff != "" {
		t.Error(diff)
	}
}

// A label for people comes of the path, else of the file's name without what its
// header says too, else it is the id.
func TestLabelsOfImages(t *testing.T) {
	for name, test := range map[string]struct {
		file  format.File
		label string
	}{
		"a path":                  {sampled("x_19970328c0c18b_cycles", "path /usr/bin/app"), "app"},
		"a path of NT":            {sampled("x", `path C:\Program Files\app.exe`), "app.exe"},
		"a folder":                {sampled("x", "path /usr/bin/app/"), "app"},
		"name, id and event":      {sampled("db/pecan/app_19970328c0c18b_cycles"), "app"},
		"name and another id":     {sampled("app.660b03cd5eed_8192.prof"), "app"},
		"name and host":           {sampled("lib_c.so_walnut"), "lib_c.so"},
		"a name of words":         {sampled("my_great_app.prof"), "my_great_app"},
		"words of hex digits":     {sampled("face_feed.prof"), "face_feed"},
		"an id alone":             {sampled("19970328c0c18b.prof"), "19970328c0c18b"},
		"a name that is an event": {sampled("_cycles"), "_cycles"},
	} {
		if got := open(t, test.file).DCPI.Images[0].Label; got != test.label {
			t.Errorf("%s: %q, want %q", name, got, test.label)
		}
	}
	text := string(read(t, "testdata/cat/dump1.txt"))
	for _, test := range []struct{ without, label string }{
		{"", "xapp"}, {"path", "xapp"}, {"name", "xapp"}, {"path name", "19970328081403c0c18b"},
	} {
		var kept []string
		for line := range strings.Lines(text) {
			if key, _, _ := strings.Cut(line, " "); !strings.Contains(test.without, key) || key == "" {
				kept = append(kept, line)
			}
		}
		if got := open(t, listing("dump.txt", strings.Join(kept, ""))).DCPI.Images[0].Label; got != test.label {
			t.Errorf("without %q: %q", test.without, got)
		}
	}
}

const (
	here  = "0000000120000000 0000000000000020 T main\n"
	there = "0000000140000000 0000000000000020 T other\n"
	bare  = "0000000120000000 T main\n"
)

// An image takes its names of the listing that is called like it, else of the one
// that lies in its text alone, else of the only one; what is of no use is told.
func TestListingsFindTheirImages(t *testing.T) {
	app, lib := sampled("1", "path /app", "image 1"), sampled("2", "path /lib", "image 2", "tstart 140000000")
	for name, test := range map[string]struct {
		files []format.File
		of    []int // the listing of each image
		codes string
	}{
		"by name": {
			[]format.File{app, lib, listing("app.nm", here), listing("lib.nm", there)}, []int{0, 1}, "",
		},
		"by name, elsewhere": {[]format.File{app, lib, listing("app.nm", there)}, []int{0, -1}, "dcpi.symbols_elsewhere"},
		"by address":         {[]format.File{app, lib, listing("x.nm", there)}, []int{-1, 0}, ""},
		"one of one":         {[]format.File{app, listing("x.nm", there)}, []int{0}, "dcpi.symbols_elsewhere"},
		"of none": {
			[]format.File{app, lib, listing("x.nm", "0000000000001000 T main\n")}, []int{-1, -1}, "dcpi.listing_unmatched",
		},
		"with sizes and without": {
			[]format.File{app, listing("app.nm", bare), listing("app.nmS", here)}, []int{1}, "dcpi.listing_unmatched",
		},
		"the first of equals": {
			[]format.File{app, listing("app.nm", bare), listing("app.map", bare)}, []int{0}, "dcpi.listing_unmatched",
		},
		"stripped": {
			[]format.File{app, {Name: "app", Data: read(t, "../symbol/testdata/symbols/stripped.elf")}}, []int{-1},
			"dcpi.listing_unmatched",
		},
		"of data alone": {
			[]format.File{app, listing("app.nm", "0000000120002000 D table\n")}, []int{-1}, "dcpi.listing_unmatched",
		},
		"of a folder of NT": {
			[]format.File{app, lib, listing(`C:\db\app.sym`, "0000000000001000 T main\n")}, []int{0, -1},
			"dcpi.symbols_elsewhere",
		},
	} {
		p := open(t, test.files...)
		var of []int
		for _, image := range p.DCPI.Images {
			of = append(of, image.Listing)
		}
		var codes []string
		for _, f := range p.Findings() {
			codes = append(codes, f.Code)
			if f.Message == "" || f.Cause == "" || f.Remedy == "" || f.File == "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
		if diff := cmp.Diff(test.of, of); diff != "" || strings.Join(codes, " ") != test.codes {
			t.Errorf("%s: %s, findings %v", name, diff, codes)
		}
	}
}

// A listing that stands elsewhere comes with what its symbols must be moved by;
// where the header has no start, the lowest symbol is it.
func TestWhereListingsStand(t *testing.T) {
	for text, shift := range map[string]string{
		there: "shift=-0x20000000", "0000000000001000 T main\n": "shift=0x11ffff000",
	} {
		p := open(t, sampled("app.prof"), listing("app.nm", text))
		f := p.Findings()
		if len(f) != 1 || !strings.HasSuffix(f[0].Remedy, shift) || f[0].Expected != "symbols from 0x120000000 on" ||
			f[0].File != "app.nm" {
			t.Errorf("%+v; want %s", f, shift)
		}
	}
	p := open(t, sampled("app.prof", "tstart"), listing("app.nm", "0000000000001010 T b\n0000000000001000 T a\n"))
	if image := p.DCPI.Images[0]; image.Base != 0x1000 || image.TextStart != 0 || image.HasTextStart {
		t.Errorf("%+v", image)
	}
	if l := p.DCPI.Listings[0]; len(l.Procedures) != 2 || l.Procedures[0].Name != "a" ||
		l.Procedures[1].Address != 0x1010 {
		t.Errorf("%+v", l)
	}
}

// An executable is worth more than any listing, and its text must be as long as
// the profile's.
func TestExecutablesNameProcedures(t *testing.T) {
	const program = "../symbol/testdata/symbols/program.elf"
	elf := format.File{Name: "program.elf", Data: read(t, program)}
	p := open(t, sampled("program.elf_12_cycles", "image 12", "tstart 201120", "tsize 100"),
		listing("program.elf.nm", "0000000000201120 0000000000000020 T main\n"), elf)
	image := p.DCPI.Images[0]
	if image.Listing != 1 || p.DCPI.Listings[1].TextSize == 0 || len(p.DCPI.Listings[1].Procedures) != 4 {
		t.Fatalf("%+v, %+v", image, p.DCPI.Listings)
	}
	codes := map[string]bool{}
	for _, f := range p.Findings() {
		codes[f.Code] = true
	}
	if !codes["dcpi.text_size_differs"] || !codes["dcpi.listing_unmatched"] {
		t.Errorf("%v", p.Findings())
	}
	again := open(t, sampled("program.elf_12_cycles", "image 12", "tstart"), elf)
	if l := again.DCPI.Listings[0]; again.DCPI.Images[0].Base != l.TextStart || l.TextStart == 0 {
		t.Errorf("%+v", again.DCPI.Images[0])
	}
}

func TestImagesKeepFewPaths(t *testing.T) {
	image := dcpi.Image{}
	for i := range 100 {
		image.AddPaths([]string{strings.Repeat("x", i%80), "again"})
	}
	if len(image.Paths) != 64 {
		t.Errorf("%d paths", len(image.Paths))
	}
}

// What a file is, is told by its content; a damaged one of the name still by the
// reader that knows the format.
func TestRecognisedByTheSuite(t *testing.T) {
	for name, test := range map[string]struct {
		file     format.File
		describe string
		kind     model.Kind // of opening it
	}{
		"a profile":         {sampled("x"), "DCPI profile 0.07, cycles, walnut, 1996-12-04T23:34:00Z", ""},
		"a dump":            {listing("x", string(read(t, "testdata/cat/dump0.txt"))), "dcpicat text", ""},
		"a listing":         {listing("app.nm", here), "a listing of symbols by nm", model.KindUnrecognizedFormat},
		"nothing, by name":  {listing("x.prof", ""), "DCPI profile", model.KindTruncated},
		"anything, by name": {listing("x.prof", "\x01\x02\x03\x04\x05\x06\x07\x08"), "DCPI profile", dcpi.KindNotDCPI},
		"a damaged header": {
			listing("x", "image 12\nepoch 9612042334\n"), "DCPI profile, 1996-12-04T23:34:00Z", dcpi.KindMissingTerminator,
		},
	} {
		is := decode.Recognise(test.file.Name, test.file.Data)
		if is.Describe != test.describe && test.kind != dcpi.KindMissingTerminator {
			t.Errorf("%s: %q", name, is.Describe)
		}
		_, err := decodetest.Open(t.Context(), []format.File{test.file}, format.Options{})
		if (err == nil) != (test.kind == "") || err != nil && model.KindOf(err) != test.kind {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err == nil {
			continue
		}
		if f := format.FindingOf("", err); f.File != test.file.Name || f.Remedy == "" {
			t.Errorf("%s: %+v", name, f)
		}
		if a := decode.Inspect(test.file); len(a.Findings) != 1 || a.Findings[0].Kind != test.kind {
			t.Errorf("%s: its anatomy says %+v", name, a.Findings)
		}
	}
}
