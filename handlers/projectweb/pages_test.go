package projectweb_test

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/builds/measures"
	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

func class(word string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(webtest.Attr(n, "class")), word) }
}

// A series of 200 builds shows its step: on the chart and in its twins, with the comparison
// of the builds on either side. What has no figure breaks the line.
func TestAStepIn200Builds(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	list := step("sass/libsass", 200, 120)
	list[40].own = measures.Set{} // measured, without the figure
	list[41].own = nil            // not measured yet
	ids := invent(t, l, list)
	doc := webtest.Document(t)

	trend := l.OK("/api/v1/projects/sass/libsass/trends?measure=coverage")
	webtest.Validate(t, doc, "/api/v1/projects/{project}/trends", trend)
	one := trend.Object(t)["items"].([]any)[0].(map[string]any)
	points := one["points"].([]any)
	if one["measure"] != "coverage.coverage" || len(points) != 200 {
		t.Fatalf("%d points of %v", len(points), one["measure"])
	}
	for i, p := range points {
		at := p.(map[string]any)
		if (at["step"] != nil) != (i == 120) || (at["value"] == nil) != (i == 40 || i == 41) || at["pending"] != (i == 41) ||
			at["commit"] != commit(i) {
			t.Errorf("build %d: %v", i, at)
		}
	}
	lines := strings.Split(strings.TrimSpace(l.OK("/api/v1/projects/sass/libsass/trends?measure=coverage.coverage",
		"Accept", "text/csv").Text()), "\r\n")
	if len(lines) != 201 || !strings.HasPrefix(lines[121],
		"coverage.coverage,"+commit(120)+",change 120,2024-04-30T00:00:00Z,"+ids[120]+","+ids[119]+",734,1000,73.4,-3,false") {
		t.Errorf("%d lines, %q", len(lines), lines[121])
	}
	if strings.Contains(lines[42], "0,") && !strings.HasSuffix(lines[42], ",,,,,true") {
		t.Errorf("what is not measured is %q", lines[42])
	}

	page := l.Page("/projects/sass/libsass?measure=coverage.coverage", http.StatusOK)
	chart := webtest.ByTestID(t, page, "trend-chart")
	if label := webtest.Attr(chart, "aria-label"); strings.ReplaceAll(label, "\u00a0",
		" ") != "Lines covered, 198 builds of main: from 76.20 % on 1 Jan 2024 to 73.50 % on 18 Jul 2024" {
		t.Errorf("the chart says %q", label)
	}
	if bands, pieces := webtest.All(chart, class("trend-band")), webtest.All(chart,
		class("trend-line")); len(bands) != 1 || !class("trend-worse")(bands[0]) || len(pieces) != 2 {
		t.Errorf("%d bands, %d pieces of the line", len(bands), len(pieces))
	}
	steps := webtest.ByTestID(t, page, "steps")
	if said := webtest.Said(steps); !strings.Contains(said, "▾ step") ||
		!strings.Contains(said, "30 Apr 2024: −3.00 points. change 120") {
		t.Errorf("the step is said as %q", said)
	}
	if to := webtest.LinkTo(t, steps, "Compare"); to != "/compare/"+ids[119]+"..."+ids[120]+"?family=coverage" {
		t.Errorf("the step leads to %s", to)
	}
	if said := webtest.Said(webtest.ByTestID(t, page, "pending")); !strings.Contains(
		said, "1 build is still being measured") {
		t.Errorf("pending: %q", said)
	}
	table := webtest.ByTestID(t, l.Page("/projects/sass/libsass?measure=coverage.coverage&view=table", http.StatusOK),
		"trend-table")
	rows := webtest.All(table, webtest.Tag("tr"))
	if len(rows) != 201 || !strings.Contains(webtest.Said(rows[80]), "73.40 % 734 of 1 000 −3.00 ▾ step") ||
		!strings.Contains(webtest.Said(rows[200-41]), "being measured") {
		t.Errorf("%d rows; %q; %q", len(rows), webtest.Said(rows[80]), webtest.Said(rows[200-41]))
	}
}

// Lines covered are what is looked at first, whatever else is a share.
func TestCoverageLeads(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	list := step("app", 3, 9)
	for i := range list {
		list[i].own["instr.functions_run"] = measures.Value{N: 1, Of: 2}
	}
	invent(t, l, list)
	said := webtest.Attr(webtest.ByTestID(t, l.Page("/projects/app", http.StatusOK), "trend-chart"), "aria-label")
	if !strings.HasPrefix(said, "Lines covered, 3 builds") {
		t.Errorf("the chart is of %s", said)
	}
}

