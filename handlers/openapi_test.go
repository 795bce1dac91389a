package handlers_test

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"proflens/decode/covmap"
	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/handlers/webtest"
	"proflens/profile/exports"
	"proflens/profile/instrdb"
	"proflens/profile/table"
	"proflens/profile/tables"
)

// known are the parameters that a call says it takes, when it is asked with one that it
// does not; none where it has another reason to refuse.
func known(l *webtest.Server, call string) []string {
	sign := "?"
	if strings.Contains(call, "?") {
		sign = "&"
	}
	_, list, _ := strings.Cut(l.Get(call+sign+"nothing-known=1", "Accept", "application/json").Text(),
		"; known parameters: ")
	list, _, ok := strings.Cut(list, `"`)
	if !ok {
		return nil
	}
	return strings.Split(list, ", ")
}

// The parameters that a call takes are those the document lists, over profiles of
// all families.
func TestOpenAPIParameters(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	var profiles []string
	for _, p := range familyProfiles(t, l) {
		profiles = append(profiles, p.at)
	}
	profiles = append(profiles, webtest.API(l.Upload("temporal_two.profdata", webtest.File(t, "temporal_two.profdata"))))
	for path, item := range doc.Paths.Map() {
		if item.Get == nil || strings.HasPrefix(path, "/api/v1/compare/gate") {
			continue
		}
		listed := map[string]bool{}
		for _, p := range item.Get.Parameters {
			if p.Value.In == "query" {
				listed[p.Value.Name] = true
			}
		}
		taken := map[string]bool{}
		for _, at := range profiles {
			id := strings.TrimPrefix(at, "/api/v1/profiles/")
			calls := []string{strings.Replace(path, "/api/v1/profiles/{id}", at, 1)}
			switch {
			case strings.HasPrefix(path, "/api/v1/compare"):
				calls = nil
				for _, other := range profiles { // of another family too: these are compared by rank
					other = strings.TrimPrefix(other, "/api/v1/profiles/")
					call := strings.Replace(path, "{pair}", id+"..."+other, 1) + "?"
					if !strings.Contains(path, "{pair}") {
						call += "base=" + id + "&test=" + other + "&"
					}
					calls = append(calls, call, call+"family=coverage")
				}
			case strings.Contains(path, "{fid}"):
				if a := l.Get(at + "/functions?limit=1&cols=fid"); a.StatusCode == http.StatusOK {
					if fids := a.Column(t, "fid"); len(fids) > 0 {
						calls[0] = strings.Replace(calls[0], "{fid}", fids[0], 1)
					}
				}
			case strings.HasSuffix(path, "/sites/{index}"), strings.Contains(path, "/contexts/"):
				continue
			case strings.Contains(path, "{format}"):
				exported := calls[0]
				calls = nil
				for _, name := range exports.Names() {
					calls = append(calls, strings.Replace(exported, "{format}", name, 1))
				}
				for _, family := range []model.Family{
					instrprof.Family, memprof.Family, mip.Family, dcpi.Family, covmap.Family, sampleprof.Family,
				} {
					for _, table := range tables.Of([]model.Family{family}) {
						calls = append(calls, strings.Replace(exported, "{format}", "csv?table="+table.Name, 1))
					}
				}
			}
			for _, call := range calls {
				for _, name := range known(l, call) {
					taken[name] = true
				}
			}
		}
		if strings.Contains(path, "{pair}") { // which this names; the other address of it takes them
			delete(taken, "base")
			delete(taken, "test")
		}
		if got, want := slices.Sorted(maps.Keys(taken)), slices.Sorted(maps.Keys(listed)); !slices.Equal(got, want) {
			t.Errorf("%s: the document lists %v, the calls take %v", path, want, got)
		}
	}
}

// The columns of the function table are those of the document's object.
func TestOpenAPIColumns(t *testing.T) {
	listed := slices.Sorted(maps.Keys(webtest.Document(t).Components.Schemas["Function"].Value.Properties))
	want := slices.Sorted(slices.Values(table.ColumnNames(instrdb.Functions.Columns())))
	if !slices.Equal(listed, want) {
		t.Errorf("the document lists %v, the table has %v", listed, want)
	}
}

