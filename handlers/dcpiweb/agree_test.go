package dcpiweb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// What the cells of a page say, and the inspector of a row, the API says too.
func TestDCPIPagesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm"))
	bare := webtest.PutDCPI(l, "bare.zip", webtest.DCPIArchive(t, "zip")) // ranges in place of procedures
	two := twoImages(l)
	const usual = "Overview Procedures Addresses Heat map "
	for base, want := range map[string]string{
		at: usual + "Images 1 Epochs 2", bare: usual + "Images 1 Epochs 2", two: usual + "Images 2 Epochs 1",
	} {
		if got := webtest.Tabs(l, "/p/"+strings.TrimPrefix(base, "/api/v1/profiles/")); got != want {
			t.Errorf("%s has the tabs %q, want %q", base, got, want)
		}
	}
	for _, path := range []string{
		"/procedures", "/procedures?unit=events", "/procedures?unit=seconds", "/procedures?by=epoch",
		"/procedures?by=platform&event=imiss&sort=-name", "/addresses",
		"/addresses?from=0x120001000&to=0x120001080&sort=address",
		"/addresses?by=epoch&q=main", "/images", "/epochs", "/epochs?by=platform", "/epochs?show=images",
		"/epochs?show=procedures", "/epochs?show=difference", "/heat", "/heat?cell=16&cells=64", "/heat?event=imiss",
	} {
		for _, base := range []string{at, bare, two} {
			if base == two && (strings.Contains(path, "imiss") || strings.Contains(path, "difference") ||
				strings.HasPrefix(path, "/heat")) {
				continue
			}
			page := "/p/" + strings.TrimPrefix(base, "/api/v1/profiles/") + path
			if base == bare && strings.Contains(path, "q=main") {
				continue
			}
			rows, items := l.Agree(page, "address", "name", "procedure", "place", "delta")
			for _, i := range []int{0, len(rows) / 2} {
				row, item := rows[i], items[i]
				if row.At == "" || strings.Contains(path, "difference") {
					continue
				}
				facts := webtest.Facts(l, row.At)
				for term, value := range facts { // of events, epochs or hosts
					if n, ok := item[term].(json.Number); ok && !webtest.Numbered(value, n) {
						t.Errorf("%s: %s of row %d is %q, %s in the API", page, term, i, value, n)
					}
				}
				if strings.HasPrefix(path, "/addresses") && facts["Around it 32 bytes each way"] == "" {
					t.Errorf("%s: row %d has no addresses around it", page, i)
				}
				if facts[""] == "" || facts["Procedure"] == "" && strings.HasPrefix(path, "/addresses") ||
					strings.HasPrefix(path, "/addresses") && facts["Procedure"] != row.Cells["procedure"] ||
					!strings.HasPrefix(path, "/addresses") && facts[""] != row.Cells["name"] && row.Cells["name"] != "" {
					t.Errorf("%s: row %d is called %q, in %q: %v", page, i, facts[""], facts["Procedure"], row.Cells)
				}
			}
		}
	}
	// a procedure with where it is, and its addresses of the most samples
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	rows, items := l.Agree(page+"/procedures", "name")
	for i, row := range rows {
		item := items[i]
		first, err := strconv.ParseUint(fmt.Sprint(item["address"]), 0, 64)
		facts := webtest.Facts(l, row.At)
		if err != nil || item["kind"] != "procedure" {
			if facts["Bytes"]+facts["Addresses"] != "" {
				t.Errorf("%v has %v", item, facts)
			}
			continue
		}
		size, known := item["size"].(json.Number)
		n, _ := size.Int64()
		last := first + uint64(n) - 1
		want := fmt.Sprintf("0x%x–0x%x", first, last)
		if !known {
			want = fmt.Sprintf("0x%x", first)
		}
		if facts["Addresses"] != want || known && !webtest.Numbered(facts["Bytes"], size) {
			t.Errorf("%v stands at %q, %q bytes", item, facts["Addresses"], facts["Bytes"])
		}
		list, said := facts["Addresses most samples first"], ""
		hottest := l.OK(at + fmt.Sprintf("/samples?from=0x%x&to=0x%x&limit=3", first, last)).Object(t)["items"].([]any)
		for _, a := range hottest {
			a := a.(map[string]any)
			address, _ := strconv.ParseUint(a["address"].(string), 0, 64)
			share, _ := a["cycles_share"].(json.Number).Float64()
			said += fmt.Sprintf("+0x%x %v, %s ", address-first, a["cycles"], humanize.Percent(share, 2))
		}
		if known && !strings.HasPrefix(list+" ", strings.ReplaceAll(said, humanize.NumberSpace, " ")) {
			t.Errorf("%v has %q, want %q", item["procedure"], list, said)
		}
	}
}

