package llvmcov

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
	"proflens/decode/covmap"
)

// dtd is coverage-04.dtd: what each element has, in this order, and its attributes;
// those after "?" may be missing.
var dtd = map[string]struct{ children, attributes string }{
	"coverage": {
		"sources packages", "line-rate branch-rate lines-covered lines-valid branches-covered branches-valid complexity " +
			"version timestamp",
	},
	"sources":    {"source*", ""},
	"source":     {"", ""},
	"packages":   {"package*", ""},
	"package":    {"classes", "name line-rate branch-rate complexity"},
	"classes":    {"class*", ""},
	"class":      {"methods lines", "name filename line-rate branch-rate complexity"},
	"methods":    {"method*", ""},
	"method":     {"lines", "name signature line-rate branch-rate complexity"},
	"lines":      {"line*", ""},
	"line":       {"conditions*", "number hits ? branch condition-coverage"},
	"conditions": {"condition*", ""},
	"condition":  {"", "number type coverage"},
}

func TestCoberturaIsValid(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	for _, name := range []string{"flow", "xmac", "rules", "uni"} {
		c := coveragetest.Join(t, dir, fmt.Sprintf("clang-22/%s/%[1]s.profdata", name), coverage.Options{},
			fmt.Sprintf("clang-22/%s/%[1]s.exe", name))
		var b bytes.Buffer
		if err := WriteCobertura(&b, c, all(c), CoberturaOptions{Version: `<&">`, Made: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
		checkElements(t, name, b.Bytes())
		checkRows(t, name, c, b.Bytes())
	}
}

func all(c *coverage.Coverage) (files []int) {
	for i := range c.Files {
		files = append(files, i)
	}
	return files
}

func checkElements(t *testing.T, name string, data []byte) {
	t.Helper()
	type open struct {
		name     string
		children []string
	}
	var stack []open
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			rule, known := dtd[token.Name.Local]
			needed, may, _ := strings.Cut(rule.attributes, "?")
			allowed := append(strings.Fields(needed), strings.Fields(may)...)
			for _, a := range token.Attr {
				known = known && slices.Contains(allowed, a.Name.Local)
			}
			if !known || len(token.Attr) < len(strings.Fields(needed)) {
				t.Fatalf("%s: %v", name, token)
			}
			if n := len(stack); n > 0 {
				stack[n-1].children = append(stack[n-1].children, token.Name.Local)
			}
			stack = append(stack, open{name: token.Name.Local})
		case xml.EndElement:
			e := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			rule := dtd[e.name].children
			if one, many := strings.CutSuffix(rule, "*"); many {
				e.children = slices.DeleteFunc(e.children, func(child string) bool { return child == one })
				rule = ""
			}
			if strings.Join(e.children, " ") != rule {
				t.Fatalf("%s: <%s> has %v, want %q", name, e.name, e.children, rule)
			}
		}
	}
}

// checkRows holds the lines of the files to those of the LCOV trace.
func checkRows(t *testing.T, name string, c *coverage.Coverage, data []byte) {
	t.Helper()
	var document struct {
		Valid   int `xml:"lines-valid,attr"`
		Classes []struct {
			Lines []struct {
				Number int    `xml:"number,attr"`
				Hits   uint64 `xml:"hits,attr"`
			} `xml:"lines>line"`
		} `xml:"packages>package>classes>class"`
	}
	if err := xml.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, class := range document.Classes {
		for _, l := range class.Lines {
			got = append(got, fmt.Sprintf("DA:%d,%d", l.Number, l.Hits))
		}
	}
	var trace bytes.Buffer
	if err := WriteLCOV(&trace, c, all(c), LCOVOptions{}); err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(trace.String()) {
		if strings.HasPrefix(line, "DA:") {
			want = append(want, strings.TrimSpace(line))
		}
	}
	if name == "xmac" { // a region that ends at the first column of a line, and a file that is included twice
		own := strings.NewReplacer("DA:6,10", "", "DA:4,1", "", "DA:3,6", "DA:3,7")
		want = strings.Fields(own.Replace(strings.Join(want, "\n")))
	}
	slices.Sort(got) // folders stand in another order than files
	slices.Sort(want)
	if !slices.Equal(got, want) || document.Valid != len(want) {
		t.Errorf("%s: %d lines of %d, want %d", name, len(got), document.Valid, len(want))
	}
}

