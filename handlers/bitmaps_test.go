package handlers

import (
	"math/bits"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Every function with a bitmap is listed once, with the bytes and bits that its
// own object has.
func TestBitmaps(t *testing.T) {
	data, err := os.ReadFile("../decode/instrprof/testdata/raw/clang-22_fe_mcdc.profraw")
	if err != nil {
		t.Fatal(err)
	}
	doc, l := loadDocument(t), startLive(t, nil)
	id := l.put("mcdc.profraw", data)["id"].(string)
	at := "/api/v1/profiles/" + id
	const path = "/api/v1/profiles/{id}/bitmaps"
	answer := l.ok(at + "/bitmaps")
	validate(t, doc, path, answer)
	list := answer.object(t)["items"].([]any)
	if len(list) == 0 {
		t.Fatal("no bitmaps")
	}
	bytes := 0
	for _, item := range list {
		row := item.(map[string]any)
		record := l.ok(at + "/functions/" + row["fid"].(string)).object(t)["records"].([]any)[0].(map[string]any)
		bitmap := record["bitmap"].(string)
		set := 0
		for i := 0; i < len(bitmap); i += 2 {
			b, err := strconv.ParseUint(bitmap[i:i+2], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			set += bits.OnesCount8(uint8(b))
		}
		if number(t, row, "bytes") != len(bitmap)/2 || number(t, row, "set") != set || number(t, row, "bits") != 4*len(bitmap) {
			t.Errorf("%v, its bitmap is %s", row, bitmap)
		}
		bytes += len(bitmap) / 2
	}
	if want := number(t, l.ok(at).object(t)["counts"].(map[string]any), "bitmap_bytes"); bytes != want {
		t.Errorf("%d bytes are listed, the profile has %d", bytes, want)
	}
	for _, query := range []string{"?format=text", "?limit=1&counts=string", "?cols=set,bytes", "?kind=x"} {
		validate(t, doc, path, l.get(at+"/bitmaps"+query))
	}
	html := parsePage(t, l.ok("/p/"+id, "Accept", "text/html"))
	html = parsePage(t, l.ok(linkTo(t, html, "MC/DC"), "Accept", "text/html"))
	if rows := all(byTestID(t, html, "bitmap-table"), tag("tr")); len(rows) != len(list)+1 {
		t.Errorf("%d rows", len(rows))
	}
}

// Binary ids have a page that says what they are for; a profile without bitmaps
// and ids says so.
func TestBinaryIDsPage(t *testing.T) {
	l := startLive(t, nil)
	id := l.put("ir_buildid.profraw", sample(t, "ir_buildid.profraw"))["id"].(string)
	overview := parsePage(t, l.ok("/p/"+id, "Accept", "text/html"))
	doc := parsePage(t, l.ok(linkTo(t, overview, "Binary ids"), "Accept", "text/html"))
	ids := strings.Fields(string(sample(t, "ir_buildid.binids.txt")))
	if said := text(byTestID(t, doc, "binary-id-table")); !strings.Contains(said, ids[len(ids)-1]) {
		t.Errorf("the ids are %s", said)
	}
	if said := text(byTestID(t, doc, "binary-ids")); !strings.Contains(said, "readelf") {
		t.Error("what they are for is not said")
	}
	none := l.put("none.proftext", []byte(":ir\nf\n1\n1\n1\n"))["id"].(string)
	for _, path := range []string{"/binary-ids", "/bitmaps"} {
		if doc := parsePage(t, l.ok("/p/"+none+path, "Accept", "text/html")); !hasTestID(doc, "blank") {
			t.Errorf("%s does not say that there is nothing", path)
		}
	}
}
