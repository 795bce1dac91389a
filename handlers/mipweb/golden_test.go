package mipweb_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// said is a text as the pages of these tests have it.
func said(format string, values ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, values...), humanize.NumberSpace, " ")
}

// mipMachine is a profile with its pages, and what the fixture beside it says.
type mipMachine struct {
	*testing.T
	l                 *webtest.Server
	at, page          string
	fids              []string // by index
	want              mipFixture
	calls, timestamps bool
	raws              []mipRaw
}

// mipRaw is a run.
type mipRaw struct {
	Functions []struct {
		Covered   bool
		Calls     json.Number `json:"call_count"`
		Timestamp json.Number
	}
}

// bytesOf are the bytes of a function's blocks, its entry first; of what was removed none.
func (m *mipMachine) bytesOf(i int) (spans [][2]int, ran []bool, covered int) {
	f := &m.want.Functions[i]
	size := m.size(i)
	spans, ran = [][2]int{{0, size}}, []bool{f.Covered}
	last := 0
	for _, b := range f.Blocks {
		spans, ran = append(spans, [2]int{b.Offset, size}), append(ran, b.Covered)
		if b.Offset > 0 {
			spans[last][1] = b.Offset
			last = len(spans) - 1
		} else {
			spans[len(spans)-1][1] = 0
		}
	}
	for n, s := range spans {
		if ran[n] && f.Covered {
			covered += s[1] - s[0]
		}
	}
	return spans, ran, covered
}

func (m *mipMachine) size(i int) int {
	n, err := strconv.Atoi(m.want.Functions[i].Size.String())
	if err != nil {
		m.Fatal(err)
	}
	return n
}

// Pages of functions, lists, the tree and the runs say what a reader of its own says of the files.
func TestMIPPagesSayWhatTheFixturesDo(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, files := range [][]string{
		webtest.MIPCounts, {"merged/coverage.mipmap", "merged/coverage.0.mipraw", "merged/coverage.1.mipraw",
			"merged/coverage.2.mipraw"}, {"counts/small.mipmap", "counts/small.mipraw"},
		{"counts_blocks/small.mipmap", "counts_blocks/small.mipraw"}, {"numbers/raw.mipmap", "numbers/raw.mipraw"},
		{"names/duplicate.mipmap", "names/duplicate.mipraw"}, {"merged/counts.mip"},
	} {
		m := &mipMachine{T: t, l: l, at: webtest.PutMIP(l, files...)}
		m.page = "/p/" + strings.TrimPrefix(m.at, "/api/v1/profiles/")
		m.fids = l.OK(m.at+"/functions?sort=index&limit=1000").Column(t, "fid")
		m.want = readMIPFixture(t, strings.TrimSuffix(files[0], "map")+".json")
		types := strings.Join(m.want.Header.Types, ", ")
		m.calls, m.timestamps = strings.Contains(types, "Call Count"), strings.Contains(types, "Timestamp")
		for _, raw := range files[1:] {
			var one mipRaw
			readJSON(t, raw+".json", &one)
			m.raws = append(m.raws, one)
		}
		for i := range m.fids {
			m.holdFunction(i)
		}
		m.holdTabs()
		m.holdOverview()
		m.holdRuns()
		m.holdTree()
	}
}

