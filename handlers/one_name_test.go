package handlers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/profile/instrdb"
)

// The page and the object of a name with very many records have the first of them, the
// one that is asked for by its hash, and say how many there are.
func TestNamesOfManyRecords(t *testing.T) {
	const n = 5000
	var text bytes.Buffer
	text.WriteString(":ir\n")
	for i := range n {
		fmt.Fprintf(&text, "f\n%d\n1\n%d\n\n", i, n-i)
	}
	l := webtest.Start(t, nil)
	id := l.Upload("f.proftext", text.Bytes())
	fid := site.FID(webtest.Func("f", 0).NameRef)

	spec := webtest.Document(t)

	path := webtest.API(id) + "/functions/" + fid
	a := l.OK(path)
	webtest.Validate(t, spec, "/api/v1/profiles/{id}/functions/{fid}", a)
	object := a.Object(t)
	if records := object["records"].([]any); len(records) != instrdb.MostRecords ||
		webtest.Number(t, object, "total") != n {
		t.Errorf("%d records of %v", len(records), object["total"])
	}
	last := site.FID(n - 1)
	if records := l.OK(path + "?hash=0x" + last).Object(t)["records"].([]any); len(records) != 1 ||
		records[0].(map[string]any)["func_hash"] != last {
		t.Errorf("the last has %d records", len(records))
	}
	for _, query := range []string{"", "?hash=0x" + last} {
		a := l.OK(webtest.Page(id)+"/functions/"+fid+query, "Accept", "text/html")
		if len(a.Bytes) > 1<<20 {
			t.Errorf("%s: %d bytes", query, len(a.Bytes))
		}
		if page := webtest.Said(a.Parse(t)); !strings.Contains(page, "The name has 5 000 records") {
			t.Errorf("%s does not say how many records there are", query)
		}
	}
	// Each of a hundred rows of the list says so too, and the inspector finds the last.
	webtest.ByTestID(t, l.Page(webtest.Page(id)+"/functions?sel="+fid+":"+last, http.StatusOK), "inspector")
}
