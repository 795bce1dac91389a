package dcpiweb_test

import (
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// number is an attribute of a drawing, in units or per cent.
func number(t *testing.T, n *html.Node, key string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(strings.TrimSuffix(webtest.Attr(n, key), "%"), 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func within(n *html.Node, tag string) *html.Node { return webtest.All(n, webtest.Tag(tag))[0] }

// A heat map is drawn to scale: each cell stands in the row and column of its address, rows and procedures
// are written where theirs are, and a cell leads to a finer picture of itself, down to its addresses.
func TestHeatMapIsToScale(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm"))
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	const base = 0x120000000
	for _, view := range []struct{ query, cells, cell, from string }{
		{"cell=64&cells=100", "100", "64", "0"}, {"cell=64", "115", "64", "0"},
		{"cell=16&cells=64&from=0x120001000", "64", "16", "4096"},
		{"cell=4&cells=300&from=0x120001100", "300", "4", "4352"}, {"cell=4096", "2", "4096", "0"}, {"", "115", "64", "0"},
		{"cell=4&cells=16&from=0x120001040&event=imiss", "16", "4", "4160"},
	} {
		event, only := "cycles", ""
		if strings.Contains(view.query, "event") {
			event, only = "imiss", "&event=imiss"
		}
		doc := l.Page(page+"/heat?"+view.query, 200)
		of := func(text string) int {
			n, _ := strconv.Atoi(text)
			return n
		}
		cells, size, from := of(view.cells), of(view.cell), of(view.from)
		samples, procedures := map[int]int{}, map[int]string{}
		least, most := math.MaxInt, 0
		items := l.OK(fmt.Sprintf("%s/heat?cell=%d&cells=%d&from=0x%x&limit=1000%s", at, size, cells,
			base+from, only)).Object(t)["items"].([]any)
		for _, item := range items {
			item := item.(map[string]any)
			n, cell := webtest.Number(t, item, event), (webtest.Number(t, item, "offset")-from)/size
			procedures[cell], _ = item["procedure"].(string)
			if n > 0 {
				samples[cell], least, most = n, min(least, n), max(most, n)
			}
		}
		svg := webtest.ByTestID(t, doc, "heat")
		box := strings.Fields(webtest.Attr(svg, "viewbox") + webtest.Attr(svg, "viewBox"))
		width, height := of(box[2]), of(box[3])
		columns := width / 10
		rows := (cells + columns - 1) / columns
		pitch := height / rows
		if columns&(columns-1) != 0 || rows*pitch != height || pitch < 10 {
			t.Errorf("%s: %d by %d units are %d columns and %d rows", view.query, width, height, columns, rows)
		}
		drawn := map[int]int{}
		for _, a := range webtest.All(svg, webtest.Tag("a")) {
			label := strings.ReplaceAll(webtest.Attr(a, "aria-label"), humanize.NumberSpace, "")
			rect := within(a, "rect")
			x, y := int(number(t, rect, "x")), int(number(t, rect, "y"))
			cell := y/pitch*columns + x/10
			says := fmt.Sprintf("0x%x: %dsamples", base+from+cell*size, samples[cell])
			if drawn[cell]++; !strings.HasPrefix(strings.ReplaceAll(label, " ", ""), strings.ReplaceAll(says, " ", "")) ||
				!strings.Contains(label, procedures[cell]) {
				t.Errorf("%s: cell %d is called %q, want %q in %q", view.query, cell, label, says, procedures[cell])
			}
			if y%pitch != pitch-10 || webtest.Attr(rect, "width") != "9" {
				t.Errorf("%s: cell %d stands at %d, rows are %d high", view.query, cell, y, pitch)
			}
		}
		if len(drawn) != len(samples) {
			t.Errorf("%s: %d cells are drawn, want %d", view.query, len(drawn), len(samples))
		}
		said := strings.Join(strings.Fields(webtest.Said(doc)), " ")
		if strings.Contains(said, "and 0 other") ||
			strings.Count(said, ", … ") != strings.Count(said, " other procedure") &&
				len(items) <= 100 {
			t.Errorf("%s: %d cells of several procedures are drawn, %d are listed", view.query,
				strings.Count(said, " other procedure"), strings.Count(said, ", … "))
		}
		end := min(from+cells*size, 7300)
		for _, want := range []string{
			fmt.Sprintf("0x%x to 0x%x", base+from, base+end-1), "a row is " + humanize.Bytes(uint64(columns*size)).Text,
			fmt.Sprintf("%s %s samples of %s, log scale", humanize.Int(least), humanize.Int(most), event),
			fmt.Sprintf("%d of %d cells have samples", len(items), cells),
		} {
			if want = strings.ReplaceAll(want, humanize.NumberSpace, " "); !strings.Contains(said, want) {
				t.Errorf("%s: the map does not say %q", view.query, want)
			}
		}
		ticks := webtest.All(svg.Parent.Parent, func(n *html.Node) bool {
			return n.Data == "text" && webtest.Attr(n, "x") == "100%"
		})
		step := (rows + 5) / 6
		if len(ticks) != (rows+step-1)/step {
			t.Errorf("%s: %d of %d rows have an address", view.query, len(ticks), rows)
		}
		for i, tick := range ticks {
			row := i * step
			middle := 100 * (float64((row+1)*pitch) - 5) / float64(height)
			if want := fmt.Sprintf("0x%x", base+from+row*columns*size); webtest.Text(tick) != want ||
				math.Abs(number(t, tick, "y")-middle) > 0.01 {
				t.Errorf("%s: row %d says %s at %v, want %s at %v", view.query, row, webtest.Text(tick), number(t, tick, "y"),
					want, middle)
			}
		}
		if webtest.HasTestID(doc, "heat-bands") != (pitch > 10) {
			t.Errorf("%s: rows are %d high", view.query, pitch)
		}
		if webtest.HasTestID(doc, "heat-bands") {
			holdBands(t, doc, view.query, procedures, columns, height, pitch)
		} else {
			holdNames(t, doc, view.query, samples, procedures, columns, rows)
		}
		for _, a := range webtest.All(webtest.ByTestID(t, doc, "heat-table-page"), func(n *html.Node) bool {
			return n.Data == "a" && n.Parent.Data == "nav" && webtest.Attr(n.Parent, "aria-label") == "Cells"
		}) {
			to, _ := url.Parse(webtest.Attr(a, "href"))
			current := webtest.Attr(a, "aria-current") == "true"
			if q := to.Query(); current != (q.Get("cell") == view.cell) {
				t.Errorf("%s: cells of %s bytes are marked: %v", view.query, q.Get("cell"), current)
			}
		}
	}
}

// holdBands holds the names above cells: each stands over the cells that are its procedure's.
func holdBands(t *testing.T, doc *html.Node, query string, procedures map[int]string, columns, height, pitch int) {
	t.Helper()
	covered := map[int]string{}
	for _, a := range webtest.All(webtest.ByTestID(t, doc, "heat-bands"), webtest.Tag("a")) {
		svg := within(a, "svg")
		name, _, _ := strings.Cut(webtest.Text(within(svg, "title")), " from 0x")
		column := int(math.Round(number(t, svg, "x") * float64(columns) / 100))
		width := number(t, svg, "width")*float64(columns)/100 + 0.1 // a tenth is left between two
		wide := int(math.Round(width))
		y := number(t, svg, "y") * float64(height) / 100
		row := int(math.Round(y / float64(pitch)))
		if math.Abs(y-float64(row*pitch)) > 0.05 || math.Abs(width-float64(wide)) > 0.02 ||
			math.Abs(number(t, svg, "height")*float64(height)/100-float64(pitch-10)) > 0.05 {
			t.Errorf("%s: the band of %s is at %v", query, name, y)
		}
		for i := range wide {
			covered[row*columns+column+i] = name
		}
		if text := webtest.All(svg, webtest.Tag("text")); len(text) > 0 &&
			!strings.HasPrefix(name, strings.TrimSuffix(webtest.Text(text[0]), "…")) {
			t.Errorf("%s: a band is called %q, want %q", query, webtest.Text(text[0]), name)
		}
	}
	for cell, name := range procedures {
		if covered[cell] != name {
			t.Errorf("%s: cell %d is below %q, want %q", query, cell, covered[cell], name)
		}
	}
}

// holdNames holds the names beside rows: those of the hottest cells.
func holdNames(t *testing.T, doc *html.Node, query string, samples map[int]int, procedures map[int]string,
	columns, rows int) {
	t.Helper()
	names := map[int]string{}
	for _, a := range webtest.All(webtest.ByTestID(t, doc, "heat-names"), webtest.Tag("a")) {
		row := number(t, within(a, "text"), "y")*float64(rows)/100 - 0.5
		names[int(math.Round(row))], _, _ = strings.Cut(webtest.Text(within(a, "title")), ",")
		if math.Abs(row-math.Round(row)) > 0.01 {
			t.Errorf("%s: a name is at row %v", query, row)
		}
	}
	for row := range rows {
		hottest := -1
		for cell := row * columns; cell < (row+1)*columns; cell++ {
			if procedures[cell] != "" && (hottest < 0 || samples[cell] > samples[hottest]) {
				hottest = cell
			}
		}
		if want := procedures[hottest]; names[row] != want {
			t.Errorf("%s: row %d is named %q, want %q", query, row, names[row], want)
		}
	}
}

// The hottest cell, followed from picture to picture, ends among its own addresses.
func TestCellsLeadToTheirAddresses(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm"))
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	path, steps := page+"/heat?cell=65536", 0
	for strings.Contains(path, "/heat") {
		if steps++; steps > 6 {
			t.Fatalf("%s leads on", path)
		}
		cells := l.OK(path + "&format=json&limit=1000&sort=-cycles").Object(t)["items"].([]any)
		hottest := cells[0].(map[string]any)
		next := ""
		for _, a := range webtest.All(webtest.ByTestID(t, l.Page(path, 200), "heat"), webtest.Tag("a")) {
			if strings.HasPrefix(webtest.Attr(a, "aria-label"), hottest["address"].(string)+":") {
				next = page + "/" + webtest.Attr(a, "href")
			}
		}
		if next == "" {
			t.Fatalf("%s: the cell at %v leads nowhere", path, hottest["address"])
		}
		sum := 0
		for _, item := range l.OK(next + "&format=json&limit=1000").Object(t)["items"].([]any) {
			sum += webtest.Number(t, item.(map[string]any), "cycles")
		}
		if sum != webtest.Number(t, hottest, "cycles") {
			t.Errorf("%s: the cell at %v has %v samples, and leads to %d at %s", path, hottest["address"], hottest["cycles"],
				sum, next)
		}
		path = next
	}
	if steps != 4 { // a page, lines, instructions
		t.Errorf("the addresses are reached in %d steps, at %s", steps, path)
	}
}

// Pages draw series over epochs where epochs are what they show; a difference has signs, and none where
// nothing changed.
func TestWhatIsDrawnOverEpochs(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nm"))
	page := "/p/" + strings.TrimPrefix(at, "/api/v1/profiles/")
	for path, want := range map[string]bool{
		"/epochs": true, "/epochs?by=platform": true, "/epochs?show=procedures": true, "/epochs?show=images": true,
		"/epochs?show=procedures&q=none": false, "/procedures": false, "/procedures?by=epoch": false, "/images": false,
		"/images?by=epoch": true, "/addresses": false,
	} {
		doc := l.Page(page+path, 200)
		if got := webtest.HasTestID(doc, "series"); got != want {
			t.Errorf("%s draws series: %v", path, got)
		}
		said := webtest.Said(doc)
		if strings.Contains(said, "different periods") || strings.Contains(said, "Estimated from samples") {
			t.Errorf("%s says that its figures are estimated", path)
		}
	}
	said := webtest.Said(l.Page(page+"/procedures?unit=events", 200))
	if !strings.Contains(said, "Estimated from samples") ||
		strings.Contains(said, "different periods") {
		t.Error("events are not said to be estimated")
	}
	l.Says(page+"/heat?q=none", "Heat map of app")
	if webtest.HasTestID(l.Page(page+"/heat?from=0x120001800&cells=4", 200), "heat") {
		t.Error("a map of no samples is drawn")
	}
	l.Says(page+"/procedures", "!Images without symbols show")
	rows, items := webtest.Grid(l.Page(page+"/epochs?show=difference", 200)),
		l.OK(page + "/epochs?show=difference&format=json&limit=1000").Object(t)["items"].([]any)
	signs := map[string]int{}
	for i, row := range rows[:min(len(rows), len(items))] {
		item := items[i].(map[string]any)
		values, _ := item["values"].([]any)
		if len(values) < 2 {
			continue
		}
		a, _ := strconv.ParseFloat(fmt.Sprint(values[0]), 64)
		b, _ := strconv.ParseFloat(fmt.Sprint(values[len(values)-1]), 64)
		want := humanize.Group(strconv.FormatFloat(math.Abs(b-a), 'f', 0, 64))
		switch {
		case b > a:
			want = "+" + want
		case b < a:
			want = "−" + want
		}
		if signs[want[:1]]++; strings.ReplaceAll(want, humanize.NumberSpace, " ") != row.Cells["delta"] {
			t.Errorf("row %d of the difference is %q, want %q of %v", i, row.Cells["delta"], want, item)
		}
	}
	if len(signs) < 2 {
		t.Errorf("the differences have the signs %v of %d rows", signs, len(rows))
	}
}
