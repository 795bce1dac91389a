package encode

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// pprofOf writes a text profile for pprof and reads it back.
func pprofOf(t *testing.T, text string) (*profile.Profile, []string) {
	t.Helper()
	var b bytes.Buffer
	findings, err := Pprof(t.Context(), &b, textSource(t, []byte(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, f := range findings {
		codes = append(codes, f.Code)
	}
	return p, codes
}

// typesOf are the names of a profile's values.
func typesOf(p *profile.Profile) string {
	var words []string
	for _, t := range p.SampleType {
		words = append(words, t.Type+"/"+t.Unit)
	}
	return strings.Join(words, " ")
}

func TestPprofOfEntryCounts(t *testing.T) {
	p, codes := pprofOf(t, ":fe\na.cpp:_ZN3app3runEi\n7\n3\n5\n90\n0\n\nmain\n1\n1\n18446744073709551613\n\npseudo\n9\n1\n18446744073709551615\n")
	if typesOf(p) != "entry/count total/count max/count" || p.DefaultSampleType != "entry" {
		t.Errorf("types are %s, the default %s", typesOf(p), p.DefaultSampleType)
	}
	if len(p.Sample) != 2 || !slices.Equal(codes, []string{"pprof.clamped", "pprof.pseudo"}) {
		t.Fatalf("%d samples, findings %v", len(p.Sample), codes)
	}
	run := p.Sample[0]
	f := run.Location[0].Line[0].Function
	if !slices.Equal(run.Value, []int64{5, 95, 90}) || f.Name != "app::run(int)" || f.SystemName != "_ZN3app3runEi" ||
		f.Filename != "a.cpp" {
		t.Errorf("%v of %v", run, f)
	}
	if run.Label["func_hash"][0] != "0000000000000007" {
		t.Errorf("labels are %v", run.Label)
	}
	if got := p.Sample[1].Value; !slices.Equal(got, []int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}) {
		t.Errorf("a count above 2^63 became %d", got)
	}
}

// An IR profile whose entry block is not instrumented first has no entry counts,
// and must not show counter 0 as one.
func TestPprofWithoutEntryCounts(t *testing.T) {
	p, _ := pprofOf(t, ":ir\nmain\n1\n2\n5\n6\n")
	if typesOf(p) != "total/count max/count" || !slices.Equal(p.Sample[0].Value, []int64{11, 6}) {
		t.Errorf("%s: %v", typesOf(p), p.Sample[0].Value)
	}
	if !slices.ContainsFunc(p.Comments, func(c string) bool { return strings.Contains(c, "no entry counts") }) {
		t.Errorf("comments are %q", p.Comments)
	}
}

// Single-byte counters are no counts.
func TestPprofOfByteCoverage(t *testing.T) {
	p, _ := pprofOf(t, ":ir\n:single_byte_coverage\nmain\n1\n3\n1\n0\n1\n\ncold\n2\n1\n0\n")
	if typesOf(p) != "executed/count covered/count" || !slices.Equal(p.Sample[0].Value, []int64{1, 2}) ||
		!slices.Equal(p.Sample[1].Value, []int64{0, 0}) {
		t.Errorf("%s: %v %v", typesOf(p), p.Sample[0].Value, p.Sample[1].Value)
	}
}
