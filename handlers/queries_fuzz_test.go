package handlers_test

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/memtest"
)

// asked is how much an answer about a small profile may allocate.
var asked = memtest.Bound{Base: 64 << 20, Rate: 64 << 10}

// FuzzQueries asks for pages and tables of a profile of each family with any path and
// query: filters, orders, searches, cursors, selections.
func FuzzQueries(f *testing.F) {
	s := webtest.Start(f, nil)
	root := filepath.Join(webtest.Root(), "decode")
	paths := []string{
		webtest.API(s.Together(webtest.Files(f, filepath.Join(root, "instrprof/testdata/indexed"),
			"clang-22_vtable_kept.profdata")...)),
		webtest.PutMemProf(s, "mem_instr_v3.profdata"),
		webtest.PutMIP(s, "merged/counts.mipmap", "merged/counts.0.mipraw"),
		webtest.PutDCPI(s, "db.zip", webtest.DCPIArchive(f, "zip", "app.nmS")),
	}
	for i := range paths {
		paths[i] = strings.TrimPrefix(paths[i], "/api/v1/profiles/")
	}
	doc := webtest.Document(f)
	for path, item := range doc.Paths.Map() {
		rest, ok := strings.CutPrefix(path, "/api/v1/profiles/{id}")
		if !ok || item.Get == nil {
			continue
		}
		all := []string{}
		for _, p := range item.Get.Parameters {
			if p.Value == nil || p.Value.In != "query" {
				continue
			}
			value := "1"
			if schema := p.Value.Schema; schema != nil && schema.Value != nil {
				if len(schema.Value.Enum) > 0 {
					value = fmt.Sprint(schema.Value.Enum[len(schema.Value.Enum)-1])
				} else if schema.Value.Example != nil {
					value = fmt.Sprint(schema.Value.Example)
				}
			}
			if p.Value.Example != nil {
				value = fmt.Sprint(p.Value.Example)
			}
			all = append(all, p.Value.Name+"="+url.QueryEscape(value))
			f.Add(uint8(len(all)), rest, all[len(all)-1])
		}
		f.Add(uint8(0), rest, strings.Join(all, "&"))
	}
	for _, q := range []string{
		"q=a&re=(a*)*b&class=hot&entry=1..2&sort=-total,name&page=2", "cursor=AAAA&limit=1000", "limit=-1&page=0",
		"q=%00%ff&re=[", "sort=,,-,-x", "entry=..&max=5..1",
		"by=namespace&path=a::b::&depth=99", "cols=a,b,,c&counts=string&names=short", "range=0..18446744073709551615",
		"dcpi_range=0x0..-1", "rewrite=a=b&rewrite==", "at=0xffffffffffffffff&length=9999999",
		"section=names&from=18446744073709551615", "w=1e309&z=-1", "sel=0000000000000000", "names=%2e%2e&format=csv&guard=1",
	} {
		f.Add(uint8(1), "/functions", q)
		f.Add(uint8(130), "/allocations", q)
		f.Add(uint8(2), "/tree", q)
	}
	f.Fuzz(func(t *testing.T, which uint8, path, query string) {
		if len(path)+len(query) > 16<<10 || strings.Contains(path, "export/sqlite") {
			return
		}
		u := url.URL{Path: "/p/" + paths[int(which)%len(paths)] + path, RawQuery: query}
		if which >= 128 {
			u.Path = "/api/v1/profiles/" + strings.TrimPrefix(u.Path, "/p/")
		}
		if _, err := url.ParseRequestURI(u.RequestURI()); err != nil {
			return
		}
		defer asked.Watch(t, len(path)+len(query))()
		server := *s
		server.T = t
		a := server.Get(u.RequestURI())
		if a.StatusCode >= 500 || len(a.Bytes) > 16<<20 {
			for line := range strings.Lines(s.Log.String()) {
				if strings.Contains(line, "error=") || strings.Contains(line, "msg=panic") {
					t.Log(line)
				}
			}
			t.Fatalf("GET %s: %s, %d bytes: %.500s", u.RequestURI(), a.Status, len(a.Bytes), a.Bytes)
		}
	})
}
