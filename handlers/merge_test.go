package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// mergeOf is the body of a merge of profiles with weights.
func mergeOf(t testing.TB, members string, inputs ...any) *strings.Reader {
	t.Helper()
	var list []string
	for i := 0; i < len(inputs); i += 2 {
		list = append(list, fmt.Sprintf(`{"id":%q,"weight":%d}`, inputs[i], inputs[i+1]))
	}
	return strings.NewReader(`{"profiles":[` + strings.Join(list, ",") + `]` + members + `}`)
}

// The sum is that of llvm-profdata merge, weights and all, and stays when what
// it was made of is gone.
func TestMergeOracle(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, c := range []struct {
		a, b   string
		wa, wb int
		want   string
	}{
		{"ir_c.profdata", "ir_weighted.profdata", 3, 2, "ir_c3-ir_weighted2.proftext"},
		{"base.proftext", "test.proftext", 1, 1, "base-test.merged.proftext"},
	} {
		a, b := l.Put(c.a, webtest.File(t, "oracles/"+c.a)), l.Put(c.b, webtest.File(t, "oracles/"+c.b))
		made := l.Do("POST", "/api/v1/merge", mergeOf(t, `,"name":"sum"`, a["id"], c.wa, b["id"], c.wb))
		if made.StatusCode != http.StatusCreated {
			t.Fatal(made.Status, made.Text())
		}
		id := made.Object(t)["id"].(string)
		for _, gone := range []map[string]any{a, b} {
			token := gone["delete_token"].(string)
			got := l.Do("DELETE", "/api/v1/profiles/"+gone["id"].(string), nil, "X-Delete-Token", token)
			if got.StatusCode != http.StatusNoContent {
				t.Fatal(got.Status)
			}
		}
		if got := l.OK("/api/v1/profiles/" + id +
			"/export/proftext").Text(); got != string(webtest.File(t, "oracles/"+c.want)) {
			t.Errorf("%s: the sum is\n%.600s", c.want, got)
		}
		object := l.OK("/api/v1/profiles/" + id).Object(t)
		merged := object["merged"].(map[string]any)
		inputs := merged["inputs"].([]any)
		first := inputs[0].(map[string]any)
		if len(inputs) != 2 || first["id"] != a["id"] || first["name"] != c.a || first["digest"] != a["digest"] ||
			first["weight"] != json.Number(fmt.Sprint(c.wa)) {
			t.Errorf("it was made of %v", inputs)
		}
		if object["name"] != "sum" || object["format"] != "llvm-indexed" || made.Object(t)["delete_token"] == "" {
			t.Errorf("the sum is %v", object)
		}
		page := l.OK("/p/"+id, "Accept", "text/html").Text()
		if !strings.Contains(page, `data-testid="merged"`) || !strings.Contains(page, c.b) {
			t.Error("its overview does not say what it was made of")
		}
		if c.a == "base.proftext" {
			// A record of another number of counters was left out, which the merged
			// file does not show any more.
			if f := fmt.Sprint(merged["findings"]); !strings.Contains(f, "merge.count_mismatch") {
				t.Errorf("the findings are %v", f)
			}
		}
	}
}

func TestMergeRefusals(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.UploadToken = "secret" })
	auth := []string{"Authorization", "Bearer secret"}
	ir := l.Put("ir.profdata", webtest.File(t, "oracles/ir_c.profdata"), auth...)["id"]
	fe := l.Put("fe.profdata", webtest.File(t, "oracles/fe_c.profdata"), auth...)["id"]
	webtest.Problem(t, l.Do("POST", "/api/v1/merge", mergeOf(t, "", ir, 1)), http.StatusUnauthorized, "unauthorized")
	p := webtest.Problem(t, l.Do("POST", "/api/v1/merge", mergeOf(t, "", ir, 1, fe, 1), auth...),
		http.StatusUnprocessableEntity, "incompatible")
	if detail := p["detail"].(string); !strings.Contains(detail, "ir.profdata") ||
		!strings.Contains(detail, "fe.profdata") {
		t.Errorf("%q does not name both", detail)
	}
	for body, says := range map[string]string{
		`{"profiles":[]}`: "give 1 to", `{"profiles":[{"id":"` + ir.(string) + `","weight":0}]}`: "1 or more",
		`{"profile":[]}`: "unknown field", `[`: "body", `{"profiles":[{"weight":1}]}`: "no ID",
		`{"profiles":[{"id":"x"}],"visibility":"secret"}`: "listed", `{} {}`: "the body goes on",
	} {
		p := webtest.Problem(t, l.Do("POST", "/api/v1/merge", strings.NewReader(body), auth...), http.StatusBadRequest,
			"bad_parameter")
		if !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %q does not say %q", body, p["detail"], says)
		}
	}
	webtest.Problem(t, l.Do("POST", "/api/v1/merge?name=x", mergeOf(t, "", ir, 1), auth...), http.StatusBadRequest,
		"bad_parameter")
	webtest.Problem(t, l.Do("POST", "/api/v1/merge", mergeOf(t, "", "nothing", 1), auth...), http.StatusNotFound,
		"not_found")
}

