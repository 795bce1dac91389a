package gate_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/builds/gate"
	"proflens/builds/measures"
)

// report has a rule of every outcome, and hostile names.
func report(t *testing.T) *gate.Report {
	t.Helper()
	f := &gate.Figures{
		Base:    measures.Set{"instr.total": {N: 1000}, "dcpi.image_samples:<a|b>": {N: 1, Of: 4}},
		Test:    measures.Set{"instr.total": {N: 160}, "dcpi.image_samples:<a|b>": {N: 2, Of: 4}},
		Between: measures.Set{"instr.overlap": {N: 0.955, Of: 1}},
	}
	list := gate.Judge(rules(t, "min_overlap=95", "min_total_ratio=0.9", "max_cold_bytes_growth=10",
		"max_image_samples:<a|b>=10"), f)
	return &gate.Report{
		Base: "ma*in\n", Test: "<script>|x", Link: "https://example.org/compare/A...B?x=<y>", Results: list,
	}
}

func written(t *testing.T, name string, r *gate.Report) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := gate.FormatOf(name).Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestText(t *testing.T) {
	want := `gate: 3 of 4 rules fail
base: ma*in�
test: <script>|x

pass     min_overlap                ≥ 95%    95.5%
fail     min_total_ratio            ≥ ×0.9   1000 → 160, ×0.160
missing  max_cold_bytes_growth      ≤ +10%   no heap profile
fail     max_image_samples:<a|b>    ≤ 10%    2 of 4, 50.0%

https://example.org/compare/A...B?x=<y>
`
	got := string(written(t, "text", report(t)))
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if diff := cmp.Diff(squeeze(want), squeeze(got)); diff != "" {
		t.Error(diff)
	}
}

// Names are text in Markdown, whatever they are made of, and a row has four cells.
func TestMarkdown(t *testing.T) {
	got := string(written(t, "markdown", report(t)))
	first, table, _ := strings.Cut(got, "\n\n")
	if !strings.HasPrefix(first, "**Profile gate: 3 of 4 rules fail.** [\\<script\\>\\|x against ma\\*in") ||
		!strings.HasSuffix(first, "](<https://example.org/compare/A...B?x=%3Cy%3E>)") {
		t.Error(first)
	}
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if len(rows) != 6 {
		t.Fatal(table)
	}
	for _, row := range rows {
		if strings.Count(strings.ReplaceAll(row, `\|`, ""), "|") != 5 {
			t.Errorf("cells of %s", row)
		}
	}
	for i, want := range []string{
		`| min\_overlap | ≥ 95% | 95.5% | passes |`, `| min\_total\_ratio | ≥ ×0.9 | 1000 → 160, ×0.160 | **fails** |`,
		`| max\_cold\_bytes\_growth | ≤ +10% | no heap profile | **missing** |`,
	} {
		if rows[i+2] != want {
			t.Errorf("%s\nwant %s", rows[i+2], want)
		}
	}
}

