package decode_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
)

// together are these files of testdata, as one upload has them.
func together(t *testing.T, paths ...string) (files []format.File) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: filepath.Base(path), Data: data, Optional: true})
	}
	return files
}

// A damaged Machine IR Profile or DCPI profile leaves the good one beside it, wherever it
// stands, and is named; those that nothing whole stands beside keep their own fault.
func TestADamagedProfileLeavesTheOthers(t *testing.T) {
	const small, bad, samples = "mip/testdata/counts/small", "mip/testdata/bad/", "dcpi/testdata/bad/"
	day := "dcpi/testdata/db/9711040900/walnut/"
	list, err := filepath.Glob(day + "app_*s")
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, test := range []struct {
		good []string
		with string
		says string
	}{
		{[]string{small + ".mip"}, bad + "cut_0249.mip", "left out: the names are longer than the rest"},
		{[]string{small + ".mip"}, bad + "text.mip", "left out: "},
		{[]string{small + ".mip"}, bad + "version_9.mip", "left out: "},
		{[]string{small + ".mip"}, bad + "pair_raw_header_only/x.mipraw",
			"left out: the run is not of the program of small.mip"},
		{[]string{small + ".mipmap", small + ".mipraw"}, bad + "cut_header_12.mip", "left out: "},
		{[]string{small + ".mipmap", small + ".mipraw"}, bad + "name_ffffffff.mipmap", "left out: "},
		{[]string{small + ".mip"}, bad + "pair_not_raw/x.mipraw", "left out: "},
		{list[:1], samples + "cut_body_004.prof", "left out: "},
		{list[:1], samples + "cut_after_line_03.prof", "left out: "},
		{list[:1], samples + "chunk_ffffffff.prof", "left out: "},
		{append(list[:1:1], "dcpi/testdata/db/app.nm"), samples + "big_endian.prof", "left out: "},
	} {
		alone, err := decode.Open(t.Context(), together(t, test.good...), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range [][]string{append(slices.Clip(test.good), test.with),
			append([]string{test.with}, test.good...)} {
			p, err := decode.Open(t.Context(), together(t, order...), format.Options{})
			if err != nil {
				t.Errorf("%v: %v", order, err)
				continue
			}
			found := slices.IndexFunc(p.Findings(),
				func(f model.Finding) bool { return f.File == filepath.Base(test.with) })
			if found < 0 || !strings.HasPrefix(p.Findings()[found].Message, test.says) ||
				p.Findings()[found].Severity != model.Warning {
				t.Errorf("%v: %+v", order, p.Findings())
			}
			if len(p.Inputs) != len(order) || p.Info.Describe != alone.Info.Describe ||
				recordsOf(p) != recordsOf(alone) {
				t.Errorf("%v: %d inputs, %s, %d records, alone %d", order, len(p.Inputs), p.Info.Describe,
					recordsOf(p), recordsOf(alone))
			}
		}
	}
	for _, test := range []struct{ first, second, names string }{
		{bad + "cut_0249.mip", small + ".mipraw", "cut_0249.mip"}, // its functions are what the map says
		{small + ".mipmap", bad + "pair_raw_header_only/x.mipraw", "x.mipraw"},
		{bad + "text.mip", bad + "cut_0249.mip", "text.mip"},
		{samples + "cut_body_004.prof", samples + "big_endian.prof", "cut_body_004.prof"},
	} {
		if _, err := decode.Open(t.Context(), together(t, test.first, test.second), format.Options{}); err == nil ||
			format.FindingOf("", err).File != test.names {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// recordsOf is how many functions or samples a profile has.
func recordsOf(p *format.Profile) int {
	if m, ok := format.PartOf[*mip.Profile](p); ok {
		return len(m.Functions) + len(m.Runs)
	}
	db, _ := format.PartOf[*dcpi.Database](p)
	return len(db.Files)
}
