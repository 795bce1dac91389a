package instrweb_test

import (
	"math/bits"
	"os"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// Every function with a bitmap is listed once, with the bytes and bits that its
// own object has.
func TestBitmaps(t *testing.T) {
	data, err := os.ReadFile(webtest.Root() + "/decode/instrprof/testdata/raw/clang-22_fe_mcdc.profraw")
	if err != nil {
		t.Fatal(err)
	}
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	id := l.Put("mcdc.profraw", data)["id"].(string)
	at := "/api/v1/profiles/" + id
	const path = "/api/v1/profiles/{id}/bitmaps"
	answer := l.OK(at + "/bitmaps")
	webtest.Validate(t, doc, path, answer)
	list := answer.Object(t)["items"].([]any)
	if len(list) == 0 {
		t.Fatal("no bitmaps")
	}
	bytes := 0
	for _, item := range list {
		row := item.(map[string]any)
		record := l.OK(at + "/functions/" + row["fid"].(string)).Object(t)["records"].([]any)[0].(map[string]any)
		bitmap := record["bitmap"].(string)
		set := 0
		for i := 0; i < len(bitmap); i += 2 {
			b, err := strconv.ParseUint(bitmap[i:i+2], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			set += bits.OnesCount8(uint8(b))
		}
		if webtest.Number(t, row, "bytes") != len(bitmap)/2 || webtest.Number(t, row, "set") != set ||
			webtest.Number(t, row, "bits") != 4*len(bitmap) {
			t.Errorf("%v, its bitmap is %s", row, bitmap)
		}
		bytes += len(bitmap) / 2
	}
	if want := webtest.Number(t, l.OK(at).Object(t)["counts"].(map[string]any), "bitmap_bytes"); bytes != want {
		t.Errorf("%d bytes are listed, the profile has %d", bytes, want)
	}
	for _, query := range []string{"?format=text", "?limit=1&counts=string", "?cols=set,bytes", "?kind=x"} {
		webtest.Validate(t, doc, path, l.Get(at+"/bitmaps"+query))
	}
	html := l.OK("/p/"+id, "Accept", "text/html").Parse(t)
	html = l.OK(webtest.LinkTo(t, html, "MC/DC bitmaps"), "Accept", "text/html").Parse(t)
	if rows := webtest.All(webtest.ByTestID(t, html, "bitmaps"), webtest.Tag("tr")); len(rows) != len(list)+1 {
		t.Errorf("%d rows", len(rows))
	}
}

// Binary ids have a page that says what they are for; a profile without bitmaps
// and ids says so.
func TestBinaryIDsPage(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("ir_buildid.profraw", webtest.File(t, "ir_buildid.profraw"))["id"].(string)
	overview := l.OK("/p/"+id, "Accept", "text/html").Parse(t)
	doc := l.OK(webtest.LinkTo(t, overview, "Build IDs"), "Accept", "text/html").Parse(t)
	ids := strings.Fields(string(webtest.File(t, "ir_buildid.binids.txt")))
	if said := webtest.Text(webtest.ByTestID(t, doc, "binary-ids")); !strings.Contains(said, ids[len(ids)-1]) {
		t.Errorf("the ids are %s", said)
	}
	if said := webtest.Text(webtest.ByTestID(t, doc, "binary-id-uses")); !strings.Contains(said, "readelf") {
		t.Error("what they are for is not said")
	}
	none := l.Put("none.proftext", []byte(":ir\nf\n1\n1\n1\n"))["id"].(string)
	for _, path := range []string{"/binary-ids", "/bitmaps"} {
		if doc := l.OK("/p/"+none+path, "Accept", "text/html").Parse(t); !webtest.HasTestID(doc, "blank") {
			t.Errorf("%s does not say that there is nothing", path)
		}
	}
}
