package rankweb_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

func put(t *testing.T, l *webtest.Server, path string) (id string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(webtest.Root(), path))
	if err != nil {
		t.Fatal(err)
	}
	return l.Put(filepath.Base(path), data)["id"].(string)
}

const samples, counts = "decode/sampleprof/testdata/llvm-22/line.afdotext", "handlers/rankweb/testdata/"

func number(t *testing.T, v any) float64 {
	t.Helper()
	f, err := v.(json.Number).Float64()
	if err != nil {
		t.Fatal(v, err)
	}
	return f
}

func rows(t *testing.T, a *webtest.Answer) (list []map[string]any) {
	t.Helper()
	for _, item := range a.Object(t)["items"].([]any) {
		list = append(list, item.(map[string]any))
	}
	return list
}

// Samples and counts of one program rank its functions alike, as far as agreement.py says,
// from either side.
func TestRanks(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	sampled := put(t, l, samples)
	for _, name := range []string{"ir.profdata", "frontend.profdata"} {
		golden, err := os.ReadFile("testdata/" + name + ".golden")
		if err != nil {
			t.Fatal(err)
		}
		counted := put(t, l, counts+name)
		api, page := "/api/v1/compare/"+sampled+"..."+counted, "/compare/"+sampled+"..."+counted
		answer := l.OK(api + "?min=0")
		webtest.Validate(t, doc, "/api/v1/compare/{pair}", answer)
		object := answer.Object(t)
		figures := object["figures"].(map[string]any)
		top := figures["tops"].([]any)[0].(map[string]any)
		if got := fmt.Sprintf("%v %.12f %v\n", figures["common"], number(t, figures["agreement"]),
			top["both"]); got != string(golden) {
			t.Errorf("%s: %sagreement.py says %s", name, got, golden)
		}
		if object["family"] != "ranks" || figures["base_unit"] != "samples" || figures["test_unit"] != "counts" {
			t.Errorf("%s: %v of %v and %v", name, object["family"], figures["base_unit"], figures["test_unit"])
		}
		var base, test float64
		for _, row := range rows(t, l.OK(api+"?state=matched,only_base,only_test&limit=1000")) {
			for side, sum := range map[string]*float64{"base_share": &base, "test_share": &test} {
				if row[side] != nil {
					*sum += number(t, row[side])
				}
			}
		}
		if base < 1-1e-9 || base > 1+1e-9 || test < 1-1e-9 || test > 1+1e-9 {
			t.Errorf("%s: the shares come to %v and %v", name, base, test)
		}
		back := l.OK("/api/v1/compare/" + counted + "..." + sampled).Object(t)["figures"].(map[string]any)
		if number(t, back["agreement"]) != number(t, figures["agreement"]) || back["hot_base"] != figures["hot_test"] ||
			back["hot_test"] != figures["hot_base"] || back["base_unit"] != "counts" {
			t.Errorf("%s: backwards %v", name, back)
		}
		for side, state := range map[string]string{"base": "hot_base", "test": "hot_test"} {
			hot := rows(t, l.OK(api+"?state="+state+"&limit=1000"))
			if fmt.Sprint(len(hot)) != fmt.Sprint(figures[state]) {
				t.Errorf("%s: %d rows are %s, the figures say %v", name, len(hot), state, figures[state])
			}
			other := map[string]string{"base": "test", "test": "base"}[side]
			for _, row := range hot {
				if row[side+"_heat"] != "hot" || row[other+"_heat"] == "hot" {
					t.Errorf("%s: %s is %v", name, state, row)
				}
				if side == "base" && row["test_heat"] == nil {
					t.Errorf("%s: nothing counted %v, which says nothing of its heat", name, row["linkage_name"])
				}
			}
		}
		parsed := l.OK(page, "Accept", "text/html").Parse(t)
		webtest.CheckPage(t, parsed)
		for _, id := range []string{"sentence", "largest-moves", "pairs", "side-A", "side-B"} {
			if !webtest.HasTestID(parsed, id) {
				t.Errorf("%s: the page has no %s", name, id)
			}
		}
		if said := webtest.Said(webtest.ByTestID(t, parsed, "sentence")); !strings.HasPrefix(said, "Rank agreement 0.") {
			t.Errorf("%s: the page says %s", name, said)
		}
		if said := l.OK(page, webtest.Terminal...).Text(); !strings.Contains(said, "Rank agreement 0.") ||
			!strings.Contains(said, "base_rank") {
			t.Errorf("%s: a terminal is told\n%s", name, said)
		}
		if said := webtest.Said(parsed); !strings.Contains(said, "hottest functions in A that B records, ") ||
			strings.Contains(said, "that A records") { // samples tell of all functions
			t.Errorf("%s: of the hottest functions the page says %.2000s", name, said)
		}
		const first = "?format=csv&cols=linkage_name,base_rank,test_rank,base_total,test_total&sort=-base&limit=1"
		if csv := l.OK(api + first).Text(); !strings.Contains(csv, "\r\n_ZN12_GLOBAL__N_14Grid4walkEiii,1,") {
			t.Errorf("%s: CSV has %s", name, csv)
		}
	}
}