// holdFunction holds the page of a function: its tiles, the bytes of its blocks, and its runs.
func (m *mipMachine) holdFunction(i int) {
	m.Helper()
	f, size := &m.want.Functions[i], m.size(i)
	doc := m.l.Page(m.page+"/functions/"+m.fids[i], 200)
	spans, ran, covered := m.bytesOf(i)
	whole, ranBlocks, removed := 0, 0, 0
	for n := range m.fids {
		whole += m.size(n)
	}
	var rows, titles []string
	for n, s := range spans {
		name, title, state := strconv.Itoa(n-1), fmt.Sprint("block ", n-1), "not covered"
		if n == 0 {
			name, title = "entry", "entry block"
		}
		if ran[n] {
			state = "covered"
		}
		if n > 0 && s[0] == 0 {
			removed++
			rows = append(rows, name+" – – removed")
			continue
		}
		if ran[n] {
			ranBlocks++
		}
		rows = append(rows, said("%s %s %s %s", name, humanize.Int(s[0]), humanize.Int(s[1]-s[0]), state))
		titles = append(titles, said("%s, bytes %s–%s: %s", title, humanize.Int(s[0]), humanize.Int(s[1]-1), state))
	}
	bytes, gone := "never executed", "none removed"
	if f.Covered {
		bytes = humanize.Plural(covered, "byte", "bytes")
	}
	if removed > 0 {
		gone = fmt.Sprint(removed, " removed, not counted")
	}
	for id, want := range map[string]string{
		"tile-size": said("%s %s of the profile", humanize.Count(uint64(size)).Text,
			humanize.Percent(float64(size)/float64(whole), 2)),
		"tile-covered": said("%s %s", humanize.Percent(float64(covered)/float64(size), 1), bytes),
		"tile-blocks":  said("%d of %d %s", ranBlocks, len(titles), gone),
		"tile-runs":    said("Merge count %s runs in which it ran", f.MergeCount),
	} {
		if got := shown(m.T, doc, id); !strings.Contains(got, want) {
			m.Errorf("%s: %s of %s says %q, want %q", m.page, id, *f.Name, got, want)
		}
	}
	calls := number(f.CallCount)
	if got, want := shown(m.T, doc, "tile-calls"), said(" %s ", humanize.Count(calls).Text); m.calls != (got != "") ||
		m.calls && !strings.Contains(strings.Replace(got, "≥ ", "", 1), want) ||
		strings.Contains(got, "≥") != m.saturated(i) {
		m.Errorf("%s: %s has the calls %q, want %q", m.page, *f.Name, got, want)
	}
	first, merges := "– never ran", f.MergeCount.String()
	if merges != "0" {
		sum, _ := f.TimestampSum.Float64()
		runs, _ := f.MergeCount.Float64()
		first = said("%s average of %s", strings.TrimSuffix(strconv.FormatFloat(sum/runs, 'f', 1, 64), ".0"),
			humanize.Things(merges, "run", "runs"))
	}
	if got := shown(m.T, doc, "tile-first"); m.timestamps != (got != "") ||
		m.timestamps && number(f.TimestampSum) < 1000 && !strings.Contains(got, first) {
		m.Errorf("%s: %s is first at %q, want %q", m.page, *f.Name, got, first)
	}
	var got []string
	for _, tr := range webtest.All(webtest.ByTestID(m.T, doc, "blocks"), webtest.Tag("tr"))[1:] {
		got = append(got, webtest.Said(tr))
	}
	if !slices.Equal(got, rows) {
		m.Errorf("%s: %s has the blocks\n%q, want\n%q", m.page, *f.Name, got, rows)
	}
	ruler := webtest.ByTestID(m.T, doc, "ruler")
	got = nil
	for _, title := range webtest.All(ruler, webtest.Tag("title")) {
		got = append(got, webtest.Said(title))
	}
	if !slices.Equal(got, titles) {
		m.Errorf("%s: %s is drawn as\n%q, want\n%q", m.page, *f.Name, got, titles)
	}
	if want := said("%s of %s covered", humanize.Int(covered), humanize.Plural(size, "byte", "bytes")); !strings.Contains(
		webtest.Said(doc), want) {
		m.Errorf("%s: %s does not say %q", m.page, *f.Name, want)
	}
	var runs []string
	if webtest.HasTestID(doc, "function-runs") {
		for _, tr := range webtest.All(webtest.ByTestID(m.T, doc, "function-runs"), webtest.Tag("tr"))[1:] {
			cells := webtest.All(tr, webtest.Tag("td"))
			runs = append(runs, webtest.Said(webtest.All(tr, webtest.Tag("th"))[0])+" "+webtest.Said(cells[1])+" "+
				webtest.Said(cells[2]))
		}
	}
	var wantRuns []string
	for n := range m.raws {
		if ran, calls, first := m.inRun(n, i); ran {
			wantRuns = append(wantRuns, fmt.Sprint(n+1, " ", calls, " ", first))
		}
	}
	says := fmt.Sprintf("it ran in %d of %d", len(wantRuns), len(m.raws))
	switch {
	case len(m.raws) == 0:
		says = "a .mip does not separate runs; it ran in " + merges
	case len(wantRuns) == 0:
		says = fmt.Sprint("it ran in none of ", len(m.raws))
	}
	if !slices.Equal(runs, wantRuns) || !strings.Contains(webtest.Said(doc), says) {
		m.Errorf("%s: %s ran in %q, want %q, %q", m.page, *f.Name, runs, wantRuns, says)
	}
}

