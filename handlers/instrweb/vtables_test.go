package instrweb_test

import (
	"os"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A profile with vtables has a page of them, one of each class, and one of the
// addresses in none; the API has the same, filtered and sorted.
func TestVTables(t *testing.T) {
	data, err := os.ReadFile(webtest.Root() + "/decode/instrprof/testdata/vtables/vtables.profraw")
	if err != nil {
		t.Fatal(err)
	}
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	id := l.Put("vtables.profraw", data)["id"].(string)
	at := "/api/v1/profiles/" + id + "/vtables"
	list := "/api/v1/profiles/{id}/vtables"
	names := func(query string) string {
		t.Helper()
		answer := l.OK(at + query)
		webtest.Validate(t, doc, list, answer)
		var found []string
		for _, item := range answer.Object(t)["items"].([]any) {
			name, _ := item.(map[string]any)["linkage_name"].(string)
			found = append(found, name)
		}
		return strings.Join(found, " ")
	}
	for query, want := range map[string]string{
		"?limit=2":                           "_ZTV4Rect _ZTV6Square",
		"?sort=address&limit=2":              "_ZTV5Shape _ZTV5Named",
		"?sort=-size&limit=2":                "_ZTV4Both _ZTC4Both8_5Right",
		"?seen=true&sort=count&limit=3":      " _ZTV4Both _ZTV4Left", // addresses in none first, then by name
		"?q=box<":                            "_ZTV3BoxIlE",
		"?re=^vtable.for.[LR]":               "_ZTV4Rect _ZTV4Left _ZTV5Right",
		"?sites=2..":                         "_ZTV4Rect",
		"?count=1000..1000":                  "_ZTV6Square",
		"?seen=false&size=120..":             "_ZTC4Both8_5Right",
		"?functions=1..&sort=-address&q=Rig": "_ZTV5Right",
	} {
		if got := names(query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	for _, query := range []string{
		"?format=text", "?cols=class,ranges", "?counts=string", "?sort=class", "?seen=maybe", "?re=(",
	} {
		webtest.Validate(t, doc, list, l.Get(at+query))
	}
	rect := l.OK(at + "?limit=1").Object(t)["items"].([]any)[0].(map[string]any)["fid"].(string)
	sites := l.OK(at + "/" + rect)
	webtest.Validate(t, doc, list+"/{fid}", sites)
	if n := webtest.Number(t, sites.Object(t), "total"); n != 2 {
		t.Errorf("%d sites saw Rect", n)
	}
	for _, wrong := range []string{"/0123456789abcdef", "/x"} {
		answer := l.Get(at + wrong)
		webtest.Validate(t, doc, list+"/{fid}", answer)
		if answer.StatusCode != 404 {
			t.Errorf("%s: %s", wrong, answer.Status)
		}
	}

	html := l.OK("/p/"+id, "Accept", "text/html").Parse(t)
	html = l.OK(webtest.LinkTo(t, html, "VTables"), "Accept", "text/html").Parse(t)
	table := webtest.ByTestID(t, html, "vtables")
	if rows := webtest.All(table, webtest.Tag("tr")); len(rows) != 15 {
		t.Errorf("%d rows", len(rows))
	}
	text := webtest.Text(table)
	for _, want := range []string{"0x4091b0–0x409207", "Hidden", "construction vtable for Left-in-Both", "in no vtable"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	if said := webtest.Text(webtest.ByTestID(t, html, "none")); !strings.Contains(said, "40 of these counts") ||
		!strings.Contains(said, "2 addresses at 1 site") {
		t.Errorf("the page says %s", said)
	}
	one := l.OK("/p/"+id+"/vtables/"+rect, "Accept", "text/html").Parse(t)
	if rows := webtest.All(webtest.ByTestID(t, one, "vtable-sites"), webtest.Tag("tr")); len(rows) != 3 {
		t.Errorf("%d rows of sites", len(rows))
	}
	none := l.OK("/p/"+id+"/vtables/0000000000000000", "Accept", "text/html").Parse(t)
	if said := webtest.Text(webtest.ByTestID(t, none, "vtable-sites-page")); !strings.Contains(
		said, "No vtable of the profile holds these addresses") {
		t.Error("the page of addresses in none does not say what they are")
	}
	plain := l.Put("plain.proftext", []byte(":ir\nf\n1\n1\n1\n"))["id"].(string)
	page := l.OK("/p/"+plain, "Accept", "text/html").Parse(t)
	if strings.Contains(webtest.Text(page), "VTables") {
		t.Error("a profile without vtables has a tab of them")
	}
}
