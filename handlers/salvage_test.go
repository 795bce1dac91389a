package handlers_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// partialBar is what every view of the salvaged profile says.
const partialBar = "Partial: records 1–25 of 45; the file ends at byte 4 000, in the counters."

// A cut file fails, says how much of it can be read, is salvaged by the button
// of its page, and is then marked wherever it is shown or written.
func TestSalvageOfAFailedProfile(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	failed := l.Do("PUT", "/api/v1/profiles/cut.profraw", bytes.NewReader(raw[:4000]))
	object := failed.Object(t)
	id, token := object["id"].(string), object["delete_token"].(string)
	finding := object["finding"].(map[string]any)
	if failed.StatusCode != http.StatusUnprocessableEntity || finding["kind"] != string(model.KindBadHeader) {
		t.Fatalf("%s: %v", failed.Status, finding)
	}
	cause, remedy := finding["cause"].(string), finding["remedy"].(string)
	if !strings.Contains(cause, "cut short: it ends at byte 4000, in the counters") ||
		!strings.Contains(remedy, "salvage what can be read: records 1 to ") {
		t.Errorf("cause %q, remedy %q", cause, remedy)
	}
	for _, path := range []string{"", "/diagnostics", "/raw"} {
		body := l.OK("/p/" + id + path).Text()
		if !strings.Contains(body, `action="/p/`+id+`/salvage"`) || strings.Contains(body, "byte 4000") {
			t.Errorf("%s: no button, or a number without groups:\n%s", path, body)
		}
	}
	if n := len(l.OK("/p/" + id).Header.Values("X-Proflens-Partial")); n != 0 {
		t.Errorf("a failed profile has %d lines of %s", n, "X-Proflens-Partial")
	}

	sent := l.Do("POST", "/p/"+id+"/salvage", strings.NewReader("token="+token), "Content-Type",
		"application/x-www-form-urlencoded")
	if sent.StatusCode != http.StatusSeeOther || sent.Header.Get("Location") != "/p/"+id {
		t.Fatalf("%s to %q", sent.Status, sent.Header.Get("Location"))
	}
	for _, path := range []string{"", "/functions", "/tree", "/values", "/diagnostics", "/raw"} {
		a := l.OK("/p/" + id + path)
		body := strings.ReplaceAll(a.Text(), "\u00a0", " ")
		if !strings.Contains(body, partialBar) ||
			!strings.Contains(a.Header.Get("X-Proflens-Partial"),
				`"cut.profraw": records 1-25 of 45; the file ends at byte 4000, in the counters`) {
			t.Errorf("%s: not marked: %q", path, a.Header.Values("X-Proflens-Partial"))
		}
		if strings.Contains(body, `action="/p/`+id+`/salvage"`) {
			t.Errorf("%s still offers to salvage", path)
		}
	}
	api := "/api/v1/profiles/" + id
	partial := l.OK(api).Object(t)["partial"].([]any)[0].(map[string]any)
	if fmt.Sprintf("%v %v %v %v %v", partial["records"], partial["promised"], partial["end"], partial["leading"],
		partial["file"]) != "25 45 4000 true cut.profraw" {
		t.Errorf("%v", partial)
	}
	for _, path := range []string{
		"/export/proftext", "/export/profdata", "/functions?format=csv", "/functions?format=ndjson",
	} {
		if a := l.OK(api + path); a.Header.Get("X-Proflens-Partial") == "" {
			t.Errorf("%s is not marked", path)
		}
	}
	if text := l.OK(api + "/export/proftext").Text(); !strings.HasPrefix(
		text, `# partial: "cut.profraw": records 1-25 of 45; `) {
		t.Errorf("%.200s", text)
	}
	if again := l.Do("POST", api+"/salvage", nil, "X-Delete-Token", token); again.StatusCode != http.StatusConflict {
		t.Errorf("salvaged twice: %s", again.Status)
	}

	// More files: only when that is asked for.
	if more := l.Do("POST", api+"/files?filename=b.profraw", bytes.NewReader(raw), "X-Delete-Token",
		token); more.StatusCode != http.StatusUnprocessableEntity ||
		more.Object(t)["kind"] != string(model.KindIncompatible) {
		t.Errorf("merged silently: %s", more.Status)
	}
	more := l.Do("POST", api+"/files?filename=b.profraw&salvage=1", bytes.NewReader(raw), "X-Delete-Token", token)
	if more.StatusCode != http.StatusCreated || len(more.Object(t)["partial"].([]any)) != 1 ||
		fmt.Sprint(more.Object(t)["functions"]) == "25" {
		t.Errorf("%s: %s", more.Status, more.Text())
	}
}