func number(n json.Number) uint64 {
	v, _ := strconv.ParseUint(n.String(), 10, 64)
	return v
}

// inRun is whether a function ran in a run, how often, and as which; – where that is not recorded.
func (m *mipMachine) inRun(run, i int) (ran bool, calls, first string) {
	f := &m.raws[run].Functions[i]
	calls, first = "–", "–"
	if m.calls {
		n := number(f.Calls)
		if calls = said("%s", humanize.Count(n).Text); n >= 1<<32-2 {
			calls = "≥ " + calls
		}
	}
	if m.timestamps {
		first = said("%s", humanize.Int(number(f.Timestamp)))
	}
	return f.Covered, calls, first
}

// saturated reports whether a function's count reached its maximum in a run.
func (m *mipMachine) saturated(i int) bool {
	return slices.ContainsFunc(m.raws, func(raw mipRaw) bool {
		return number(raw.Functions[i].Calls) >= 1<<32-2
	})
}

// listed are the rows of a short list: the index of the function that each leads to, and the figures.
func (m *mipMachine) listed(doc *html.Node, id string) (rows []string) {
	for _, tr := range webtest.All(webtest.ByTestID(m.T, doc, id), webtest.Tag("tr"))[1:] {
		cells := webtest.All(tr, webtest.Tag("td"))
		fid := path.Base(webtest.Attr(webtest.All(tr, webtest.Tag("a"))[0], "href"))
		rows = append(rows, fmt.Sprint(slices.Index(m.fids, fid), ": ", webtest.Said(cells[0]), " ", webtest.Said(cells[2])))
	}
	return rows
}

// holdTabs holds which pages the profile has.
func (m *mipMachine) holdTabs() {
	m.Helper()
	dead := 0
	for i := range m.want.Functions {
		if !m.want.Functions[i].Covered {
			dead++
		}
	}
	want := fmt.Sprint("Overview Functions ", len(m.fids), " Tree Never executed ", dead)
	if m.calls {
		want += " Calls"
	}
	if m.timestamps {
		want += " Order"
	}
	if len(m.raws) > 0 {
		want += fmt.Sprint(" Runs ", len(m.raws))
	}
	if got := webtest.Tabs(m.l, m.page); got != want {
		m.Errorf("%s has the tabs %q, want %q", m.page, got, want)
	}
}

