package handlers_test

import (
	"bytes"
	"net/http"
	"os"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A finding that counts rows leads to these rows, and to no others.
func TestFindingsLeadToTheirRows(t *testing.T) {
	l := webtest.Start(t, nil)
	file := func(name string) []byte {
		data, err := os.ReadFile(webtest.Root() + "/decode/mip/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	two := file("hand/two_covblk.mip")
	other := bytes.Clone(two)
	other[40+20]++ // ControlFlowGraphSignature of the first function
	pseudo := []byte(":ir\nf\n1\n1\n18446744073709551615\n\ng\n2\n1\n5\n\nh\n3\n1\n18446744073709551614\n\nnever\n4\n1\n0\n")
	for code, at := range map[string]string{
		"mip.blocks_differ":     webtest.API(l.Together("a.mip", two, "b.mip", other)),
		"mip.unnamed_functions": webtest.PutMIP(l, "variants/no_names.mip"),
		"instr.pseudo_counts":   webtest.API(l.Upload("pseudo.proftext", pseudo)),
		"instr.never_ran":       webtest.API(l.Upload("pseudo.proftext", pseudo)),
	} {
		message, count := "", 0
		for _, item := range l.OK(at + "/diagnostics").Object(t)["items"].([]any) {
			if f := item.(map[string]any); f["code"] == code {
				message, count = f["message"].(string), webtest.Number(t, f, "count")
			}
		}
		page := l.Page("/p"+strings.TrimPrefix(at, "/api/v1/profiles"), http.StatusOK)
		var link string
		for _, line := range webtest.All(webtest.ByTestID(t, page, "findings"), webtest.Tag("li")) {
			if strings.Contains(strings.ToLower(webtest.Said(line)), strings.ToLower(message)) && count > 0 {
				link = webtest.LinkTo(t, line, "Show them")
			}
		}
		path, query, _ := strings.Cut(link, "?")
		if query == "" || !strings.HasSuffix(path, "/functions") {
			t.Errorf("%s leads to %q", code, link)
			continue
		}
		if rows := webtest.Number(t, l.OK(at+"/functions?"+query).Object(t), "total"); rows != count {
			t.Errorf("%s counts %d functions and leads to %d", code, count, rows)
		}
		l.Page(link, http.StatusOK)
	}
	heap := webtest.PutMemProf(l, "mem_cold_v4.profdata")
	if cut := l.OK(heap + "/allocations?truncated=true").Object(t); webtest.Number(t, cut, "total") != 0 {
		t.Errorf("an indexed profile does not know what is cut off: %v", cut)
	}
	whole := l.Page("/p"+strings.TrimPrefix(heap, "/api/v1/profiles")+"/sites?by=context&truncated=true", http.StatusOK)
	if said := webtest.Said(whole); !strings.Contains(said, "stack cut off at the root") {
		t.Error("the filter by cut stacks is not said")
	}
}