// A step is dismissed for all, marked no more, and brought back; what is no step cannot be.
func TestDismissedStep(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	invent(t, l, step("app", 20, 12))
	form := func(testID string) url.Values {
		doc := l.Page("/projects/app", http.StatusOK)
		f := webtest.All(webtest.ByTestID(t, doc, testID), webtest.Tag("form"))
		if len(f) != 1 || webtest.Attr(f[0], "action") != "/projects/app/trends" {
			t.Fatalf("%d forms", len(f))
		}
		values := url.Values{}
		for _, n := range append(webtest.All(f[0], webtest.Tag("input")), webtest.All(f[0], webtest.Tag("button"))...) {
			values.Set(webtest.Attr(n, "name"), webtest.Attr(n, "value"))
		}
		return values
	}
	post := func(values url.Values, status int, header ...string) *webtest.Answer {
		t.Helper()
		a := l.Do("POST", "/projects/app/trends", strings.NewReader(values.Encode()),
			append(header, "Content-Type", "application/x-www-form-urlencoded")...)
		if a.StatusCode != status {
			t.Errorf("%v: %d, want %d", values, a.StatusCode, status)
		}
		return a
	}
	marked := func() (band, said bool) {
		page := l.Get("/projects/app", "Accept", "text/html").Text()
		table := webtest.Said(l.Page("/projects/app?view=table", http.StatusOK))
		return strings.Contains(page, `class="trend-band trend-worse"`), strings.Contains(table, "step, dismissed")
	}
	if band, said := marked(); !band || said {
		t.Fatalf("at first: %v, %v", band, said)
	}
	wanted := form("steps")
	if to := post(wanted, http.StatusSeeOther).Header.Get("Location"); !strings.HasPrefix(to, "/projects/app?") {
		t.Errorf("it leads to %s", to)
	}
	if band, said := marked(); band || !said {
		t.Errorf("dismissed: %v, %v", band, said)
	}
	trend := l.OK("/api/v1/projects/app/trends?measure=" + wanted.Get("measure")).Object(t)["items"].([]any)[0]
	points := trend.(map[string]any)["points"].([]any)
	before := points[11].(map[string]any)
	if at := points[12].(map[string]any); at["dismissed"] != true || at["step"] == nil || before["dismissed"] != false {
		t.Errorf("the API has %v", at)
	}
	post(form("dismissed"), http.StatusSeeOther)
	if band, said := marked(); !band || said {
		t.Errorf("brought back: %v, %v", band, said)
	}
	for key, value := range map[string]string{
		"build": "none", "measure": "none", "branch": "none", "dismissed": "perhaps", "x": "y",
	} {
		wrong := maps.Clone(wanted)
		wrong.Set(key, value)
		post(wrong, http.StatusBadRequest)
	}
	post(wanted, http.StatusForbidden, "Sec-Fetch-Site", "cross-site", "Origin", "https://elsewhere.example")
}

// The pages of a project lead to each other, and say what there is.
// A page draws the newest builds of a long series and says so. It follows what changes.
func TestALongSeries(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	ids := invent(t, l, step("long", 510, 600))
	text := func(id string) string {
		page := l.Page("/projects/long?measure=coverage.coverage", http.StatusOK)
		return strings.ReplaceAll(webtest.Text(webtest.ByTestID(t, page, id)), "\u00a0", " ")
	}
	if said := text("left-out"); said != "Drawn are the newest 500 of 510 builds; JSON and CSV have all." {
		t.Errorf("left out: %q", said)
	}
	if said := text("status-shown"); !strings.HasPrefix(said, "the newest 500 of 510 builds of main, 11 Jan 2024 to ") {
		t.Errorf("status: %q", said)
	}
	trend := l.OK("/api/v1/projects/long/trends?measure=coverage").Object(t)["items"].([]any)[0].(map[string]any)
	if points := trend["points"].([]any); len(points) != 510 {
		t.Errorf("the API has %d points", len(points))
	}
	if err := l.Catalog.Delete(t.Context(), ids[0]); err != nil {
		t.Fatal(err)
	}
	to := catalog.Naming{Name: "b", Project: "long", Labels: map[string]string{"branch": "next"}}
	if err := l.Catalog.Rename(t.Context(), ids[1], to); err != nil {
		t.Fatal(err)
	}
	if said := text("status-shown"); !strings.HasPrefix(said, "the newest 500 of 508 builds of main") {
		t.Errorf("status after changes: %q", said)
	}
}