// Answers are what the document promises, errors too.
func TestOpenAPIAnswers(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	check := func(path string, a *webtest.Answer) {
		t.Helper()
		webtest.Validate(t, doc, path, a)
	}
	const profiles, one = "/api/v1/profiles", "/api/v1/profiles/{id}"
	uploaded := l.Do("PUT", profiles+"/ir_c.profraw?label=a=b&project=p&expires=7d", bytes.NewReader(raw))
	check(one, uploaded)
	at := profiles + "/" + uploaded.Object(t)["id"].(string)
	check(profiles, l.Do("POST", profiles, bytes.NewReader(raw)))
	body, ct := webtest.Form(t, "group", "auto", "file:a", string(raw), "file:b",
		string(webtest.File(t, "same_name_hashes.proftext")))
	check(profiles, l.Do("POST", profiles, body, "Content-Type", ct))
	check("/{id}", l.Do("PUT", "/a.profraw", bytes.NewReader(raw), "Accept", "*/*"))
	broken := l.Do("PUT", profiles+"/cut", bytes.NewReader(raw[:900]))
	check(one, broken)
	failed := profiles + "/" + broken.Object(t)["id"].(string)
	check(one+"/anatomy", l.OK(failed+"/anatomy?section=data&from=3"))
	check(one+"/anatomy", l.Get(failed+"/anatomy?section=none"))
	salvaged := l.Do("PUT", profiles+"/cut?salvage=1", bytes.NewReader(raw[:4000]))
	check(one, salvaged)
	check(one+"/salvage", l.Do("POST", profiles+"/"+salvaged.Object(t)["id"].(string)+"/salvage", nil, "X-Delete-Token",
		salvaged.Object(t)["delete_token"].(string)))
	cut := l.Do("PUT", profiles+"/cut", bytes.NewReader(raw[:4000]))
	check(one+"/salvage", l.Do("POST", profiles+"/"+cut.Object(t)["id"].(string)+"/salvage?wait=5m", nil,
		"X-Delete-Token", cut.Object(t)["delete_token"].(string)))

	check(profiles, l.OK(profiles))
	check(profiles, l.Get(profiles+"?limit=x"))
	for _, base := range []string{at, failed} {
		check(one, l.OK(base))
		check(one+"/anatomy", l.OK(base+"/anatomy"))
		check(one+"/diagnostics", l.OK(base+"/diagnostics"))
		check(one+"/functions", l.Get(base+"/functions"))
		for _, query := range []string{
			"", "?by=namespace", "?counts=string&cols=path,total", "?path=nowhere", "?format=csv", "?format=text", "?by=x",
		} {
			check(one+"/tree", l.Get(base+"/tree"+query))
			check(one+"/coverage", l.Get(base+"/coverage"+query))
		}
		check(one+"/export/{format}", l.Get(base+"/export/proftext"))
		for _, export := range []string{"csv", "json", "ndjson", "json?table=traces", "csv?table=x", "sqlite", "pprof"} {
			check(one+"/export/{format}", l.Get(base+"/export/"+export))
		}
		check(one+"/export/{format}", l.Get(base+"/export/profdata"))
		check(one+"/export/{format}", l.Get(base+"/export/profdata?version=5"))
		check(one+"/original", l.OK(base+"/original"))
	}
	check(one, l.OK(at+"?counts=string"))
	for _, query := range []string{
		"?class=hot", "?counts=string&cols=fid,total", "?format=csv", "?format=ndjson", "?format=text", "?foo=1",
	} {
		check(one+"/functions", l.Get(at+"/functions"+query))
	}
	for _, fid := range l.OK(at+"/functions?sort=-sites&limit=3").Column(t, "fid") {
		check(one+"/functions/{fid}", l.OK(at+"/functions/"+fid))
		check(one+"/functions/{fid}", l.OK(at+"/functions/"+fid+"?counts=string&counters=1..2"))
		check(one+"/functions/{fid}", l.OK(at+"/functions/"+fid+"?format=csv&sort=-count&limit=3"))
		check(one+"/functions/{fid}/elsewhere", l.OK(at+"/functions/"+fid+"/elsewhere?counts=string"))
	}
	check(one+"/suggest", l.OK(at+"/suggest?q=main&counts=string"))
	check(one+"/suggest", l.OK(at+"/suggest"))
	check(one+"/functions/{fid}", l.Get(at+"/functions/x"))
	check(one+"/files", l.Do("POST", at+"/files", bytes.NewReader(raw)))
	check(one+"/files", l.Do("POST", at+"/files", bytes.NewReader(raw), "X-Delete-Token",
		uploaded.Object(t)["delete_token"].(string)))
	check(one+"/original", l.OK(at+"/original"))
	check(one, l.Do("DELETE", at, nil, "X-Delete-Token", "wrong"))
	check(one, l.Do("DELETE", at, nil, "X-Delete-Token", uploaded.Object(t)["delete_token"].(string)))
	check(one, l.Get(at))
	check(one, l.Get(profiles+"/nothing"))
	for _, path := range []string{"/healthz", "/readyz", "/version", "/metrics", "/api/v1/openapi.json"} {
		check(path, l.OK(path))
	}
}
