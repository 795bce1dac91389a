package memprofweb_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// The form of the filters keeps what it has no field for, and no dot of the plot stands on the
// figures of its axes.
func TestFormKeepsFocus(t *testing.T) {
	l := webtest.Start(t, nil)
	at := strings.Replace(webtest.PutMemProf(l, "mem_prune.profdata"), "/api/v1/profiles", "/p", 1)
	kept := 0
	for _, field := range webtest.All(l.Page(at+"/sites?by=context&focus=main&class=cold", http.StatusOK),
		webtest.Tag("input")) {
		if webtest.Attr(field, "name") == "focus" && webtest.Attr(field, "value") == "main" {
			kept++
		}
	}
	if kept < 2 { // the words, the form and the ranges
		t.Errorf("%d forms keep what only stacks have", kept)
	}
	dots := 0
	at = strings.Replace(webtest.PutMemProf(l, "mem_hist.memprofraw"), "/api/v1/profiles", "/p", 1)
	for _, dot := range webtest.All(l.Page(at+"/lifetimes", http.StatusOK), webtest.Tag("circle")) {
		if strings.HasPrefix(webtest.Attr(dot, "class"), "scatter-dot") {
			if dots++; dot.Parent.Data != "svg" || dot.Parent.Parent.Data != "svg" {
				t.Error("a dot is not cut at the edge of the plot")
			}
		}
	}
	if dots == 0 {
		t.Error("the plot has no dots")
	}
}

// The page of lifetimes says which part of the bytes dies at once and which lives long, as the API has them.
func TestLifetimesSay(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, name := range []string{"mem_cold_v4.profdata", "mem_hist.memprofraw"} {
		at := webtest.PutMemProf(l, name)
		bytes := func(query string) (sum float64) {
			for _, item := range l.OK(at + "/allocations?limit=1000" + query).Object(t)["items"].([]any) {
				n, err := item.(map[string]any)["bytes"].(json.Number).Float64()
				if err != nil {
					t.Fatal(err)
				}
				sum += n
			}
			return sum
		}
		all := bytes("")
		part := func(query string) string {
			return strings.ReplaceAll(humanize.PartPercent(bytes(query), all, 1), "\u00a0", " ")
		}
		l.Says(webtest.Page(strings.TrimPrefix(at, webtest.API("")))+"/lifetimes", part("&lifetime=..10")+
			" of the bytes live 10 ms or less, "+part("&lifetime=200..")+" live 200 ms or more, by the mean of each context.")
	}
}