func TestPages(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	list := step("app", 3, 99)
	list = append(list, invented{
		project: "app", labels: map[string]string{"branch": "release/1", "commit": "feedbeef"},
		families: []model.Family{"memprof"}, before: -1, own: measures.Set{"memprof.cold_bytes": {N: 2048}},
	})
	ids := invent(t, l, list)
	all := l.Page("/projects", http.StatusOK)
	if said := webtest.Said(webtest.ByTestID(t, all, "projects")); !strings.Contains(said, "app") ||
		!strings.Contains(said, "release/1") || !strings.Contains(said, "main") {
		t.Errorf("the list says %q", said)
	}
	for _, path := range []string{
		"", "/builds", "/branches", "/gate", "/rules", "/builds/" + commit(1), "?branch=release/1",
		"?view=table&branch=release/1", "/builds?q=change+1", "/builds?q=nothing", "/branches?measure=size", "/builds?page=2",
	} {
		page := l.Page("/projects/app"+path, http.StatusOK)
		for _, a := range webtest.All(webtest.ByTestID(t, page, "tabs"), webtest.Tag("a")) {
			if to := webtest.Attr(a, "href"); l.Get(to, "Accept", "text/html").StatusCode != http.StatusOK {
				t.Errorf("%s leads to %s, which is not there", path, to)
			}
		}
	}
	branches := webtest.ByTestID(t, l.Page("/projects/app", http.StatusOK), "branches")
	if said := webtest.Said(branches); !strings.Contains(said, "release/1 feedbeef") ||
		!strings.Contains(said, "no rules") {
		t.Errorf("branches: %q", said)
	}
	found := l.Page("/projects/app/builds?q=change+1", http.StatusOK)
	if said := webtest.Said(webtest.ByTestID(t, found, "status-shown")); said != "1 build of 4" {
		t.Errorf("found %q", said)
	}
	if csv := l.OK("/api/v1/projects/app/builds?format=csv").Text(); strings.Count(csv, "\r\n") != 5 ||
		!strings.Contains(csv, "main,,"+commit(2)+",change 2,2024-01-03T00:00:00Z,instr coverage,"+ids[2]) {
		t.Errorf("builds as CSV: %q", csv)
	}
	one := l.Page("/projects/app/builds/"+commit(1)[:8], http.StatusOK)
	if webtest.LinkTo(t, one, "← ") != "/projects/app/builds/"+commit(0) ||
		webtest.LinkTo(t, one, commit(2)[:8]) != "/projects/app/builds/"+commit(2) {
		t.Error("a build does not lead to those beside it")
	}
	if said := webtest.Said(webtest.ByTestID(t, one, "figures")); !strings.Contains(said,
		"Lines covered Coverage 76.30 % 763 of 1 000 76.20 % +0.10") {
		t.Errorf("figures: %q", said)
	}
	// A measure that this branch has not is shown as such, as is a workload of another one.
	if blank := webtest.Said(webtest.ByTestID(t,
		l.Page("/projects/app?branch=release/1&measure=coverage.coverage&workload=x", http.StatusOK),
		"trend")); !strings.Contains(blank, "No build has this figure It needs source coverage.") {
		t.Errorf("without the figure: %q", blank)
	}
	for path, want := range map[string]string{
		"?measure=coverage&view=table&format=csv": "/trends?format=csv&measure=coverage",
		"/builds?format=json&q=1":                 "/builds?q=1",
		"/builds/" + commit(1) + "?format=json":   "/builds/" + commit(1),
		"/gate?format=json":                       "/gate", "/branches?format=json": "",
	} {
		if got := l.OK("/projects/app"+path, "Accept", "text/html").Text(); got != l.OK("/api/v1/projects/app"+want).Text() {
			t.Errorf("%s gives %.300s", path, got)
		}
	}
	for path, status := range map[string]int{
		"/projects/none": 404, "/projects/app/builds/none": 404, "/projects/app?branch=none": 400,
		"/projects/app?workload=none": 400, "/projects/app?measure=none": 400,
		"/projects/app?x=1": 400, "/projects/app/builds/" + commit(1) + "?x=1": 400, "/projects/app/gate?x=1": 400,
		"/projects/app/nonsense": 404, "/projects?x=1": 400, "/projects/app?view=pie": 400,
		"/projects/app/builds?page=x": 400,
	} {
		l.Page(path, status)
	}
}

// One build has no trend: the page says how the next is recorded.
func TestOneBuild(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	invent(t, l, step("app", 1, 9))
	page := l.Page("/projects/app", http.StatusOK)
	if said := webtest.Said(page); !strings.Contains(said,
		"One build makes no trend. Record the next: proflens upload -server") {
		t.Error("the page does not say how to record the next build")
	}
	empty, _ := webtest.Idle(t, nil)
	if said := webtest.Said(empty.Page("/projects", http.StatusOK)); !strings.Contains(said, "proflens upload -server") {
		t.Error("the list does not say how to begin")
	}
}

// What people call things is shown as text.
func TestHostileNames(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	name := `<b>&"'`
	list := step(name, 2, 9)
	for i := range list {
		list[i].labels["branch"], list[i].labels["workload"], list[i].labels["subject"] = name, name, name
	}
	invent(t, l, list)
	for _, path := range []string{
		"", "/builds", "/branches", "/gate", "/rules", "/builds/" + commit(1), "/latest/%3Cb%3E&%22%27",
	} {
		a := l.Get("/projects/%3Cb%3E&%22%27"+path, "Accept", "text/html")
		if a.StatusCode >= 400 || strings.Contains(a.Text(), "<b>&") {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	if svg := l.OK("/projects/%3Cb%3E&%22%27/badge/%3Cb%3E&%22%27.svg").Text(); strings.Contains(svg, "<b>") {
		t.Errorf("the badge has an element of a name: %s", svg)
	}
}
