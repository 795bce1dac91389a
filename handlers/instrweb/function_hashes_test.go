package instrweb_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// Records of one name with different hashes stand side by side on its page, and the
// list of functions marks them.
func TestSeveralHashes(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Put("h.proftext", []byte(":ir\nf\n1\n3\n5\n0\n7\n\nf\n2\n1\n9\n\ng\n3\n1\n1\n"))["id"].(string)
	list := l.OK("/p/"+id+"/functions", "Accept", "text/html").Parse(t)
	if said := webtest.Text(webtest.ByTestID(t, list, "functions")); strings.Count(said, "2 hashes") != 2 {
		t.Errorf("the list says %s", said)
	}
	page := l.OK(webtest.LinkTo(t, list, "2 hashes"), "Accept", "text/html").Parse(t)
	said := webtest.Text(webtest.ByTestID(t, page, "records"))
	for _, want := range []string{"0x0000000000000001", "0x0000000000000002", "66.7", "100"} {
		if !strings.Contains(said, want) {
			t.Errorf("the records do not say %s: %s", want, said)
		}
	}
	if rows := webtest.All(webtest.ByTestID(t, page, "records-counters"), webtest.Tag("tr")); len(rows) != 4 {
		t.Errorf("%d rows of counters side by side", len(rows))
	}
	one := l.OK(webtest.LinkTo(t, list, "g"), "Accept", "text/html").Parse(t)
	if webtest.HasTestID(one, "records") {
		t.Error("a name with one record has a list of them")
	}
}

// The bits of a bitmap that are set are given by number, with what they stand for:
// LLVM 18 laid them out in another way than those since, and text does not say.
func TestMCDCBits(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	raw, err := os.ReadFile(webtest.Root() + "/decode/instrprof/testdata/raw/clang-22_fe_mcdc.profraw")
	if err != nil {
		t.Fatal(err)
	}
	// llvm-profdata show of the same: its text has the bytes of each function.
	for name, test := range map[string]struct {
		data   []byte
		layout any
	}{
		"new.profraw":  {raw, "test-vectors"},
		"old.proftext": {[]byte("f\n1\n1\n1\n$2\n0x81\n0x02\n\n"), nil},
	} {
		id := l.Put(name, test.data)["id"].(string)
		at := "/api/v1/profiles/" + id
		fid := l.OK(at + "/bitmaps").Object(t)["items"].([]any)[0].(map[string]any)["fid"].(string)
		answer := l.OK(at + "/functions/" + fid)
		webtest.Validate(t, doc, "/api/v1/profiles/{id}/functions/{fid}", answer)
		record := answer.Object(t)["records"].([]any)[0].(map[string]any)
		bitmap, mcdc := record["bitmap"].(string), record["mcdc"].(map[string]any)
		if mcdc["layout"] != test.layout {
			t.Errorf("%s: layout %v", name, mcdc["layout"])
		}
		var want, got []string
		for i := range 4 * len(bitmap) {
			b, _ := strconv.ParseUint(bitmap[i/8*2:i/8*2+2], 16, 8)
			if b>>(i%8)&1 == 1 {
				want = append(want, strconv.Itoa(i))
			}
		}
		for _, bit := range mcdc["set"].([]any) {
			got = append(got, fmt.Sprint(bit))
		}
		if !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%s: bits %v of %s, want %v", name, got, bitmap, want)
		}
		page := l.OK("/p/"+id+"/functions/"+fid, "Accept", "text/html").Parse(t)
		if rows := webtest.All(webtest.ByTestID(t, page, "bits"), webtest.Tag("tr")); len(rows) != len(bitmap)/2+1 {
			t.Errorf("%s: %d rows of %d bytes", name, len(rows), len(bitmap)/2)
		}
		if said := webtest.Text(webtest.ByTestID(t, page, "bitmap-layout")); !strings.Contains(said, "coverage mapping") ||
			(test.layout == nil) != strings.Contains(said, "does not say which wrote it") {
			t.Errorf("%s: the page says %s", name, said)
		}
	}
}