// holdOverview holds what never ran, what was called most, and what ran first.
func (m *mipMachine) holdOverview() {
	m.Helper()
	doc := m.l.Page(m.page, 200)
	types, removed := strings.Join(m.want.Header.Types, ", "), 0
	for i := range m.want.Functions {
		for _, b := range m.want.Functions[i].Blocks {
			if b.Offset == 0 {
				removed++
			}
		}
	}
	for says, has := range map[string]bool{
		"No run is in the profile": false, "Coverage only": !m.calls && !m.timestamps,
		"Timestamps only":  !m.calls && m.timestamps,
		"Call counts only": m.calls && !m.timestamps, "Blocks were not counted": !strings.Contains(types, "Block"),
		said("%s removed", humanize.Plural(removed, "block was", "blocks were")): removed > 0,
	} {
		if strings.Contains(shown(m.T, doc, "notes"), says) != has {
			m.Errorf("%s: the notes say %q: %v", m.page, says, !has)
		}
	}
	var dead, called []int
	deadBytes, allCalls := 0, uint64(0)
	for i := range m.fids {
		f := &m.want.Functions[i]
		if !f.Covered {
			dead, deadBytes = append(dead, i), deadBytes+m.size(i)
		}
		if n := number(f.CallCount); n > 0 {
			called, allCalls = append(called, i), allCalls+n
		}
	}
	calls := func(i int) uint64 { return number(m.want.Functions[i].CallCount) }
	slices.SortStableFunc(dead, func(a, b int) int { return cmp.Compare(m.size(b), m.size(a)) })
	slices.SortStableFunc(called, func(a, b int) int { return cmp.Compare(calls(b), calls(a)) })
	var wantDead, wantCalled []string
	for _, i := range dead[:min(len(dead), 15)] {
		wantDead = append(wantDead, said("%d: %s %s", i, humanize.Count(uint64(m.size(i))).Text,
			humanize.Percent(float64(m.size(i))/float64(deadBytes), 2)))
	}
	for _, i := range called[:min(len(called), 8)] {
		mark := ""
		if m.saturated(i) {
			mark = "≥ "
		}
		wantCalled = append(wantCalled, said("%d: %s%s %s", i, mark, humanize.Count(calls(i)).Text,
			humanize.Percent(float64(calls(i))/float64(allCalls), 1)))
	}
	if len(dead) == 0 {
		if got := shown(m.T, doc, "list-dead"); !strings.Contains(got, "None.") {
			m.Errorf("%s: what never ran is %q", m.page, got)
		}
	} else if got := m.listed(doc, "list-dead"); !slices.Equal(got, wantDead) {
		m.Errorf("%s: never ran %q, want %q", m.page, got, wantDead)
	}
	if !m.calls {
		wantCalled = nil
	}
	if has := webtest.HasTestID(doc, "list-hot"); has != (len(wantCalled) > 0) {
		m.Errorf("%s: has calls: %v", m.page, has)
	} else if has {
		if got := m.listed(doc, "list-hot"); !slices.Equal(got, wantCalled) {
			m.Errorf("%s: most called are %q, want %q", m.page, got, wantCalled)
		}
	}
	if has := webtest.HasTestID(doc, "plot"); has != m.timestamps {
		m.Errorf("%s: has a timeline: %v", m.page, has)
		return
	} else if !has {
		return
	}
	var first []int
	for _, a := range webtest.All(webtest.ByTestID(m.T, doc, "first-run"), webtest.Tag("a")) {
		first = append(first, slices.Index(m.fids, path.Base(webtest.Attr(a, "href"))))
	}
	if want := m.want.Order[:min(len(m.want.Order), 4)]; !slices.Equal(first, want) {
		m.Errorf("%s: first ran %v, want %v", m.page, first, want)
	}
	reached, n := []string{"0 0"}, 0
	for i, f := range m.want.Order {
		n += m.size(f)
		reached = append(reached, said("%d %s", i+1, humanize.Int(n)))
	}
	var got []string
	for _, tr := range webtest.All(doc, webtest.Tag("tr")) {
		if cells := webtest.All(tr, webtest.Tag("td")); len(cells) == 2 && webtest.Attr(cells[1], "class") == "n" {
			got = append(got, webtest.Said(tr))
		}
	}
	at := -1
	for _, row := range got { // a part of them, in their order, to the last
		next := slices.Index(reached, row)
		if next <= at {
			m.Errorf("%s: the timeline has %q, want %q", m.page, got, reached)
		}
		at = next
	}
	if at != len(reached)-1 || len(got) < min(len(reached), 10) {
		m.Errorf("%s: the timeline has %q, want %q", m.page, got, reached)
	}
	label := webtest.Attr(webtest.ByTestID(m.T, doc, "plot"), "aria-label")
	if want := said("reach %s of code in %s.", humanize.Bytes(uint64(n)).Text,
		humanize.Plural(len(m.want.Order), "function", "functions")); !strings.Contains(said("%s", label), want) {
		m.Errorf("%s: the timeline is called %q, want %q", m.page, label, want)
	}
}