// Two databases compared say on the page what they say in the API.
func TestComparedSamplesAgreeWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(name string, listings ...string) string {
		return strings.TrimPrefix(webtest.PutDCPI(l, name, webtest.DCPIArchive(t, "zip", listings...)), "/api/v1/profiles/")
	}
	nm, sized, bare := id("db.zip", "app.nm"), id("sized.zip", "app.nmS"), id("bare.zip")
	for _, c := range []struct{ base, test, query, says string }{
		{nm, sized, "?", " overlap of cycles."}, {sized, nm, "?event=imiss", " overlap of imiss."}, {nm, bare, "?", "lost"},
		{bare, nm, "?image=app", "app: "}, {nm, sized, "?image=app", "of A, "},
	} {
		path := "/compare/" + c.base + "..." + c.test + c.query
		object := l.OK("/api/v1" + path).Object(t)
		page := l.Page(path, 200)
		items := object["items"].([]any)
		for i, row := range webtest.Grid(page) {
			item := items[i].(map[string]any)
			shares := map[string]float64{}
			for _, side := range []string{"base", "test"} {
				n, ok := item[side+"_share"].(json.Number)
				if !ok && row.Cells[side] != "–" || ok && !webtest.Numbered(row.Cells[side], n) ||
					ok && !webtest.Numbered(row.Cells[side+"_samples"], item[side+"_samples"].(json.Number)) {
					t.Errorf("%s: row %d has %v, %v in the API", path, i, row.Cells, item)
				}
				shares[side], _ = n.Float64()
			}
			change := shares["test"] - shares["base"]
			if got, want := row.Cells["change"], humanize.Points(change, 2); got != want {
				t.Errorf("%s: row %d changes by %q, want %q", path, i, got, want)
			}
			if name, _ := item["procedure"].(string); !strings.Contains(c.query, "image") &&
				!strings.Contains(row.Cells["name"], strings.ReplaceAll(name, "<nil>", "")) {
				t.Errorf("%s: row %d is called %q, %v in the API", path, i, row.Cells["name"], item)
			}
		}
		const differ = "Periods differ within a database"
		events := object["figures"].(map[string]any)["events"].([]any)
		if said := webtest.Said(page); strings.Contains(said, differ) || len(events) > 1 && !strings.Contains(said, "imiss") {
			t.Errorf("%s says %q, or no other event of %v", path, differ, events)
		}
		if said := webtest.Said(page); !strings.Contains(said, c.says) || len(items) == 0 {
			t.Errorf("%s does not say %q of %d rows", path, c.says, len(items))
		}
		figures := object["figures"].(map[string]any)
		overlap, _ := figures["overlap"].(json.Number).Float64()
		lead := humanize.Percent(overlap, 1) + " overlap of " + figures["event"].(string)
		if !strings.Contains(c.query, "image") &&
			!strings.Contains(webtest.Said(page), strings.ReplaceAll(lead, humanize.NumberSpace, " ")) {
			t.Errorf("%s does not say %q", path, lead)
		}
	}
	for query, status := range map[string]int{
		"?procedure=main": 400, "?event=none": 400, "?image=none": 404, "?image=app&procedure=none": 404,
	} {
		if a := l.Get("/api/v1/compare/" + nm + "..." + sized + query); a.StatusCode != status {
			t.Errorf("%s: %s, want %d", query, a.Status, status)
		}
	}
}

// The windows of a heat map, followed from one to the next, hold all samples of the image, and each drawn
// cell says what the list below it says.
func TestWindowsOfAHeatMap(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm"))
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	total := webtest.Number(t, l.OK(at + "/images").Object(t)["items"].([]any)[0].(map[string]any), "cycles")
	link := func(doc *html.Node, label string) string {
		for _, a := range webtest.All(doc, webtest.Tag("a")) {
			if webtest.Text(a) == label {
				return webtest.Attr(a, "href")
			}
		}
		return ""
	}
	cells := map[string]int{}
	for _, item := range l.OK(page + "/heat?cell=64&format=json&limit=1000").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		cells[item["address"].(string)] = webtest.Number(t, item, "cycles")
	}
	cell := regexp.MustCompile(`^(0x[0-9a-f]+): (\d+) ?samples`)
	sum, windows, before := 0, 0, ""
	for path := page + "/heat?cell=64&cells=16&from=0x120000000"; path != ""; windows++ {
		doc := l.Page(path, 200)
		back := link(doc, "before")
		if (back == "") != (windows == 0) || windows > 0 && !strings.Contains(back, "from="+before) {
			t.Errorf("%s leads back to %q, want %s", path, back, before)
		}
		query, _ := url.ParseQuery(path[strings.IndexByte(path, '?')+1:])
		before = query.Get("from")
		drawn := map[string]int{}
		for _, n := range webtest.All(doc, func(n *html.Node) bool { return n.Data == "a" || n.Data == "rect" }) {
			label := strings.ReplaceAll(webtest.Attr(n, "aria-label")+webtest.Text(n), humanize.NumberSpace, "")
			if m := cell.FindStringSubmatch(label); m != nil {
				drawn[m[1]], _ = strconv.Atoi(m[2])
			}
		}
		for address, n := range drawn {
			if sum += n; n != cells[address] {
				t.Errorf("%s: the cell at %s says %d samples, %d in the API", path, address, n, cells[address])
			}
		}
		if path = link(doc, "after"); strings.HasPrefix(path, "?") {
			path = page + "/heat" + path
		}
	}
	if sum != total || windows < 3 {
		t.Errorf("%d samples in %d windows, want %d", sum, windows, total)
	}
}