// JUnit XML has a case a rule, and a failure where it did not pass.
func TestJUnit(t *testing.T) {
	var suites struct {
		XMLName  xml.Name `xml:"testsuites"`
		Tests    int      `xml:"tests,attr"`
		Failures int      `xml:"failures,attr"`
		Suites   []struct {
			Name                             string `xml:"name,attr"`
			Tests, Failures, Errors, Skipped *int   `xml:",attr"`
			Cases                            []struct {
				Name    string `xml:"name,attr"`
				Class   string `xml:"classname,attr"`
				Time    string `xml:"time,attr"`
				Failure *struct {
					Message string `xml:"message,attr"`
					Type    string `xml:"type,attr"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	got := written(t, "junit", report(t))
	if err := xml.Unmarshal(got, &suites); err != nil {
		t.Fatal(err)
	}
	if len(suites.Suites) != 1 || suites.Tests != 4 || suites.Failures != 3 || len(suites.Suites[0].Cases) != 4 ||
		suites.Suites[0].Name == "" {
		t.Fatalf("%s", got)
	}
	for i, one := range suites.Suites[0].Cases {
		if one.Name == "" || one.Class == "" || one.Time == "" || (one.Failure == nil) != (i == 0) {
			t.Errorf("%d: %+v", i, one)
		}
	}
	if f := suites.Suites[0].Cases[2].Failure; f.Message != "max_cold_bytes_growth: no heap profile" ||
		f.Type != "missing" {
		t.Errorf("%+v", f)
	}
}

// SARIF has what its schema requires of version 2.1.0, and what code hosts need to show a
// result: a place, and a rule that its index leads to.
func TestSARIF(t *testing.T) {
	var log struct {
		Schema  string `json:"$schema"`
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID, Level, Kind string
				RuleIndex           int
				Message             struct{ Text string }
				Locations           []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	got := written(t, "sarif", report(t))
	if err := json.Unmarshal(got, &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || !strings.Contains(log.Schema, "sarif-2.1.0") || len(log.Runs) != 1 ||
		log.Runs[0].Tool.Driver.Name != "Proflens" {
		t.Fatalf("%s", got)
	}
	run := log.Runs[0]
	if len(run.Results) != 3 || len(run.Tool.Driver.Rules) != 4 {
		t.Fatalf("%s", got)
	}
	for _, res := range run.Results {
		if res.Message.Text == "" || res.Level != "error" || res.Kind != "fail" ||
			run.Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID ||
			len(res.Locations) != 1 || res.Locations[0].PhysicalLocation.ArtifactLocation.URI != gate.FileName ||
			res.Locations[0].PhysicalLocation.Region.StartLine != 1 {
			t.Errorf("%+v", res)
		}
	}
	passed := report(t)
	passed.Results = passed.Results[:1]
	if got := string(written(t, "sarif", passed)); !strings.Contains(got, `"results": []`) {
		t.Errorf("a gate that passes has no results, and says so: %s", got)
	}
}

// A report as JSON is read back as it was, but for the spaces in its words.
func TestJSON(t *testing.T) {
	want := report(t)
	var o gate.Object
	if err := json.Unmarshal(written(t, "json", want), &o); err != nil {
		t.Fatal(err)
	}
	back := o.Report()
	if back.Passed() || len(back.Results) != 4 || back.Base != want.Base || back.Link != want.Link {
		t.Errorf("%+v", back)
	}
	for _, name := range []string{"text", "markdown", "junit", "sarif", "json"} {
		if diff := cmp.Diff(string(written(t, name, want)), string(written(t, name, back))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A badge is whole XML with a title, and as wide as its cells.
func TestBadge(t *testing.T) {
	for _, test := range []struct {
		badge gate.Badge
		title string
	}{
		{gate.BadgeOf("libsass master", report(t)), "libsass master: 3 of 4 fail"},
		{gate.BadgeOf("a", &gate.Report{}), "a: no rules"},
		{gate.BadgeOf("a", &gate.Report{Results: report(t).Results[:1]}), "a: gate passes"},
		{gate.BadgeOf("a", &gate.Report{Results: report(t).Results[:2]}), "a: 1 of 2 fails"},
		{gate.Badge{Label: `<x>&"` + strings.Repeat("y", 1000), Value: "76.2 % lines", Tone: gate.Neutral}, ""},
	} {
		var b bytes.Buffer
		if err := test.badge.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		var svg struct {
			XMLName xml.Name `xml:"http://www.w3.org/2000/svg svg"`
			Width   int      `xml:"width,attr"`
			Role    string   `xml:"role,attr"`
			Label   string   `xml:"aria-label,attr"`
			Title   string   `xml:"title"`
		}
		if err := xml.Unmarshal(b.Bytes(), &svg); err != nil {
			t.Fatalf("%v: %s", err, b.String())
		}
		if svg.Role != "img" || svg.Title != svg.Label || test.title != "" && svg.Title != test.title || svg.Width < 40 ||
			svg.Width > 700 {
			t.Errorf("%+v: %s", svg, b.String())
		}
	}
}
