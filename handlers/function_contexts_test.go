package handlers

import (
	"os"
	"strings"
	"testing"
)

// A function with a plain and a context-sensitive record has both side by side,
// whichever is shown; one with plain records alone has no such panel.
func TestContextsSideBySide(t *testing.T) {
	data, err := os.ReadFile("../decode/instrprof/testdata/indexed/clang-22_cs_merged.profdata")
	if err != nil {
		t.Fatal(err)
	}
	l := startLive(t, nil)
	id := l.put("cs.profdata", data)["id"].(string)
	at := "/api/v1/profiles/" + id
	if got := number(t, l.ok(at+"/functions?cs=true").object(t), "total"); got == 0 {
		t.Fatal("no context-sensitive records")
	}
	plain := map[string]bool{}
	for _, fid := range columnOf(t, l.ok(at+"/functions?cs=false"), "fid") {
		plain[fid] = true
	}
	both := 0
	for _, fid := range columnOf(t, l.ok(at+"/functions?cs=true"), "fid") {
		doc := parsePage(t, l.ok("/p/"+id+"/functions/"+fid, "Accept", "text/html"))
		if hasTestID(doc, "contexts") != plain[fid] {
			t.Errorf("%s: side by side %v, with a plain record %v", fid, hasTestID(doc, "contexts"), plain[fid])
		}
		if plain[fid] {
			both++
			panel := byTestID(t, doc, "contexts")
			if links := all(panel, tag("a")); !strings.Contains(text(panel), "Context-sensitive") || len(links) < 2 || !strings.Contains(attr(links[0], "href"), "hash=0x") {
				t.Errorf("%s: %s", fid, text(panel))
			}
		}
	}
	if both == 0 {
		t.Error("no function has both")
	}
	rows := parsePage(t, l.ok("/p/"+id+"/functions?cs=true&cols=context_sensitive", "Accept", "text/html"))
	if said := text(byTestID(t, rows, "functions")); !strings.Contains(said, "context-sensitive") || strings.Contains(said, "plain") {
		t.Errorf("the column says %s", said)
	}
}