// The two epochs that a difference is of are chosen in its form, given as a header writes them or not.
func TestChosenEpochs(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm"))
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/") + "/epochs?show=difference"
	first, last := "1997-11-04T09:00:00Z", "1997-11-05T09:00:00Z"
	for query, want := range map[string][2]string{
		"": {first, last}, "&a=" + last + "&b=" + first: {last, first}, "&a=9711050900&b=9711040900": {last, first},
		"&by=platform": {"pecan", "walnut"},
	} {
		a := l.Get(page+query, "Accept", "text/html")
		if a.StatusCode != 200 {
			t.Errorf("%s: %s", query, a.Status)
			continue
		}
		for i, name := range []string{"a", "b"} {
			chosen := ""
			for _, option := range webtest.All(a.Parse(t), func(n *html.Node) bool {
				return n.Data == "option" && webtest.Attr(n.Parent, "name") == name
			}) {
				for _, attr := range option.Attr {
					if attr.Key == "selected" {
						chosen = webtest.Attr(option, "value")
					}
				}
			}
			if chosen != want[i] {
				t.Errorf("%s: %s is %q, want %q", query, name, chosen, want[i])
			}
		}
	}
}

// The overview says where most samples are, and of each header what the table of headers has.
func TestDCPIOverviewAgreesWithTheAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	holdOverview(t, l, webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm")))
	two := twoImages(l)
	holdOverview(t, l, two)
	page := l.Page("/p/"+strings.TrimPrefix(two, "/api/v1/profiles/")+"/heat?image=lib", 200)
	options := map[string]bool{}
	for _, option := range webtest.All(page, func(n *html.Node) bool {
		return n.Data == "option" && webtest.Attr(n.Parent, "name") == "image"
	}) {
		options[webtest.Said(option)] = slices.ContainsFunc(option.Attr, func(a html.Attribute) bool {
			return a.Key == "selected"
		})
	}
	if len(options) < 2 || !options["lib"] || options["app"] {
		t.Errorf("the images to choose are %v", options)
	}
}

// twoImages is the database with a second image, of which fewer samples were taken.
func twoImages(l *webtest.Server) string {
	l.T.Helper()
	db := filepath.Join(webtest.Root(), "decode/dcpi/testdata/db")
	files := webtest.Files(l.T, db, "app.nm", "9711040900/pecan/app_660b03cd5eed_cycles")
	lib := bytes.Replace(files[3].([]byte), []byte("660b03cd5eed"), []byte("770b03cd5eed"), 1)
	files = append(files, "lib_770b03cd5eed_cycles", bytes.Replace(lib, []byte("demo/app"), []byte("demo/lib"), 1))
	files = append(files, "second_cycles", webtest.Files(l.T, db, "9711040900/walnut/app_660b03cd5eed_cycles")[1])
	return webtest.API(l.Together(files...))
}

func holdOverview(t *testing.T, l *webtest.Server, at string) {
	t.Helper()
	said := webtest.Said(l.Page("/p/"+strings.TrimPrefix(at, "/api/v1/profiles/"), 200))
	share := func(item map[string]any, key string, decimals int) string {
		v, _ := item[key].(json.Number).Float64()
		return humanize.Percent(v, decimals)
	}
	first := func(path string) map[string]any {
		return l.OK(at + path).Object(t)["items"].([]any)[0].(map[string]any)
	}
	image, hottest := first("/images"), first("/procedures")
	want := []string{fmt.Sprintf("%s has %s of the cycles samples; the hottest procedure is %s of %s with %s.",
		image["image"], share(image, "cycles_share", 1), hottest["procedure"], hottest["image"], share(hottest,
			"cycles_share", 2))}
	for _, item := range l.OK(at + "/export/json?table=dcpi-profiles").Object(t)["items"].([]any) {
		item := item.(map[string]any)
		n := func(key string) int { return webtest.Number(t, item, key) }
		want = append(want, fmt.Sprintf("Samples %s %s in %s", humanize.Int(n("samples")),
			humanize.Plural(n("addresses"), "address", "addresses"), humanize.Plural(n("chunks"), "chunk", "chunks")))
	}
	for _, says := range want[:min(len(want), 4)] { // of the first profiles alone
		if !strings.Contains(said, strings.ReplaceAll(says, humanize.NumberSpace, " ")) {
			t.Errorf("the overview does not say %q", says)
		}
	}
}