// Names are what a compiler was given: anything.
func TestNamesInJSON(t *testing.T) {
	for name, want := range map[string]string{
		"a\"b\\c/\t\n\r\x01\x1f": `"a\"b\\c/\t\n\r\u0001\u001f"`,
		"π\xff":                  `"π` + "�" + `"`,
		"<&>":                    `"<&>"`,
	} {
		var j jsonWriter
		j.string(name)
		if string(j.buf) != want {
			t.Errorf("%q: %s, want %s", name, j.buf, want)
		}
	}
}

func TestCounts(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1234: "1.23k", 12345: "12.3k", 123456: "123k", 999999: "999k", 1 << 63: "9.22E",
	} {
		if got := short(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

// failing takes so many writes.
type failing int

func (f *failing) Write(p []byte) (int, error) {
	if *f--; *f < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

// An error of the writer is the writer's, whatever is written.
func TestErrorsOfWriters(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	c := coveragetest.Join(t, dir, "clang-22/rules/rules.profdata", coverage.Options{}, "clang-22/rules/rules.exe")
	for i, write := range []func(io.Writer) error{
		func(w io.Writer) error { return WriteJSON(w, c, all(c), JSONOptions{}) },
		func(w io.Writer) error { return WriteLCOV(w, c, all(c), LCOVOptions{}) },
		func(w io.Writer) error { return WriteReport(w, Rows(c, all(c), nil), ReportOptions{}, true) },
		func(w io.Writer) error { return WriteFunctions(w, c, all(c), ReportOptions{}) },
		func(w io.Writer) error { return WriteCobertura(w, c, all(c), CoberturaOptions{}) },
	} {
		if err := write(new(failing)); err != io.ErrClosedPipe {
			t.Error(strconv.Itoa(i), err)
		}
	}
}

// Shares of conditions are hundred times the count by the total: another order of the
// two rounds some of them otherwise.
func TestSharesOfConditions(t *testing.T) {
	s := showWriter{options: ShowOptions{Branches: BranchPercents}}
	s.side("True", 17466, 120000, false)
	s.side("False", 102534, 120000, false)
	if got := string(s.buf); got != "True: 14.55%False: 85.44%" {
		t.Error(got)
	}
}

// What two sides come to does not wrap: neither at 32 bits nor, where counts are below zero, at 64.
func TestSharesOfLargeConditions(t *testing.T) {
	for want, b := range map[string]coverage.Region{
		"[True: 50.00%, False: 50.00%]\n": {Count: 1 << 32, False: 1 << 32},
		"[True: 0.00%, False: 100.00%]\n": {Count: 5, False: 1<<64 - 4},
		"[True: 0.00%, False: 0.00%]\n":   {},
	} {
		s := showWriter{options: ShowOptions{Branches: BranchPercents}}
		s.branch(&b, 0)
		if !strings.HasSuffix(string(s.buf), want) {
			t.Errorf("%q, want %q", s.buf, want)
		}
	}
}

// Markers are counts also where lines have 1 or 0.
func TestMarkersOfBinaryCounts(t *testing.T) {
	s := showWriter{options: ShowOptions{RegionMarkers: true, Binary: true}}
	s.markers(&coverage.Line{Count: 5, Segments: []coverage.Segment{
		{Position: covmap.Position{Line: 1, Column: 3}, Count: 1234, HasCount: true, Entry: true},
		{Position: covmap.Position{Line: 1, Column: 9}},
	}}, 0)
	if got := strings.TrimSpace(string(s.buf)); got != "^1.23k" {
		t.Errorf("%q", got)
	}
}