// An upload may ask for it at once, in the query and in the form; a whole file
// is not marked.
func TestSalvageAtUpload(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	sent := l.Do("PUT", "/cut.profraw?salvage=1", bytes.NewReader(raw[:4000]), "Accept", "*/*")
	if sent.StatusCode != http.StatusCreated ||
		!strings.Contains(sent.Text(), "partial: cut.profraw: records 1-25 of 45") {
		t.Errorf("%s: %s", sent.Status, sent.Text())
	}
	body, ct := webtest.Form(t, "salvage", "yes", "file:a.profraw", string(raw[:4000]), "file:b.profraw", string(raw))
	merged := l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct)
	if list := merged.Object(t)["partial"].([]any); merged.StatusCode != http.StatusCreated || len(list) != 1 {
		t.Errorf("%s: %v", merged.Status, list)
	}
	page := strings.ReplaceAll(l.OK("/p/"+merged.Object(t)["id"].(string)).Text(), "\u00a0", " ")
	if !strings.Contains(page, "Partial: of a.profraw records 1–25 of 45; it ends at byte 4 000") {
		t.Error("the page of the merged profile is not marked")
	}
	if !strings.Contains(l.OK("/").Text(), `<input type="checkbox" name="salvage" value="1">`) {
		t.Error("the form does not ask for it")
	}
	body, ct = webtest.Form(t, "salvage", "1", "group", "auto", "file:a.profraw", string(raw[:4000]))
	if sent := l.Do("POST", "/upload", body, "Content-Type", ct, "Accept",
		"text/html"); sent.StatusCode != http.StatusSeeOther ||
		len(l.OK(sent.Header.Get("Location")).Header.Values("X-Proflens-Partial")) != 1 {
		t.Errorf("the form: %s: %s", sent.Status, sent.Bytes)
	}
	whole := l.Do("PUT", "/api/v1/profiles/a?salvage=1", bytes.NewReader(raw))
	if list := whole.Object(t)["partial"].([]any); whole.StatusCode != http.StatusCreated || len(list) != 0 ||
		whole.Header.Get("X-Proflens-Partial") != "" {
		t.Errorf("%s: %v", whole.Status, list)
	}
	if a := l.Do("PUT", "/api/v1/profiles/a?salvage=perhaps",
		bytes.NewReader(raw)); a.StatusCode != http.StatusBadRequest {
		t.Error(a.Status)
	}
}

// Where uploading needs a token, so does salvaging.
func TestSalvageNeedsToken(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.UploadToken = "sesame" })
	raw := webtest.File(t, "ir_c.profraw")
	id := l.Do("PUT", "/api/v1/profiles/cut", bytes.NewReader(raw[:4000]), "Authorization",
		"Bearer sesame").Object(t)["id"].(string)
	if a := l.Do("POST", "/api/v1/profiles/"+id+"/salvage", nil); a.StatusCode != http.StatusUnauthorized {
		t.Error(a.Status)
	}
	if body := l.OK("/p/" + id).Text(); !strings.Contains(body, `id="salvage-token"`) {
		t.Error("the button asks for no token")
	}
	send := func(token string) *webtest.Answer {
		return l.Do("POST", "/p/"+id+"/salvage", strings.NewReader(url.Values{"token": {token}}.Encode()), "Content-Type",
			"application/x-www-form-urlencoded")
	}
	if a := send("wrong"); a.StatusCode != http.StatusForbidden {
		t.Error(a.Status)
	}
	if a := send("sesame"); a.StatusCode != http.StatusSeeOther {
		t.Error(a.Status)
	}
}

// Records and counters that an anatomy leaves out are read where they stand.
func TestFieldsOfASection(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Do("PUT", "/api/v1/profiles/a.profraw",
		bytes.NewReader(webtest.File(t, "ir_c.profraw"))).Object(t)["id"].(string)
	at := "/api/v1/profiles/" + id + "/anatomy"
	section := func(query string) map[string]any {
		sections := l.OK(at + query).Object(t)["items"].([]any)[0].(map[string]any)["sections"].([]any)
		if len(sections) != 1 {
			t.Fatalf("%s: %d sections", query, len(sections))
		}
		return sections[0].(map[string]any)
	}
	data := section("?section=data&from=440")
	count := fmt.Sprintf("%v of %v", data["from"], data["field_count"])
	if fields := data["fields"].([]any); count != "440 of 495" || len(fields) != 55 ||
		fields[0].(map[string]any)["name"] != "NameRef" {
		t.Errorf("%d fields from %s", len(fields), count)
	}
	counters := section("?section=counters")
	if fields := counters["fields"].([]any); len(fields) != 182 || fields[181].(map[string]any)["name"] != "[181]" {
		t.Errorf("%d counters", len(fields))
	}
	if a := l.Get(at + "?section=nothing"); a.StatusCode != http.StatusNotFound {
		t.Error(a.Status)
	}
	if a := l.Get(at + "?from=3"); a.StatusCode != http.StatusBadRequest {
		t.Error(a.Status)
	}
	first := l.OK("/p/" + id + "/raw?section=data").Text()
	next := "/p/" + id + "/raw?from=256&amp;section=data"
	if !strings.Contains(first, "1–256 of 495") || !strings.Contains(first, next) {
		t.Error("the page of the data section does not lead to its other fields")
	}
	if last := l.OK("/p/" + id + "/raw?section=data&from=256").Text(); !strings.Contains(last, "257–495 of 495") ||
		!strings.Contains(last, "from=256&amp;length=8&amp;section=data") {
		t.Error("the second page of the data section is not as it should be")
	}
}