// Functions are the same whether a name says of what file they are, or of which module, or
// is a hash; and their links lead to a page of the profile that has them.
func TestRankedNames(t *testing.T) {
	l := webtest.Start(t, nil)
	hashed := put(t, l, "decode/sampleprof/testdata/llvm-22/partial_md5.ext.afdo")
	counted := put(t, l, counts+"ir.profdata")
	object := l.OK("/api/v1/compare/" + hashed + "..." + counted + "?q=4walk").Object(t)
	row := object["items"].([]any)[0].(map[string]any)
	if row["state"] != "matched" || row["linkage_name"] != "_ZN12_GLOBAL__N_14Grid4walkEiii" {
		t.Errorf("Grid::walk is %v", row)
	}
	for side, id := range map[string]string{"base": hashed, "test": counted} {
		l.OK(fmt.Sprint("/p/", id, "/functions/", row[side+"_fid"]), "Accept", "text/html")
	}
	promoted := l.Put("promoted.afdotext",
		[]byte("_ZN2vm4foldERKSt6vectorIlSaIlEEPFllE.llvm.123:50:5\n 1: 50\nnobody:0:0\n"))["id"].(string)
	matched := rows(t, l.OK("/api/v1/compare/"+promoted+"..."+counted+"?state=matched"))
	if len(matched) != 1 || number(t, matched[0]["base_share"]) != 1 {
		t.Errorf("of two functions %v match", matched)
	}
	if lost := rows(t, l.OK("/api/v1/compare/"+promoted+"..."+counted+"?state=only_base")); len(lost) != 0 {
		t.Errorf("what has no samples is a row: %v", lost)
	}
}

// By entries only profiles compare that say how often functions were entered.
func TestRanksByEntry(t *testing.T) {
	l := webtest.Start(t, nil)
	sampled := put(t, l, samples)
	entered := put(t, l, counts+"frontend.profdata")
	row := rows(t, l.OK("/api/v1/compare/"+sampled+"..."+entered+"?by=entry&q=7collatz"))[0]
	if row["test_entry"] != json.Number("492") || number(t, row["test_share"]) <= 0 {
		t.Errorf("collatz was entered so: %v", row)
	}
	blocks := l.Put("ir_c.profdata", webtest.File(t, "oracles/ir_c.profdata"))["id"].(string)
	p := webtest.Problem(t, l.Get("/api/v1/compare/"+sampled+"..."+blocks+"?by=entry"), http.StatusBadRequest,
		"bad_parameter")
	if !strings.Contains(p["detail"].(string), "the counts of B") {
		t.Error(p["detail"])
	}
	webtest.Problem(t, l.Get("/api/v1/compare/"+sampled+"..."+entered+"?family=instr"), http.StatusBadRequest,
		"bad_parameter")
	if body := l.OK("/compare/"+sampled+"..."+blocks, "Accept", "text/html").Text(); strings.Contains(body, "by=entry") {
		t.Error("the page offers entries that are not known")
	}
}

// Profiles to compare with are those of other families too, and the list of profiles lets
// them be chosen together.
func TestRanksAreOffered(t *testing.T) {
	l := webtest.Start(t, nil)
	sampled, counted := put(t, l, samples), put(t, l, counts+"frontend.profdata")
	heap := webtest.PutMemProf(l, "mem_hist.memprofraw")
	heap = heap[strings.LastIndex(heap, "/")+1:]
	choices := l.OK("/compare?base="+sampled, "Accept", "text/html").Text()
	if !strings.Contains(choices, "/compare/"+sampled+"..."+counted) ||
		strings.Contains(choices, "/compare/"+sampled+"..."+heap) {
		t.Error("the choices for B are not the profiles with functions that rank")
	}
	webtest.Problem(t, l.Get("/api/v1/compare/"+sampled+"..."+heap), http.StatusUnprocessableEntity, "incompatible")
	if home := l.OK("/", "Accept", "text/html").Text(); !strings.Contains(home, `"sample ranks"`) ||
		!strings.Contains(home, `"instr ranks"`) {
		t.Error("the list of profiles does not let them be chosen together")
	}
}
