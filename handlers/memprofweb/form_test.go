package memprofweb_test

import (
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"
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
