package instrweb_test

import (
	"maps"
	"os"
	"slices"
	"strconv"
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
			if links := webtest.All(panel, webtest.Tag("a")); !strings.Contains(webtest.Text(panel), "Context-sensitive") ||
				len(links) < 2 || !strings.Contains(webtest.Attr(links[0], "href"), "hash=0x") {
				t.Errorf("%s: %s", fid, webtest.Text(panel))
			}
		}
	}
	if both == 0 {
		t.Error("no function has both")
	}
	for _, fid := range slices.Sorted(maps.Keys(plain)) {
		besideInOrder(t, l, "/p/"+id+"/functions/"+fid)
	}
	rows := l.OK("/p/"+id+"/functions?cs=true&cols=context_sensitive", "Accept", "text/html").Parse(t)
	if said := webtest.Text(webtest.ByTestID(t, rows, "functions")); !strings.Contains(said, "context-sensitive") ||
		strings.Contains(said, "plain") {
		t.Errorf("the column says %s", said)
	}
}

// besideInOrder holds the counters side by side to the order and the range asked for.
func besideInOrder(t *testing.T, l *webtest.Server, at string) {
	t.Helper()
	counts := func(query string) (list []uint64) {
		doc := l.OK(at+query, "Accept", "text/html").Parse(t)
		if !webtest.HasTestID(doc, "contexts") {
			return nil
		}
		for _, row := range webtest.All(webtest.ByTestID(t, doc, "beside"), webtest.Tag("tr"))[1:] {
			cells := webtest.All(row, webtest.Tag("td"))
			if text := strings.ReplaceAll(webtest.Said(cells[1]), " ", ""); text != "" {
				n, err := strconv.ParseUint(text, 10, 64)
				if err != nil {
					return nil // shortened
				}
				list = append(list, n)
			}
		}
		return list
	}
	all := counts("")
	if len(all) < 2 {
		return
	}
	down := slices.Clone(all)
	slices.Sort(down)
	slices.Reverse(down)
	if got := counts("?sort=-cs"); !slices.Equal(got, down) {
		t.Errorf("%s: by the context-sensitive counts %v, want %v", at, got, down)
	}
	if got := counts("?sort=-count"); !slices.Equal(got, all) {
		t.Errorf("%s: in the order of the other list: %v", at, got)
	}
	if got := counts("?count=999999999.."); len(got) > 0 {
		t.Errorf("%s: far above all: %v", at, got)
	}
}
