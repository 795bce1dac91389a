package projectweb_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

const ruleText = "[gate]\nmin_coverage = 75\nmin_overlap = 95\nmax_cold_bytes_growth = 10\n"

// The rules that are kept judge the newest build. What it lacks never passes.
func TestGate(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	ids := invent(t, l, step("app", 4, 3))
	doc := webtest.Document(t)
	none := l.OK("/api/v1/projects/app/gate")
	webtest.Validate(t, doc, "/api/v1/projects/{project}/gate", none)
	if badge := l.OK("/projects/app/badge/main.svg").Text(); !strings.Contains(badge, "lines covered") {
		t.Errorf("without rules the badge is %s", badge)
	}
	put := l.Do("PUT", "/api/v1/projects/app/rules", strings.NewReader(ruleText))
	if webtest.Validate(t, doc, "/api/v1/projects/{project}/rules", put); put.StatusCode != http.StatusNoContent {
		t.Fatal(put.Status, put.Text())
	}
	kept := l.OK("/api/v1/projects/app/rules")
	if webtest.Validate(t, doc, "/api/v1/projects/{project}/rules", kept); kept.Text() != ruleText {
		t.Errorf("kept: %q", kept.Text())
	}
	a := l.OK("/api/v1/projects/app/gate")
	webtest.Validate(t, doc, "/api/v1/projects/{project}/gate", a)
	o := a.Object(t)
	said := ""
	for _, r := range o["rules"].([]any) {
		rule := r.(map[string]any)
		said += rule["rule"].(string) + " " + rule["outcome"].(string) + "; "
	}
	if said != "min_coverage fail; min_overlap pass; max_cold_bytes_growth missing; " || o["passed"] != false ||
		o["pending"] != false {
		t.Errorf("%s %v", said, o["passed"])
	}
	if base := o["base_build"].(map[string]any); base["commit"] != commit(2) ||
		o["test_build"].(map[string]any)["commit"] != commit(3) {
		t.Errorf("%v was judged", base["commit"])
	}
	panel := webtest.Said(webtest.ByTestID(t, l.Page("/projects/app", http.StatusOK), "gate"))
	for _, want := range []string{
		"▾ fail min_coverage ≥ 75 % 734 of 1 000, 73.4 %", "● pass min_overlap ≥ 95 % 98.0 %",
		"○ missing max_cold_bytes_growth ≤ +10 % no heap profile",
	} {
		if !strings.Contains(panel, want) {
			t.Errorf("the panel lacks %q: %s", want, panel)
		}
	}
	if report := webtest.ByTestID(t, l.Page("/projects/app/gate", http.StatusOK), "gate"); webtest.LinkTo(t, report,
		"Compare") != "/compare/"+ids[2]+"..."+ids[3]+"?family=instr" || len(webtest.AllByTestID(report, "rule")) != 3 {
		t.Error("the report does not lead to the comparison, or has not all rules")
	}
	chart := l.Page("/projects/app", http.StatusOK) // of the first rule's measure
	if limits := webtest.All(chart, class("trend-limit")); len(limits) != 1 ||
		!strings.Contains(webtest.Said(chart), "gate: at least 75 %") {
		t.Errorf("%d limits on the chart", len(limits))
	}
	for query, want := range map[string]string{
		"": "app main: 2 of 3 fail", "?measure=coverage": "app main: 73.40 % lines covered",
		"?measure=overlap": "98.00 % overlap", "?measure=none": "no none",
	} {
		if badge := l.OK("/projects/app/badge/main.svg" +
			query).Text(); !strings.Contains(strings.ReplaceAll(badge, "\u00a0", " "), want) &&
			!strings.Contains(strings.ReplaceAll(badge, "%", " %"), want) {
			t.Errorf("the badge of %q is %s", query, badge)
		}
	}
	for path, status := range map[string]int{
		"badge/main": 404, "badge/none.svg": 404, "badge/main.svg?x=1": 400, "badge/main.svg?workload=none": 400,
	} {
		if a := l.Get("/projects/app/" + path); a.StatusCode != status {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
}

// The first build of a branch is judged by limits alone; the API says that there is no base.
func TestGateOfTheFirstBuild(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	invent(t, l, step("app", 1, 9))
	if a := l.Do("PUT", "/api/v1/projects/app/rules",
		strings.NewReader("[gate]\nmin_coverage = 75\nmin_overlap = 95\n")); a.StatusCode != http.StatusNoContent {
		t.Fatal(a.Text())
	}
	page := l.Page("/projects/app", http.StatusOK)
	if said := webtest.Said(webtest.ByTestID(t, page, "gate")); !strings.Contains(said, "● pass min_coverage") ||
		!strings.Contains(said, "– no base min_overlap ≥ 95 % no build before") {
		t.Errorf("the panel says %q", said)
	}
	if said := webtest.Said(webtest.ByTestID(t, page, "branches")); !strings.Contains(
		said, "● limits pass no build before") {
		t.Errorf("branches: %q", said)
	}
	o := l.OK("/api/v1/projects/app/gate").Object(t)
	if o["passed"] != false || o["base_build"] != nil {
		t.Errorf("%v", o)
	}
}

// While figures are being measured, nothing passes and nothing is said to be missing.
func TestGatePending(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	list := step("app", 2, 9)
	list[1].own, list[1].between = nil, nil
	invent(t, l, list)
	l.Do("PUT", "/api/v1/projects/app/rules", strings.NewReader(ruleText))
	if o := l.OK("/api/v1/projects/app/gate").Object(t); o["pending"] != true || o["passed"] != false {
		t.Errorf("%v", o)
	}
	if badge := l.OK("/projects/app/badge/main.svg").Text(); !strings.Contains(badge, "being measured") {
		t.Errorf("the badge is %s", badge)
	}
	if said := webtest.Said(webtest.ByTestID(t, l.Page("/projects/app", http.StatusOK), "gate")); !strings.Contains(said,
		"… measuring min_coverage") || strings.Contains(said, "pass") {
		t.Errorf("the panel says %q", said)
	}
}

// Rules are set by those who may upload, and only such as can be read.
func TestRules(t *testing.T) {
	l, _ := webtest.Idle(t, func(c *site.Config) { c.UploadToken = "secret" })
	invent(t, l, step("app", 1, 9))
	const at = "/api/v1/projects/app/rules"
	webtest.Problem(t, l.Get(at), http.StatusNotFound, "not_found")
	webtest.Problem(t, l.Do("PUT", at, strings.NewReader(ruleText)), http.StatusUnauthorized, "unauthorized")
	token := []string{"Authorization", "Bearer secret"}
	for _, wrong := range []string{"[gate]\nmin_nonsense = 1\n", "[gate\n", "x = 1\n", "\xff\xfe"} {
		webtest.Problem(t, l.Do("PUT", at, strings.NewReader(wrong), token...), http.StatusBadRequest, "bad_parameter")
	}
	webtest.Problem(t, l.Do("PUT", at, strings.NewReader(strings.Repeat("#", 1<<20)), token...),
		http.StatusRequestEntityTooLarge, "too_large")
	if a := l.Do("PUT", at, strings.NewReader(ruleText), token...); a.StatusCode != http.StatusNoContent {
		t.Fatal(a.Status)
	}
	page := l.Page("/projects/app/rules", http.StatusOK)
	if text := webtest.All(page, webtest.Tag("textarea")); len(text) != 1 ||
		!strings.Contains(webtest.Text(text[0]), "min_coverage = 75") {
		t.Error("the form does not have the rules")
	}
	send := func(form url.Values) *webtest.Answer {
		return l.Do("POST", "/projects/app/rules", strings.NewReader(form.Encode()), "Content-Type",
			"application/x-www-form-urlencoded", "Accept", "text/html", "Sec-Fetch-Site", "same-origin")
	}
	if a := send(url.Values{"rules": {"[gate]\r\nmin_overlap = 90\r\n"}}); a.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a token: %s", a.Status)
	}
	if a := send(url.Values{"rules": {"[gate]\r\nmin_overlap = 90\r\n"},
		"upload_token": {"secret"}}); a.StatusCode != http.StatusSeeOther ||
		a.Header.Get("Location") != "/projects/app/rules" {
		t.Errorf("%s to %s", a.Status, a.Header.Get("Location"))
	}
	if kept := l.OK(at).Text(); kept != "[gate]\nmin_overlap = 90\n" {
		t.Errorf("kept: %q", kept)
	}
	if a := send(url.Values{"rules": {"min ="}, "upload_token": {"secret"}}); a.StatusCode != http.StatusBadRequest {
		t.Errorf("rules that cannot be read: %s", a.Status)
	}
	if a := send(url.Values{"rules": {""}, "upload_token": {"secret"}}); a.StatusCode != http.StatusSeeOther {
		t.Errorf("%s", a.Status)
	}
	webtest.Problem(t, l.Get(at), http.StatusNotFound, "not_found")
}

// Rules that an older program has kept, and this one cannot read, are told.
func TestRulesThatCannotBeRead(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	invent(t, l, step("app", 2, 9))
	if err := l.Catalog.Projects().SetRules(t.Context(), "app", "[gate]\nmin_nonsense = 1\n", false); err != nil {
		t.Fatal(err)
	}
	if p := webtest.Problem(t, l.Get("/api/v1/projects/app/gate"), http.StatusUnprocessableEntity,
		"malformed"); !strings.Contains(p["detail"].(string), "min_nonsense") {
		t.Errorf("%v", p)
	}
	if said := webtest.Said(webtest.ByTestID(t, l.Page("/projects/app", http.StatusOK),
		"gate-fault")); !strings.Contains(said, "min_nonsense") {
		t.Errorf("%q", said)
	}
	l.Page("/projects/app/rules", http.StatusOK)
	l.Page("/projects/app/builds/"+commit(1), http.StatusOK)
}
