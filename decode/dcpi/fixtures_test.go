package dcpi_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/dcpi"
)

// expected is what the fixtures' own decoder says of a profile.
type expected struct {
	Header struct {
		Version *struct {
			Text         string
			Major, Minor uint64
		}
		Tstart                  *string
		Image, Platform, Event  string
		Epoch                   struct{ Text, ISO string }
		Period, Tsize, CPUSpeed uint64
		CPUAMask, Path          *string
		CPUImplv, CPUCount      *uint64
	}
	HeaderBytes uint64 `json:"header_bytes"`
	LineEnding  string `json:"line_ending"`
	Lines       []struct{ Key, Value, Kind string }
	Stride      uint64
	Totals      struct {
		Chunks                      int
		Addresses, Nonzero, Samples uint64
	}
	Top      [][2]any // the address of a count, and the count; the highest first
	Warnings []string
	Chunks   []expectedChunk
}

type expectedChunk struct {
	Offset uint64
	Counts []uint32
}

// Every figure of every good fixture is what its own decoder says.
func TestProfilesAsAnotherDecoderReadsThem(t *testing.T) {
	database, err := filepath.Glob("testdata/db/*/*/*.json")
	if err != nil || len(database) != 8 {
		t.Fatal(database, err)
	}
	for i := range database {
		database[i] = strings.TrimSuffix(database[i], ".json")
	}
	for _, path := range append(profiles(t, "hand"), database...) {
		var want expected
		if err := json.Unmarshal(read(t, path+".json"), &want); err != nil {
			t.Fatal(path, err)
		}
		f, err := dcpi.Open(path, read(t, path), nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		want.check(t, path, f)
	}
}

func (want *expected) check(t *testing.T, path string, f *dcpi.File) {
	t.Helper()
	p := &f.Profiles[0]
	h := &p.Header
	if want.Header.Version == nil {
		if h.Version != "" {
			t.Errorf("%s: version %q where there is none", path, h.Version)
		}
	} else if v := want.Header.Version; h.Version != v.Text || h.Major != v.Major || h.Minor != v.Minor {
		t.Errorf("%s: version %q, %d.%d; want %+v", path, h.Version, h.Major, h.Minor, v)
	}
	start := ""
	if h.HasTextStart {
		start = "0x" + strconv.FormatUint(h.TextStart, 16)
	}
	hex := func(n *uint64) string {
		if n == nil {
			return ""
		}
		return "0x" + strconv.FormatUint(*n, 16)
	}
	got := []any{
		h.Image, h.Platform, h.Event, h.Epoch, h.Start, h.Period, h.TextSize, h.CPUSpeed, start, hex(h.CPUAMask),
		strings.Join(h.Paths, " "), h.Bytes, h.CRLF,
	}
	w := &want.Header
	if diff := cmp.Diff([]any{w.Image, w.Platform, w.Event, w.Epoch.Text, w.Epoch.ISO, w.Period, w.Tsize, w.CPUSpeed,
		deref(w.Tstart), deref(w.CPUAMask), deref(w.Path),
		want.HeaderBytes, want.LineEnding == "crlf"}, got); diff != "" {
		t.Errorf("%s: header: %s", path, diff)
	}
	if diff := cmp.Diff([]*uint64{w.CPUImplv, w.CPUCount}, []*uint64{h.CPUImplVer, h.CPUCount}); diff != "" {
		t.Errorf("%s: processor: %s", path, diff)
	}
	var lines []struct{ Key, Value, Kind string }
	for _, l := range h.Lines {
		lines = append(lines, struct{ Key, Value, Kind string }{l.Key, l.Value, l.Kind})
	}
	if diff := cmp.Diff(want.Lines, lines); diff != "" {
		t.Errorf("%s: lines: %s", path, diff)
	}
	if n := want.Totals; p.Stride != want.Stride || p.Chunks != n.Chunks || p.Addresses != n.Addresses ||
		p.Nonzero != n.Nonzero || p.Samples != n.Samples {
		t.Errorf("%s: stride %d, %d chunks, %d addresses, %d above zero, %d samples; want %d, %+v", path, p.Stride, p.Chunks,
			p.Addresses, p.Nonzero, p.Samples, want.Stride, n)
	}
	chunks, highest := want.Chunks[:0:0], uint32(0)
	var where string
	for c := range p.Each {
		chunks = append(chunks, expectedChunk{c.Offset, slices.Clone(c.Counts)})
		for i, n := range c.Counts {
			if n > highest {
				highest, where = n, "0x"+strconv.FormatUint(p.TextStart+c.Offset+p.Stride*uint64(i), 16)
			}
		}
	}
	if diff := cmp.Diff(want.Chunks, chunks); want.Chunks != nil && diff != "" {
		t.Errorf("%s: chunks: %s", path, diff)
	}
	if len(want.Top) > 0 && (want.Top[0][0] != where || want.Top[0][1] != float64(highest)) {
		t.Errorf("%s: most samples at %s, %d; want %v", path, where, highest, want.Top[0])
	}
	var codes []string
	for _, finding := range f.Findings {
		codes = append(codes, strings.TrimPrefix(finding.Code, "dcpi."))
		if finding.Message == "" || finding.Severity == "" || finding.Cause == "" || finding.Remedy == "" ||
			finding.File != path {
			t.Errorf("%s: %+v", path, finding)
		}
	}
	slices.Sort(want.Warnings)
	if !slices.Equal(want.Warnings, codes) {
		t.Errorf("%s: warnings %v, want %v", path, codes, want.Warnings)
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Every row of dcpicat's text is a count at its address, of the event whose
// column it stands in.
func TestDumpsAsAnotherDecoderReadsThem(t *testing.T) {
	for _, path := range profiles(t, "cat") {
		var want struct {
			Name, Image, Label, Epoch, Platform string
			Path                                []string
			TextStart                           string `json:"text_start"`
			TextSize                            uint64 `json:"text_size"`
			Events                              []struct {
				Name                    string
				Period, Fraction, Total uint64
			}
			Rows [][]any
		}
		if err := json.Unmarshal(read(t, path+".json"), &want); err != nil {
			t.Fatal(err)
		}
		f, err := dcpi.OpenCat(path, read(t, path), nil)
		if err != nil || f.Dumps != 1 || len(f.Profiles) != len(want.Events) {
			t.Fatalf("%s: %+v, %v", path, f, err)
		}
		counts := map[string]map[string]uint32{}
		for i, e := range want.Events {
			p := &f.Profiles[i]
			h := &p.Header
			if diff := cmp.Diff([]any{
				want.Name, want.Image, want.Label, want.Epoch, want.Platform, want.Path, want.TextStart, want.TextSize, e.Name,
				e.Period, e.Fraction, e.Total,
			},
				[]any{h.Name, h.Image, h.Label, h.Start, h.Platform, h.Paths, "0x" + strconv.FormatUint(h.TextStart, 16),
					h.TextSize, h.Event, h.Period, h.Fraction, p.Samples}); diff != "" {
				t.Errorf("%s: %s", path, diff)
			}
			counts[e.Name] = map[string]uint32{}
			for c := range p.Each {
				for n, count := range c.Counts {
					counts[e.Name]["0x"+strconv.FormatUint(p.TextStart+c.Offset+4*uint64(n), 16)] = count
				}
			}
		}
		for _, row := range want.Rows {
			address := row[0].(string)
			for i, e := range want.Events {
				if n := row[i+1].(float64); float64(counts[e.Name][address]) != n {
					t.Errorf("%s: %s at %s: %d, want %g", path, e.Name, address, counts[e.Name][address], n)
				}
				delete(counts[e.Name], address)
			}
		}
		for event, more := range counts {
			if len(more) > 0 {
				t.Errorf("%s: %s has counts that no row has: %v", path, event, more)
			}
		}
	}
}
