package memprofweb_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// The page of cloning says of other thresholds how many contexts change class, which are as many as its link
// selects, and how many are of each class then; of the usual ones nothing changes, and that no site needs
// cloning only where none does.
func TestCloningSaysWhatItsListsHave(t *testing.T) {
	l := webtest.Start(t, nil)
	seen := map[bool]int{}
	for _, file := range []string{"mem_prune.profdata", "mem_hist.memprofraw", "mem_cold_v4.profdata"} {
		at := webtest.PutMemProf(l, file)
		page := strings.Replace(at, "/api/v1/profiles", "/p", 1)
		number := func(path string) int { return webtest.Number(t, l.OK(at+path).Object(t), "total") }
		contexts := func(query, more string) int {
			return webtest.Number(t, l.OK(page+"/sites?by=context&format=json"+strings.Replace(query, "?", "&", 1)+more).
				Object(t), "total")
		}
		for _, query := range []string{
			"", "?cold_density=1&cold_lifetime=0", "?cold_lifetime=0", "?cold_density=1", "?hot_density=1",
		} {
			doc := l.Page(page+"/cloning"+query, http.StatusOK)
			said := strings.Join(strings.Fields(webtest.Said(doc)), " ")
			changed := contexts(query, "&changed=true")
			says := strings.ReplaceAll(humanize.Plural(changed, "context changes", "contexts change"), humanize.NumberSpace,
				" ") + " class."
			if strings.Contains(said, says) != (query != "") {
				t.Errorf("%s%s says %q: %v", file, query, says, query == "")
			}
			to := ""
			for _, a := range webtest.All(doc, webtest.Tag("a")) {
				if webtest.Said(a) == "All of them" {
					to = webtest.Attr(a, "href")
				}
			}
			if (to != "") != (query != "" && changed > 0) {
				t.Errorf("%s%s leads to %d contexts that change: %q", file, query, changed, to)
			} else if to != "" {
				if n := webtest.Number(t, l.OK(to+"&format=json").Object(t), "total"); n != changed {
					t.Errorf("%s%s leads to %d contexts, want %d: %s", file, query, n, changed, to)
				}
			}
			sites := number("/cloning" + query)
			if none := strings.Contains(said, "No site needs cloning"); none != (sites == 0) {
				t.Errorf("%s%s says that no site of %d needs cloning: %v", file, query, sites, none)
			}
			seen[sites == 0]++
			for _, tr := range webtest.All(webtest.ByTestID(t, doc, "before-after"), webtest.Tag("tr"))[1:] {
				class := strings.NewReplacer(" ", "", "●", "").Replace(webtest.Said(webtest.All(tr, webtest.Tag("th"))[0]))
				cells, want := webtest.All(tr, webtest.Tag("td")), []int{contexts("", "&class="+class)}
				if query != "" {
					want = append(want, contexts(query, "&class="+class))
				}
				for i, n := range want {
					if len(cells) != 2*len(want) || webtest.Said(cells[2*i]) != fmt.Sprint(n) {
						t.Errorf("%s%s: %q contexts are %s, want %d", file, query, webtest.Said(tr), class, n)
					}
				}
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("sites that need cloning: %v", seen)
	}
}
