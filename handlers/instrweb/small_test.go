package instrweb_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// A profile of four records, of which two share a name and one never ran, is told whole: on its pages, to a
// terminal, as tables, and beside samples of the program.
func TestWhatIsSaidOfFewRecords(t *testing.T) {
	l := webtest.Start(t, nil)
	id := l.Upload("few.proftext",
		[]byte(":ir\nmain\n1\n2\n50\n30\n\nmain\n2\n1\n4\n\nidle\n3\n1\n0\n\nwork\n4\n3\n7\n0\n9\n\n"))
	page, api := webtest.Page(id), webtest.API(id)
	work := "/functions/" + l.OK(api+"/functions?q=work").Column(t, "fid")[0]
	l.Says(page+"/functions",
		"1 main 2 hashes hot 80 80.00 % 80.0 % 50 2 0 2 work hot 16 16.00 % 96.0 % 9 3 1 3 main 2 hashes",
		"4 idle never 0 0 % 100 % 0 1 1 rows 1–4 of 4 shown hold 100 %", "cold ≤ 4 hot ≥ 4", "!merged from",
		"!of 4 match")
	l.Says(page+"/functions?merge=names", "1 main ×2 hot 84 84.00 % 84.0 % 50 3 0 2 work hot 16",
		"rows 1–3 of 3, merged from 4 records",
		"/functions?named=main", "!cs=")
	l.Says(page+"/functions?q=work", "1 of 4 match", "matching hold 16.0 % of the count")
	l.Says(page+work, "← 1 main 3 → main Linkage name work",
		"9 counter 2, 56.3 % of the function Counters ? 3 1 is zero",
		"0 7 1 0 2 maximum 9 Added")
	l.Says(page+"/tree", "3 of 4 functions executed (75.0 %); 5 of 7 counters above 0 (71.4 %); 100 % of the total ?",
		"Never executed: 1", "no path 4 ◐ 3 75.0 % 1 7 2 100 100 % rows 1–1 of 1")
	l.Says(page, "Hot threshold ? 4 99 % cutoff Cold threshold ? 4 99.9999 % cutoff",
		"1 80.00 % 2 96.00 % 3 100 % 4 100 %",
		"2 28.57 % 1 0 0 % 2–3 0 0 % 4–7 2 28.57 % 8–15 1 14.29 %", "60 % 2 30 70 % 2 30 80 % 2 30 90 % 4 7 95 %")
	if text := l.OK(page, webtest.Terminal...).Text(); !strings.Contains(text, "\nhottest functions, by total\n"+
		"  hot    80   80.00%  main\n  hot    16   16.00%  work\n  hot     4    4.00%  main\n\n") || !strings.Contains(text,
		"all functions") {
		t.Errorf("a terminal reads\n%s", text)
	}
	for query, want := range map[string]string{"": "0,7 1,0 2,9", "&sort=-count": "2,9 0,7 1,0",
		"&sort=count": "1,0 0,7 2,9"} {
		var got []string
		for row := range strings.Lines(l.OK(api + work + "?format=csv" + query).Text()) {
			if cells := strings.Split(row, ","); cells[2] != "index" {
				got = append(got, cells[2]+","+cells[3])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("counters by %q are %q, want %s", query, got, want)
		}
	}
	none := l.Upload("none.proftext", []byte(":ir\nidle\n3\n1\n0\n\n"))
	if text := l.OK(webtest.Page(none), webtest.Terminal...).Text(); strings.Contains(text, "hottest functions") {
		t.Errorf("a terminal reads of nothing\n%s", text)
	}
	l.Says(webtest.Page(none)+"/functions", "1 idle never 0 0 % 0 % 0 1 1 rows 1–1 of 1", "!cold ≤")
	sampled := l.Upload("few.afdotext", []byte("main:84:1\n 1: 84\nwork:16:1\n 1: 16\n"))
	object := l.OK("/api/v1/compare/" + sampled + "..." + id + "?min=0").Object(t)
	figures, matched := object["figures"].(map[string]any), object["states"].(map[string]any)["matched"]
	if got := fmt.Sprintln(figures["common"], figures["agreement"],
		matched); got != "2 1 map[base:100 rows:2 test:100]\n" {
		t.Errorf("beside samples there are %s", got)
	}
	if a := l.Get(page + "/card.png"); a.StatusCode != 200 {
		t.Errorf("the card is %s", a.Status)
	}
}

// The inspector of a vtable has the sites that saw it, that of the addresses in none has no name.
func TestInspectedVTables(t *testing.T) {
	data, err := os.ReadFile(webtest.Root() + "/decode/instrprof/testdata/vtables/vtables.profraw")
	if err != nil {
		t.Fatal(err)
	}
	l := webtest.Start(t, nil)
	page := webtest.Page(l.Upload("vtables.profraw", data))
	for fid, want := range map[string]string{
		"5163479efb7ab913": "0x5163479efb7ab913 areas site 0, 1 000 ids site 0, 300", "0000000000000000": " whats site 0, 40",
		"a68a2c74e8e0b115": "0xa68a2c74e8e0b115 areas site 0, 1 000",
	} {
		facts := webtest.Facts(l, page+"/vtables?sel="+fid)
		if got := facts["NameRef"] + " " + facts["Sites most calls first"]; got != want {
			t.Errorf("%s: %q, want %q", fid, got, want)
		}
		l.Says(page+"/vtables?sel="+fid, "!more site")
	}
}
