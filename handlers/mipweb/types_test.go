package mipweb_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// typed uploads fixtures with another profile type in their headers, and is
// their profile's path in the API.
func typed(l *webtest.Server, kind byte, paths ...string) string {
	l.T.Helper()
	var parts []string
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/mip/testdata", path))
		if err != nil {
			l.T.Fatal(err)
		}
		data[8] = kind
		parts = append(parts, "file:"+filepath.Base(path), string(data))
	}
	body, ct := webtest.Form(l.T, parts...)
	a := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", ct)
	if a.StatusCode != http.StatusCreated {
		l.T.Fatalf("type %x: %s: %s", kind, a.Status, a.Text())
	}
	return "/api/v1/profiles/" + a.Object(l.T)["id"].(string)
}

// A profile of each type has the tabs, columns, figures and exports of what was
// recorded, and of nothing else.
func TestEveryProfileTypeOnPages(t *testing.T) {
	l := webtest.Start(t, nil)
	covered := []string{"merged/coverage.mipmap", "merged/coverage.0.mipraw", "merged/coverage.1.mipraw"}
	for kind := byte(1); kind < 0x10; kind++ {
		files, coverage := webtest.MIPCounts, kind&1 != 0
		if coverage {
			files = covered
		}
		if kind&2 == 0 { // no blocks in the raw file, so the map has no room for them
			files = map[bool][]string{false: {"counts/small.mipmap", "counts/small.mipraw"},
				true: {"coverage/small.mipmap", "coverage/small.mipraw"}}[coverage]
		}
		calls, order, blocks := !coverage && kind&8 != 0, !coverage && kind&4 != 0, kind&2 != 0
		at := typed(l, kind, files...)
		page := mipPage(l, at, "")
		expect := func(what string, want, got bool) {
			if want != got {
				t.Errorf("type %x: %s: %v, want %v", kind, what, got, want)
			}
		}
		expect("tile of calls", calls, shown(t, page, "tile-calls") != "")
		expect("tile of blocks", blocks, shown(t, page, "tile-blocks") != "")
		expect("timeline", order, shown(t, page, "plot") != "")
		tabs := l.OK("/p/"+strings.TrimPrefix(at, "/api/v1/profiles/"), "Accept", "text/html").Text()
		expect("tab of calls", calls, strings.Contains(tabs, `/calls"`))
		expect("tab of the order", order, strings.Contains(tabs, `/order"`))
		for _, path := range mipPagePaths {
			if a := l.Get("/p/"+strings.TrimPrefix(at, "/api/v1/profiles/")+path, "Accept",
				"text/html"); a.StatusCode != http.StatusOK {
				t.Errorf("type %x: %s answers %s", kind, path, a.Status)
			}
		}
		expect("no calls", !calls, strings.Contains(shown(t, mipPage(l, at, "/calls"), "functions-page"),
			"No calls were counted"))

		object := l.OK(at).Object(t)["mip"].(map[string]any)
		expect("calls of the API", calls, object["call_count"] != nil)
		row := l.OK(at + "/functions?executed=true&limit=1").Object(t)["items"].([]any)[0].(map[string]any)
		expect("call_count", calls, row["call_count"] != nil)
		expect("weight", calls, row["weight"] != nil)
		expect("avg_timestamp", order, row["avg_timestamp"] != nil)
		run := l.OK(at + "/functions/" + row["fid"].(string)).Object(t)["runs"].([]any)[0].(map[string]any)
		expect("call_count of a run", calls, run["call_count"] != nil)
		expect("timestamp of a run", order, run["timestamp"] != nil)
		expect("export of the order", order, l.Get(at+"/export/order").StatusCode == http.StatusOK)

		mip := l.OK(at + "/export/mip").Bytes
		want := kind
		if coverage {
			want &= 3
		}
		if mip[8] != want {
			t.Errorf("type %x is written as %x", kind, mip[8])
		}
		if id := l.Put(fmt.Sprintf("%x.mip", kind), mip)["id"]; id == nil {
			t.Errorf("type %x: what was written is not read", kind)
		}
		l.OK(at + "/export/mip-json")
	}
}

// A map with return addresses is all there is of its program, and says so.
func TestMapWithReturnAddresses(t *testing.T) {
	l := webtest.Start(t, nil)
	at := typed(l, 0x1e, "merged/counts.mipmap")
	if says := shown(t, mipPage(l, at, "/functions"), "says"); !strings.Contains(says, "0 of 25 functions executed") {
		t.Error(says)
	}
	page := webtest.Text(mipPage(l, at, "/diagnostics"))
	if !strings.Contains(page, "cannot be read") || !strings.Contains(page, "never published") {
		t.Error(page)
	}
}
