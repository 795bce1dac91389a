package instrweb_test

import (
	"encoding/json"
	"strings"
	"testing"

	"proflens/handlers/webtest"

	"golang.org/x/net/html"
)

// odd is a front-end profile with one of each oddity, as text, and how many
// rows each filter selects.
const odd = "all\n1\n2\n1\n1\n\nzero\n1\n2\n0\n7\n\nmax\n1\n2\n18446744073709551613\n18446744073709551613\n\n" +
	"twice\n1\n1\n5\n\ntwice\n2\n2\n5\n6\n\nshort\n1\n1\n100\n1\n1\n1\n1\n8:99\n\nnever\n1\n2\n0\n0\n"

// Each figure of the card leads to its rows, as many as it says, and the API
// has the same figures.
func TestQualityLeadsToItsRows(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	id := l.Put("odd.proftext", []byte(odd))["id"].(string)
	at := "/api/v1/profiles/" + id
	profile := l.OK(at)
	webtest.Validate(t, doc, "/api/v1/profiles/{id}", profile)
	quality := profile.Object(t)["quality"].(map[string]any)
	card := webtest.ByTestID(t, l.OK("/p/"+id, "Accept", "text/html").Parse(t), "quality")
	for _, tt := range []struct {
		item, key string
		rows      int // of the link
		value     string
	}{
		{"saturated", "saturated_counters", 1, "2"}, {"all-ones", "all_ones", 1, "1"}, {"entry-zero", "entry_zero", 1, "1"},
		{"hashes", "several_hashes", 2, "1"}, {"short-sites", "", 1, "1"}, {"never", "never_executed", 1, ""},
	} {
		item := webtest.ByTestID(t, card, "quality-"+tt.item)
		if said := webtest.Text(webtest.ByTestID(t, item, "quality-value")); tt.value != "" &&
			!strings.HasPrefix(said, tt.value) {
			t.Errorf("%s says %q", tt.item, said)
		}
		if tt.key != "" && tt.value != "" && quality[tt.key] != json.Number(tt.value) {
			t.Errorf("the API's %s is %v, want %s", tt.key, quality[tt.key], tt.value)
		}
		list := l.OK(strings.Replace(rowsOf(t, item), "/p/"+id, at, 1))
		if got := webtest.Number(t, list.Object(t), "total"); got != tt.rows {
			t.Errorf("%s leads to %d rows, want %d", tt.item, got, tt.rows)
		}
	}
	if quality["several_hashes_records"] != json.Number("2") ||
		quality["short_sites"].(map[string]any)["IPVK_MemOPSize"] != json.Number("1") {
		t.Errorf("%v", quality)
	}
}

// rowsOf is where an item of the card leads.
func rowsOf(t *testing.T, item *html.Node) string {
	t.Helper()
	for _, a := range webtest.All(item, webtest.Tag("a")) {
		if strings.HasPrefix(webtest.Attr(a, "title"), "Show") {
			return webtest.Attr(a, "href")
		}
	}
	t.Fatalf("no rows: %s", webtest.Text(item))
	return ""
}

// What a profile cannot have is null, and the page says why.
func TestQualityThatCannotBe(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("cover.proftext", []byte(":ir\n:single_byte_coverage\nf\n1\n2\n1\n1\n"))["id"].(string)
	quality := l.OK("/api/v1/profiles/" + id).Object(t)["quality"].(map[string]any)
	if quality["all_ones"] != nil || quality["entry_zero"] != nil {
		t.Errorf("%v", quality)
	}
	card := webtest.ByTestID(t, l.OK("/p/"+id, "Accept", "text/html").Parse(t), "quality")
	for item, why := range map[string]string{
		"all-ones": "Byte coverage", "entry-zero": "not an entry count", "full-sites": "no value sites",
	} {
		if said := webtest.Text(webtest.ByTestID(t, card, "quality-"+item)); !strings.Contains(said, why) ||
			strings.Contains(said, "Show") {
			t.Errorf("%s says %q", item, said)
		}
	}
	functions := l.OK("/p/"+id+"/functions", "Accept", "text/html").Parse(t)
	for _, input := range webtest.All(functions, webtest.Tag("input")) {
		if webtest.Attr(input, "name") == "entry" {
			t.Error("a filter by the entry count, which there is not")
		}
	}
	for _, query := range []string{"/functions?quality=odd", "/values?quality=saturated"} {
		webtest.Problem(t, l.Get("/api/v1/profiles/"+id+query), 400, "bad_parameter")
	}
}

// Where nothing ran there is a sentence in the place of the curve.
func TestNothingRan(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("zero.proftext", []byte(":ir\nf\n1\n2\n0\n0\n"))["id"].(string)
	doc := l.OK("/p/"+id, "Accept", "text/html").Parse(t)
	if said := webtest.Text(webtest.ByTestID(t, doc, "notes")); !strings.Contains(said, "No counter is above 0") {
		t.Errorf("the notes are %q", said)
	}
	for _, h := range webtest.All(doc, webtest.Tag("h2")) {
		if strings.HasPrefix(webtest.Text(h), "How few") {
			t.Error("an empty curve")
		}
	}
}
