package handlers_test

import (
	"encoding/binary"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/examples"
	"proflens/handlers/webtest"
)

// putSample uploads one of the samples that come with the program.
func putSample(t testing.TB, l *webtest.Server, name string) (path string) {
	t.Helper()
	s, ok := examples.Named(name)
	if !ok {
		t.Fatal("no sample", name)
	}
	file := s.Files()[0].Unpacked()
	return "/api/v1/profiles/" + l.Put(file.Name, file.Data)["id"].(string)
}

// A plan comes true: what it says is refused is, and what it says the file is,
// the file is.
func TestConvertIsTheExport(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	const path = "/api/v1/profiles/{id}/convert"
	for _, name := range []string{"cxx-front-end", "cxx-ir", "cxx-temporal"} {
		at := putSample(t, l, name)
		for version := 5; version <= 14; version++ {
			for _, lossy := range []string{"", "&lossy=true"} {
				query := "?version=" + strconv.Itoa(version) + lossy
				a := l.OK(at + "/convert" + query)
				webtest.Validate(t, doc, path, a)
				plan := a.Object(t)
				file := l.Get(plan["download"].(string))
				if refused := plan["refused"].(bool); refused != (file.StatusCode == http.StatusConflict) || refused &&
					lossy != "" {
					t.Errorf("%s%s: refused %v, the export answers %s", name, query, refused, file.Status)
				}
				if file.StatusCode == http.StatusOK && binary.LittleEndian.Uint32(file.Bytes[8:]) != uint32(version) {
					t.Errorf("%s%s: another version", name, query)
				}
				lost, findings := plan["lost"].([]any), plan["findings"].([]any)
				if said := len(file.Header.Values("Proflens-Finding")); file.StatusCode == http.StatusOK &&
					said != len(lost)+len(findings) {
					t.Errorf("%s%s: %d findings of the export, %d of the plan", name, query, said, len(lost)+len(findings))
				}
			}
		}
		plan := l.OK(at + "/convert").Object(t)
		if file := l.OK(at + "/export/profdata"); plan["version"] != plan["default_version"] ||
			plan["version"] != json.Number(file.Header.Get("Proflens-Indexed-Version")) {
			t.Errorf("%s: the default is %v, the export's %s", name, plan["version"],
				file.Header.Get("Proflens-Indexed-Version"))
		}
	}
}

func TestConvertSays(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	at := putSample(t, l, "cxx-front-end")
	for query, want := range map[string]string{"?version=12": "mismatch", "?version=13": "kept", "": "kept"} {
		if got := l.OK(at + "/convert" + query).Object(t)["hashes"]; got != want {
			t.Errorf("%q: hashes %v, want %s", query, got, want)
		}
	}
	ir := putSample(t, l, "cxx-ir")
	if got := l.OK(ir + "/convert?version=9").Object(t)["hashes"]; got != "control-flow" {
		t.Errorf("IR: hashes %v", got)
	}
	text := l.OK(at + "/convert?version=8&format=text")
	webtest.Validate(t, doc, "/api/v1/profiles/{id}/convert", text)
	for _, want := range []string{
		"read by        LLVM 15 and newer", "left out", "     13      22+         0  kept  default",
		"refused without lossy=true",
	} {
		if !strings.Contains(string(text.Bytes), want) {
			t.Errorf("the text lacks %q:\n%s", want, text.Bytes)
		}
	}
	if a := l.Do("GET", at+"/convert", nil, "Accept", "text/plain"); !strings.Contains(
		string(a.Bytes), "curl -OJ 'http://") {
		t.Errorf("no next command:\n%s", a.Bytes)
	}
	for _, query := range []string{"?version=4", "?version=15", "?lossy=perhaps", "?to=5", "?format=csv"} {
		a := l.Get(at + "/convert" + query)
		webtest.Validate(t, doc, "/api/v1/profiles/{id}/convert", a)
		if a.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", query, a.Status)
		}
	}
}

