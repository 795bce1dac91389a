package handlers_test

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A profile of several programs is called by two, or by the first of them and how many more there are.
func TestNamedByPrograms(t *testing.T) {
	l := webtest.Start(t, nil)
	covmap := filepath.Join(webtest.Root(), "decode/covmap/testdata")
	for want, names := range map[string][]string{
		"rules.exe, 1 run, source coverage": {"clang-22/rules/rules.exe", "clang-22/rules/rules.profraw"},
		"rules.exe and uni.exe, 1 run, source coverage": {
			"clang-22/rules/rules.exe", "clang-22/uni/uni.exe", "clang-22/rules/rules.profraw",
		},
		// Of cargo's hash only what tells two apart.
		"rules, 1 run, source coverage": {
			"clang-22/rules/rules.exe as rules-0123456789abcdef", "clang-22/rules/rules.profraw",
		},
		"rules-0123456789abcdef and rules-0123456789abcdee, 1 run, source coverage": {
			"clang-22/rules/rules.exe as rules-0123456789abcdef", "clang-22/uni/uni.exe as rules-0123456789abcdee",
			"clang-22/rules/rules.profraw",
		},
		"rules.exe and 2 more, 1 run, source coverage": {
			"clang-22/rules/rules.exe", "clang-22/uni/uni.exe", "clang-22/lto/lto.exe", "clang-22/rules/rules.profraw",
		},
	} {
		parts := []string{"group", "one"}
		for _, name := range names {
			name, as, _ := strings.Cut(name, " as ")
			parts = append(parts, "file:"+cmp.Or(as, filepath.Base(name)), string(webtest.Files(t, covmap, name)[1].([]byte)))
		}
		body, form := webtest.Form(t, parts...)
		p := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", form).Object(t)
		if p["name"] != want {
			t.Errorf("%v is called %v", names, p["name"])
		}
	}
}

// A build is placed by fields of an upload, and by who holds the token later.
func TestNamingLater(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Do("PUT", "/api/v1/profiles/ir_c.profraw?project=tree&branch=main&commit=abc1234&workload=bench&label=cpu%3Dx86",
		strings.NewReader(string(webtest.File(t, "ir_c.profraw"))))
	p := a.Object(t)
	if got := fmt.Sprint(p["labels"]); got != "map[branch:main commit:abc1234 cpu:x86 workload:bench]" {
		t.Errorf("labels %s", got)
	}
	id, token := p["id"].(string), p["delete_token"].(string)
	patch := func(body, token string) *webtest.Answer {
		return l.Do("PATCH", "/api/v1/profiles/"+id, strings.NewReader(body), "X-Delete-Token", token)
	}
	if got := patch(`{"name":"x"}`, "no"); got.StatusCode != http.StatusForbidden {
		t.Errorf("with another token: %s", got.Status)
	}
	for _, body := range []string{`{`, `{"state":"ready"}`, `{"labels":{"a=b":"c"}}`, `{"name":"a\u0007"}`} {
		if got := patch(body, token); got.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %s", body, got.Status)
		}
	}
	p = patch(`{"project":"forest","labels":{"branch":"release/2","workload":null,"night":"17"}}`, token).Object(t)
	if p["name"] != "ir_c.profraw" || p["project"] != "forest" ||
		fmt.Sprint(p["labels"]) != "map[branch:release/2 commit:abc1234 cpu:x86 night:17]" {
		t.Errorf("%v %v %v", p["name"], p["project"], p["labels"])
	}
	if page := l.OK("/p/"+id+"/labels", "Accept", "text/html").Text(); !strings.Contains(page, "night=17") ||
		!strings.Contains(page, "/labels\">Name and labels") {
		t.Error("the form has not what there is")
	}
	form := func(values url.Values) *webtest.Answer {
		return l.Do("POST", "/p/"+id+"/labels", strings.NewReader(values.Encode()), asForm...)
	}
	if got := form(url.Values{"name": {"y"}, "labels": {"branch"},
		"token": {token}}); got.StatusCode != http.StatusBadRequest || !strings.Contains(got.Text(), "is not a label") {
		t.Errorf("a label without a value: %s", got.Status)
	}
	if got := form(url.Values{"name": {"y"}, "token": {"no"}}); got.StatusCode != http.StatusForbidden ||
		!strings.Contains(got.Text(), `value="y"`) {
		t.Errorf("another token: %s", got.Status)
	}
	form(url.Values{
		"name": {"one run"}, "project": {"forest"}, "labels": {"branch=main\r\ncommit=def\r\n"}, "token": {token},
	})
	p = l.OK("/api/v1/profiles/" + id).Object(t)
	if p["name"] != "one run" || fmt.Sprint(p["labels"]) != "map[branch:main commit:def]" {
		t.Errorf("%v %v", p["name"], p["labels"])
	}
}

// The list is filtered by where builds belong, and grouped by it.
func TestGroupedList(t *testing.T) {
	l := webtest.Start(t, nil)
	for i, of := range []string{
		"project=tree&branch=main", "project=tree&branch=next", "project=bush&branch=main&label=night%3D7", "",
	} {
		body := strings.NewReader(fmt.Sprintf(":ir\nf\n1\n1\n%d\n", i+1))
		if a := l.Do("PUT", "/api/v1/profiles/a.proftext?visibility=listed&"+of, body); a.StatusCode != http.StatusCreated {
			t.Fatalf("%s: %s", a.Status, a.Bytes)
		}
	}
	groups := func(query string) (list []string) {
		a := l.OK("/api/v1/profiles?" + query)
		webtest.Validate(t, webtest.Document(t), "/api/v1/profiles", a)
		for _, item := range a.Object(t)["items"].([]any) {
			g := item.(map[string]any)
			list = append(list, fmt.Sprint(g["value"], g["profiles"]))
			if got := l.OK(g["links"].(map[string]any)["profiles"].(string)).Object(t)["total"]; got != g["profiles"] {
				t.Errorf("%s: the link leads to %v", g["value"], got)
			}
		}
		return list
	}
	for query, want := range map[string]string{
		"group=project": "[bush1 tree2]", "group=branch": "[main2 next1]", "group=branch&project=tree": "[next1 main1]",
		"group=night": "[71]", "group=commit": "[]",
		"group=project&branch=main": "[bush1 tree1]",
	} {
		if got := fmt.Sprint(groups(query)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
	if page := l.OK("/?group=branch&project=tree", "Accept", "text/html").Text(); !strings.Contains(
		page, "branch=next&amp;project=tree") {
		t.Error("the page does not lead to a group")
	}
	if page := l.OK("/?group=commit", "Accept", "text/html").Text(); !strings.Contains(
		page, "No profile has this: commit") {
		t.Error("the page does not say that there is none")
	}
}