// holdRuns holds the table of functions by runs.
func (m *mipMachine) holdRuns() {
	m.Helper()
	doc := m.l.Page(m.page+"/runs", 200)
	if webtest.HasTestID(doc, "plot") != (len(m.raws) > 1) {
		m.Errorf("%s draws how %d runs grow: %v", m.page, len(m.raws), len(m.raws) < 2)
	}
	if len(m.raws) == 0 {
		return
	}
	rows := 0
	for _, tr := range webtest.All(webtest.ByTestID(m.T, doc, "run-matrix"), webtest.Tag("tr"))[1:] {
		fid := path.Base(webtest.Attr(webtest.All(tr, webtest.Tag("a"))[0], "href"))
		i := slices.Index(m.fids, fid)
		cells := webtest.All(tr, webtest.Tag("td"))
		cells = cells[len(cells)-len(m.raws):]
		for n, cell := range cells {
			ran, calls, first := m.inRun(n, i)
			want, title := "", ""
			if ran {
				if want = calls; !m.calls {
					want = "ran"
				}
				if m.timestamps {
					title = "first run: no. " + first
				}
			}
			got, has := webtest.Said(cell), webtest.Attr(cell, "title")
			if strings.Trim(got, "–·") != want || !strings.Contains(said("%s", has), title) {
				m.Errorf("%s: %s has %q in run %d (%s), want %q, %q", m.page, *m.want.Functions[i].Name, got, n+1, has, want,
					title)
			}
		}
		rows++
	}
	if rows != len(m.fids)-len(m.l.OK(m.at+"/functions?executed=false").Column(m.T, "fid")) {
		m.Errorf("%s: %d rows of runs", m.page, rows)
	}
}

// holdTree holds the tree: what a node leads to is as much as it says, and its map has the functions.
func (m *mipMachine) holdTree() {
	m.Helper()
	for _, by := range []string{"namespace", "path"} {
		doc := m.l.Page(m.page+"/tree?by="+by, 200)
		followed := 0
		for _, a := range webtest.All(webtest.ByTestID(m.T, doc, "tree-table"), webtest.Tag("a")) {
			label := webtest.Attr(a, "aria-label")
			href := webtest.Attr(a, "href")
			if label == "" || !strings.HasPrefix(href, m.page) {
				continue
			}
			followed++
			sign := map[bool]string{true: "&", false: "?"}[strings.Contains(href, "?")]
			list := m.l.OK(href + sign + "format=json").Object(m.T)
			if got := fmt.Sprint(list["total"]); got != webtest.Said(a) {
				m.Errorf("%s: %s leads to %s functions of %q", m.page, href, got, label)
			}
		}
		if followed == 0 {
			m.Errorf("%s: nothing in the tree by %s leads anywhere", m.page, by)
		}
	}
	for _, a := range webtest.All(webtest.ByTestID(m.T, m.l.Page(m.page+"/tree", 200), "treemap"), webtest.Tag("a")) {
		i := slices.Index(m.fids, path.Base(webtest.Attr(a, "href")))
		if i < 0 {
			continue
		}
		_, _, covered := m.bytesOf(i)
		want := said("%s, %s covered", humanize.Bytes(uint64(m.size(i))).Text,
			humanize.Percent(float64(covered)/float64(m.size(i)), 1))
		if got := webtest.Said(webtest.All(a, webtest.Tag("title"))[0]); !strings.HasSuffix(got, want) {
			m.Errorf("%s: the map has %q, want %q", m.page, got, want)
		}
	}
}