// The page has every version to choose, and the file of the chosen one, without
// scripts.
func TestConvertPage(t *testing.T) {
	l := webtest.Start(t, nil)
	page := strings.Replace(putSample(t, l, "cxx-front-end"), "/api/v1/profiles/", "/p/", 1)
	if doc := l.OK(page, "Accept", "text/html").Parse(t); webtest.LinkTo(t, doc, "Downloads") != page+"/downloads" {
		t.Error("the overview has no way here")
	}
	doc := l.OK(page+"/convert?version=12", "Accept", "text/html").Parse(t)
	if rows := webtest.All(webtest.ByTestID(t, doc, "convert-versions"), webtest.Tag("tr")); len(rows) != 11 {
		t.Errorf("%d rows of versions", len(rows))
	}
	if said := webtest.Text(webtest.ByTestID(t, doc, "convert-remarks")); !strings.Contains(said, "ten branches") {
		t.Errorf("what will not match is not said: %s", said)
	}
	if got := webtest.LinkTo(t, doc, "Download Version 12"); !strings.HasSuffix(got, "/export/profdata?version=12") {
		t.Errorf("the file is at %q", got)
	}
	doc = l.OK(page+"/convert?version=8", "Accept", "text/html").Parse(t)
	if webtest.HasTestID(doc, "convert-download") || !webtest.HasTestID(doc, "convert-refused") {
		t.Error("a loss is not refused")
	}
	doc = l.OK(page+"/convert?version=8&lossy=true", "Accept", "text/html").Parse(t)
	if got := webtest.LinkTo(t, doc, "Download Version 8"); !strings.HasSuffix(got, "?version=8&lossy=true") {
		t.Errorf("the lossy file is at %q", got)
	}
	api := strings.Replace(page, "/p/", "/api/v1/profiles/", 1)
	text := l.OK(page + "/downloads?format=text&version=9").Text()
	if text != l.OK(api+"/convert?format=text&version=9").Text() {
		t.Errorf("format= gives %s", text)
	}
}

// Every form has its command; what can be asked of it is a form that works without
// scripts.
func TestDownloads(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutMemProf(l, "mem_cold_v4.profdata")
	page := strings.Replace(at, "/api/v1/profiles/", "/p/", 1)
	list := webtest.ByTestID(t, l.Page(page+"/downloads", http.StatusOK), "downloads")
	said := webtest.Said(list)
	for _, name := range []string{"memprof-yaml", "pprof", "folded", "speedscope", "csv", "ndjson", "sqlite", "profdata"} {
		if !strings.Contains(said, "curl -OJ '"+l.URL+at+"/export/"+name+"'") {
			t.Errorf("no command for %s", name)
		}
	}
	if !strings.Contains(said, at+"/original'") {
		t.Error("no command for the original")
	}
	forms := webtest.All(list, webtest.Tag("form"))
	if len(forms) == 0 {
		t.Fatal("nothing can be asked for")
	}
	for _, form := range forms {
		query := ""
		for _, n := range webtest.All(form, webtest.Tag("select")) {
			words := webtest.All(n, webtest.Tag("option"))
			word := words[len(words)-1]
			if webtest.Attr(n, "name") == "w" { // not every heap profile has every weight
				word = words[0]
			}
			query += "&" + webtest.Attr(n, "name") + "=" + webtest.Attr(word, "value")
		}
		for _, n := range webtest.All(form, webtest.Tag("input")) { // as they are left; ticks are not set
			if webtest.Attr(n, "type") != "checkbox" {
				query += "&" + webtest.Attr(n, "name") + "=" + webtest.Attr(n, "value")
			}
		}
		if a := l.Get(webtest.Attr(form, "action") + "?" + strings.TrimPrefix(query, "&")); a.StatusCode != http.StatusOK ||
			len(a.Bytes) == 0 {
			t.Errorf("%s?%s: %s %.200s", webtest.Attr(form, "action"), query, a.Status, a.Text())
		}
	}
	former := l.Page(page+"/convert", http.StatusOK)
	if !webtest.HasTestID(former, "downloads") {
		t.Error("the former address leads elsewhere")
	}
}
