package views_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/chart"
	"proflens/views/page"
)

// TestRawMarkup: whatever a file says, the pages of its bytes and of its
// findings stay whole.
func TestRawMarkup(t *testing.T) {
	for name, said := range map[string]string{"raw-huge": long, "raw-hostile": hostile} {
		d := page.Diagnosis{
			ID: "finding-1", Severity: page.Tag{Text: "error", Tone: page.Bad}, Code: said, Title: said, File: said,
			Section: said, Field: said,
			Offset: humanize.Offset(3250176), Bytes: "/p/abc/raw?at=0x319800", Expected: said, Found: said, Records: "3 records",
			Cause: said, Remedy: said,
		}
		raw := page.Raw{
			Name: said, Format: said, Size: humanize.Bytes(1 << 20), SHA256: strings.Repeat("ab", 32), Original: "/o",
			JSON: "/j",
			GoTo: page.GoTo{Action: "/p/abc/raw", At: said, Files: []page.Option{{Value: said, Label: said, Selected: true}}},
			Strip: chart.NewSectionStrip([]chart.FileRun{
				{Size: 10, Name: said, URL: "/p/abc/raw?at=0x0"},
				{Offset: 10, Size: 10, Category: -1, Name: said, URL: "/p/abc/raw?at=0xa"},
			},
				20, []chart.FilePlace{{Offset: 11, Title: said}}),
			Sections: []page.RawSection{
				{Name: said, URL: "/p/abc/raw?at=0x0", Offset: "0x0", Size: "10", Share: "50 %", Note: said, Selected: true},
			},
			Earlier: &page.Link{Label: said, URL: "/e"}, Later: &page.Link{Label: said, URL: "/l"},
			Values: &page.RawValues{Section: said, Place: "0x0", Rest: said, RestURL: "/r",
				Rows: []page.RawValue{{Name: said, URL: "/v", Offset: "0x0", Size: "8", Value: said, Meaning: said,
					Selected: true}}},
			Findings: []page.Diagnosis{d}, Fault: &d,
			Hex: page.HexView{Range: "0x0 to 0x13", Sections: []string{said}, Selection: said, Past: said,
				Rows: page.NewHexRows([]byte("<script>alert(1)</script>"), 0,
					page.HexMarks{From: 1, To: 4, Begins: map[uint64]string{0: said}, Faults: map[uint64]string{2: said}})},
		}
		var b bytes.Buffer
		if err := views.Raw(galleryShell(name), raw).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		checkRendered(t, &b)
		if err := views.Diagnostics(galleryShell(name),
			page.Diagnostics{Findings: []page.Diagnosis{d}, Summary: said, JSON: "/j"}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		checkRendered(t, &b)
	}
}

func checkRendered(t *testing.T, b *bytes.Buffer) {
	t.Helper()
	doc, err := html.Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	checkMarkup(t, doc)
	b.Reset()
}
