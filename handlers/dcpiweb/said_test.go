package dcpiweb_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// The overview's tables, a terminal and the pages' sentences say of events, headers and procedures what the
// API has; what there is none of is not mentioned.
func TestWhatIsSaidOfSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	db := filepath.Join(webtest.Root(), "decode/dcpi/testdata/db")
	one := webtest.API(l.Together(webtest.Files(t, db, "app.nm", "9711040900/pecan/app_660b03cd5eed_cycles")...))
	for at, several := range map[string]bool{
		webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm")): true, twoImages(l): true, one: false,
	} {
		page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
		procedures := l.OK(at + "/procedures?limit=1000").Object(t)
		items := procedures["items"].([]any)
		doc := l.Page(page, 200)
		seen := 0
		for _, row := range webtest.Grid(doc) {
			if row.Cells["cum_share"] == "" || seen >= len(items) {
				continue
			}
			item := items[seen].(map[string]any)
			for column, text := range row.Cells {
				if n, ok := item[column].(json.Number); ok && !webtest.Numbered(text, n) {
					t.Errorf("%s: %s of row %d is %q, %s in the API", page, column, seen, text, n)
				}
			}
			if row.Cells["cycles_share"] == "" || row.Cells["imiss_share"] != "" {
				t.Errorf("%s: row %d has shares of other events than the first: %v", page, seen, row.Cells)
			}
			seen++
		}
		if seen == 0 {
			t.Errorf("%s has no procedures", page)
		}
		said := strings.Join(strings.Fields(webtest.Said(doc)), " ")
		odd, headers := 0, 0
		for _, item := range l.OK(at + "/export/json?table=dcpi-profiles").Object(t)["items"].([]any) {
			n, ok := item.(map[string]any)["header_bytes"].(json.Number)
			if bytes, err := strconv.Atoi(n.String()); ok && err == nil {
				if headers++; bytes%4 != 0 {
					odd++
				}
			}
		}
		if want := fmt.Sprintf("Header length %d of %d not a multiple of 4 bytes", odd, headers); headers > 1 && odd > 0 &&
			!strings.Contains(said, want) {
			t.Errorf("%s does not say %q", page, want)
		}
		text := l.OK(page, webtest.Terminal...).Text()
		for _, c := range procedures["columns"].([]any) {
			c := c.(map[string]any)
			if want := fmt.Sprintf("%v", c["samples"]); !strings.Contains(text, want) || !strings.Contains(text,
				"one every "+fmt.Sprint(c["period"])) {
				t.Errorf("%s: a terminal does not read of %v: %s", page, c, text)
			}
		}
		total := 0
		for _, item := range items {
			total += webtest.Number(t, item.(map[string]any), "cycles")
		}
		for i, item := range items {
			item := item.(map[string]any)
			n := webtest.Number(t, item, "cycles")
			if i >= 5 || n == 0 {
				break
			}
			name, _ := item["procedure"].(string) // none of a range
			want := fmt.Sprintf("%d  %6.2f%%  %s", n, 100*float64(n)/float64(total), name)
			if !strings.Contains(text, want) {
				t.Errorf("%s: a terminal does not read %q:\n%s", page, want, text)
			}
		}
		list := l.Page(page+"/procedures", 200)
		switches := webtest.All(list, func(n *html.Node) bool {
			return n.Data == "nav" && webtest.Attr(n, "aria-label") == "Columns"
		})
		if (len(switches) > 0) != several {
			t.Errorf("%s: columns can be chosen: %v", page, !several)
		}
		for _, all := range []string{text, webtest.Said(list), said} {
			if strings.Contains(all, "other events") || strings.Contains(all, "left out") ||
				strings.Contains(all, " and 0 more") ||
				strings.Contains(all, "more profiles are in the table") {
				t.Errorf("%s says of further events: %s", page, all)
			}
		}
		if a := l.Get(page + "/card.png"); a.StatusCode != 200 || len(a.Bytes) < 1000 {
			t.Errorf("%s: the card is %s", page, a.Status)
		}
	}
}

// A function of counters is found among the procedures of samples, and what is no procedure is not.
func TestFunctionsAreFoundAmongProcedures(t *testing.T) {
	l := webtest.Start(t, nil)
	db := filepath.Join(webtest.Root(), "decode/dcpi/testdata/db")
	file := "9711040900/pecan/app_660b03cd5eed_cycles"
	named := l.InProject("p", webtest.Files(t, db, "app.nm", file)...)
	l.Suggested(named, "/procedures?q=a", "procedure", "cycles")
	l.InProject("p", webtest.Files(t, db, file)...) // ranges of addresses
	counters := l.InProject("p", "a.proftext", []byte(":ir\nmain\n1\n1\n5\n\nnowhere\n2\n1\n5\n"))
	var main map[string]any
	for _, item := range l.OK(named + "/procedures").Object(t)["items"].([]any) {
		if item := item.(map[string]any); item["procedure"] == "main" {
			main = item
		}
	}
	for _, f := range l.OK(counters + "/functions").Object(t)["items"].([]any) {
		f := f.(map[string]any)
		found := l.OK(counters + "/functions/" + f["fid"].(string) + "/elsewhere").Object(t)["items"].([]any)
		want := map[any]int{"main": 1, "nowhere": 0}[f["name"]]
		if len(found) != want {
			t.Errorf("%v is found in %d profiles, want %d: %v", f["name"], len(found), want, found)
			continue
		}
		for _, one := range found {
			one := one.(map[string]any)
			share, _ := main["cycles_share"].(json.Number).Float64()
			got, _ := one["share"].(json.Number).Float64()
			if webtest.API(one["profile"].(string)) != named || one["total"] != main["cycles"] ||
				humanize.Percent(got, 3) != humanize.Percent(share, 3) {
				t.Errorf("main is found as %v, want %v", one, main)
			}
		}
	}
}
