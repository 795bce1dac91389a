package instrweb_test

import (
	"os"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A function with a plain and a context-sensitive record has both side by side,
// whichever is shown; one with plain records alone has no such panel.
func TestContextsSideBySide(t *testing.T) {
	data, err := os.ReadFile(webtest.Root() + "/decode/instrprof/testdata/indexed/clang-22_cs_merged.profdata")
	if err != nil {
		t.Fatal(err)
	}
	l := webtest.Start(t, nil)
	id := l.Put("cs.profdata", data)["id"].(string)
	at := "/api/v1/profiles/" + id
	if got := webtest.Number(t, l.OK(at+"/functions?cs=true").Object(t), "total"); got == 0 {
		t.Fatal("no context-sensitive records")
	}
	plain := map[string]bool{}
	for _, fid := range l.OK(at+"/functions?cs=false").Column(t, "fid") {
		plain[fid] = true
	}
	both := 0
	for _, fid := range l.OK(at+"/functions?cs=true").Column(t, "fid") {
		doc := l.OK("/p/"+id+"/functions/"+fid, "Accept", "text/html").Parse(t)
		if webtest.HasTestID(doc, "contexts") != plain[fid] {
			t.Errorf("%s: side by side %v, with a plain record %v", fid, webtest.HasTestID(doc, "contexts"), plain[fid])
		}
		if plain[fid] {
			both++
			panel := webtest.ByTestID(t, doc, "contexts")
			if links := webtest.All(panel, webtest.Tag("a")); !strings.Contains(webtest.Text(panel), "Context-sensitive") || len(links) < 2 || !strings.Contains(webtest.Attr(links[0], "href"), "hash=0x") {
				t.Errorf("%s: %s", fid, webtest.Text(panel))
			}
		}
	}
	if both == 0 {
		t.Error("no function has both")
	}
	rows := l.OK("/p/"+id+"/functions?cs=true&cols=context_sensitive", "Accept", "text/html").Parse(t)
	if said := webtest.Text(webtest.ByTestID(t, rows, "functions")); !strings.Contains(said, "context-sensitive") || strings.Contains(said, "plain") {
		t.Errorf("the column says %s", said)
	}
}