// An unlisted profile is not given away by a listed sum.
func TestMergeUnlisted(t *testing.T) {
	l := webtest.Start(t, nil)
	secret := l.Do("PUT", "/api/v1/profiles/a.proftext?visibility=unlisted",
		bytes.NewReader(webtest.File(t, "oracles/base.proftext"))).Object(t)["id"]
	made := l.Do("POST", "/api/v1/merge", mergeOf(t, "", secret, 1)).Object(t)
	if made["visibility"] != string(catalog.Unlisted) {
		t.Errorf("a sum of an unlisted profile is %v", made["visibility"])
	}
	listed := l.Do("POST", "/api/v1/merge", mergeOf(t, `,"visibility":"listed"`, secret, 1)).Object(t)
	if in := listed["merged"].(map[string]any)["inputs"].([]any)[0].(map[string]any); listed["visibility"] != "listed" ||
		in["id"] != nil || in["name"] != "a.proftext" {
		t.Errorf("a listed sum tells %v", in)
	}
}

// The document describes comparing and merging, and the answers are as it says.
func TestOpenAPICompare(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	const path = "/api/v1/compare"
	var columns []string
	for name := range doc.Components.Schemas["Pair"].Value.Properties {
		columns = append(columns, name)
	}
	want := slices.Sorted(slices.Values(table.ColumnNames(instrdb.Pairs.Columns())))
	if !slices.Equal(slices.Sorted(slices.Values(columns)), want) {
		t.Errorf("the document lists %v, the table has %v", columns, want)
	}
	for _, files := range [][2]string{{"base.proftext", "test.proftext"}, {"fe_c.profdata", "fe_vp.profdata"}} {
		at := "/api/v1/compare?base=" + l.Put(files[0], webtest.File(t, "oracles/"+files[0]))["id"].(string) +
			"&test=" + l.Put(files[1], webtest.File(t, "oracles/"+files[1]))["id"].(string)
		for _, query := range []string{
			"", "&counts=string", "&cols=name,change", "&format=csv", "&format=ndjson", "&format=text", "&limit=0", "&x=1",
		} {
			webtest.Validate(t, doc, path, l.Get(at+query))
		}
	}
	webtest.Validate(t, doc, path, l.Get(path+"?base=a&test=b"))
	id := l.Put("a.proftext", webtest.File(t, "oracles/base.proftext"))["id"]
	fe := l.Put("fe.profdata", webtest.File(t, "oracles/fe_c.profdata"))["id"]
	made := l.Do("POST", "/api/v1/merge", mergeOf(t, `,"labels":{"a":"b"},"expires":"7d"`, id, 2, id, 1))
	webtest.Validate(t, doc, "/api/v1/merge", made)
	webtest.Validate(t, doc, "/api/v1/merge", l.Do("POST", "/api/v1/merge", mergeOf(t, "", id, 1, fe, 1)))
	webtest.Validate(t, doc, "/api/v1/merge", l.Do("POST", "/api/v1/merge", mergeOf(t, "")))
	webtest.Validate(t, doc, "/api/v1/profiles/{id}", l.OK("/api/v1/profiles/"+made.Object(t)["id"].(string)))
}

// The list of profiles leads to the form with what was chosen in it.
func TestMergePage(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Put("a.profdata", webtest.File(t, "oracles/ir_c.profdata"))["id"].(string)
	b := l.Put("b.profdata", webtest.File(t, "oracles/ir_weighted.profdata"))["id"].(string)
	other := l.Put("other.proftext", webtest.File(t, "oracles/base.proftext"))["id"].(string)
	samples := strings.TrimPrefix(webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip")), "/api/v1/profiles/")
	doc := l.Page("/merge?id="+a+"&id="+b+"&id="+other+"&weight=1&weight=5&weight=2", http.StatusOK)
	var values []string
	for _, in := range webtest.All(doc, webtest.Tag("input")) {
		if name := webtest.Attr(in, "name"); name == "weight" || name == "id" {
			values = append(values, webtest.Attr(in, "value"))
		}
	}
	if want := []string{a, "1", b, "5", other, "2"}; !slices.Equal(values, want) {
		t.Errorf("the form has %v, want %v", values, want)
	}
	for query, want := range map[string]string{
		"id=" + a: "two or more", "": "two or more", "id=" + a + "&id=" + samples: "cannot be merged",
	} {
		if said := webtest.Text(webtest.ByTestID(t, l.Page("/merge?"+query, http.StatusOK),
			"refused")); !strings.Contains(said, want) {
			t.Errorf("%q: %q", query, said)
		}
	}
	l.Page("/merge?id="+a+"&id="+b+"&weight=1", http.StatusBadRequest)
	l.Page("/merge?id=none", http.StatusNotFound)
	for _, ids := range []string{"id=" + a + "&id=" + b, "id=" + b + "&id=" + a} {
		to := l.Do("GET", "/compare?"+ids, nil, "Accept", "text/html").Header.Get("Location")
		if to != "/compare/"+a+"..."+b {
			t.Errorf("%s leads to %s", ids, to)
		}
	}
	l.Page("/compare?id="+a+"&id="+b+"&id="+other, http.StatusBadRequest)
}

// The form says beforehand what the merge would say, at the profile that does not fit.
func TestMergePageSaysWhatDoesNotFit(t *testing.T) {
	l := webtest.Start(t, nil)
	put := func(name, file string) string { return l.Put(name, webtest.File(t, file))["id"].(string) }
	ir, again := put("ir.profdata", "oracles/ir_c.profdata"), put("again.profdata", "oracles/ir_weighted.profdata")
	fe := put("fe.profdata", "oracles/fe_c.profdata")
	doc := l.Page("/merge?id="+ir+"&id="+fe+"&id="+again+"&weight=1&weight=2&weight=3", http.StatusOK)
	unfit := webtest.AllByTestID(doc, "unfit")
	if len(unfit) != 1 || !strings.Contains(webtest.Said(unfit[0]),
		"It does not fit ir.profdata. One has front-end instrumentation, the other IR") {
		t.Errorf("it says %v", unfit)
	}
	disabled := func(doc *html.Node) bool {
		all := webtest.All(webtest.ByTestID(t, doc, "merge"), webtest.Tag("button"))
		return slices.ContainsFunc(all[len(all)-1].Attr, func(a html.Attribute) bool { return a.Key == "disabled" })
	}
	if !disabled(doc) {
		t.Error("the button is not disabled")
	}
	fits := l.Page(webtest.LinkTo(t, doc, "Leave it out"), http.StatusOK)
	var weights []string
	for _, in := range webtest.All(fits, webtest.Tag("input")) {
		if webtest.Attr(in, "name") == "weight" {
			weights = append(weights, webtest.Attr(in, "value"))
		}
	}
	if disabled(fits) || !slices.Equal(weights, []string{"1", "3"}) {
		t.Errorf("without it the form has weights %v", weights)
	}
	compared := l.Page("/compare/"+ir+"..."+fe, http.StatusOK)
	if said := webtest.Said(webtest.ByTestID(t, compared, "refused")); !strings.Contains(said,
		"B cannot be merged. It does not fit ir.profdata") || !disabled(compared) {
		t.Errorf("the comparison's menu says %q", said)
	}
	if disabled(l.Page("/compare/"+ir+"..."+again, http.StatusOK)) {
		t.Error("two that can be merged cannot from their comparison")
	}
	part := l.Put("cut.profraw?salvage=1", webtest.File(t, "ir_c.profraw")[:4000])["id"].(string)
	if said := webtest.Said(webtest.ByTestID(t, l.Page("/merge?id="+ir+"&id="+part, http.StatusOK),
		"unfit")); !strings.Contains(said, "Only its beginning could be read") {
		t.Errorf("of a part it says %q", said)
	}
}
