package covweb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/analyze/coverage"
	"proflens/analyze/coverage/coveragetest"
	"proflens/analyze/sources"
	"proflens/handlers/covweb"
	"proflens/handlers/webtest"
	"proflens/internal/humanize"
	"proflens/views/covview"
)

// shownLine is a line of a source as llvm-cov shows it, with what stands below it.
type shownLine struct {
	number      int
	count, text string
	branches    []string // "8:7 T 6 F 7", of all functions together
	decisions   []shownDecision
	expanded    []string // "3 9": a line of what macros stand for, and its count
	ofEach      []int    // its counts in the functions that begin at one place
	instances   []shownInstance
	never       int // instances that did not run
}

// shownInstance is a function of several that begin at one place.
type shownInstance struct {
	first, entries int // line and count
	covered, total int // lines
}

type shownDecision struct {
	at, vectors    string
	covered, total int
}

var (
	shownSource   = regexp.MustCompile(`^ +(\d+)\| *([\d.kMGTPE]*)\|(.*)$`)
	shownBranch   = regexp.MustCompile(`^  \|  Branch \((\d+:\d+)\): \[(.*)\]$`)
	shownRegion   = regexp.MustCompile(`^  \|---> MC/DC Decision Region \((\S+)\) to \((\S+)\)$`)
	shownVector   = regexp.MustCompile(`^  \|  (\d+) \{ (.*) = ([TF]) +\}$`)
	shownPair     = regexp.MustCompile(`^  \|  C\d+-Pair: (covered|not covered|constant folded)`)
	shownExpanded = regexp.MustCompile(`^  \|  \| +(\d+)\| *(\d+)\|`)
	shownOfOne    = regexp.MustCompile(`^  \| +(\d+)\| *(\d+)\|`)
	shownName     = regexp.MustCompile(`^  \| ([^ ].*):$`)
)

// shown reads what `llvm-cov show` printed: the lines of each file in order, with its own counts or with the
// sums over the functions that begin at one place.
func shown(t *testing.T, path, sole string, sums bool) map[string][]shownLine {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]shownLine{}
	file := sole // which has no head
	for text := range strings.Lines(string(data)) {
		text = strings.TrimSuffix(text, "\n")
		if m := shownSource.FindStringSubmatch(text); m != nil {
			files[file] = append(files[file], shownLine{number: len(files[file]) + 1, count: m[2], text: m[3]})
			continue
		}
		if text != "" && text[0] != ' ' {
			file = strings.TrimSuffix(text, ":")
			continue
		}
		if len(files[file]) == 0 {
			continue
		}
		l := &files[file][len(files[file])-1]
		if m := shownBranch.FindStringSubmatch(text); m != nil {
			l.branches = append(l.branches, m[1]+" "+m[2])
		} else if m := shownRegion.FindStringSubmatch(text); m != nil {
			l.decisions = append(l.decisions, shownDecision{at: m[1] + "–" + m[2]})
		} else if m := shownVector.FindStringSubmatch(text); m != nil {
			d := &l.decisions[len(l.decisions)-1]
			d.vectors += m[1] + " " + strings.NewReplacer(",", "", "-", "–", " ", "").Replace(m[2]) + m[3] + " "
		} else if m := shownPair.FindStringSubmatch(text); m != nil && m[1] != "constant folded" {
			d := &l.decisions[len(l.decisions)-1]
			if d.total++; m[1] == "covered" {
				d.covered++
			}
		} else if m := shownExpanded.FindStringSubmatch(text); m != nil {
			l.expanded = append(l.expanded, m[1]+" "+m[2])
		} else if m := shownOfOne.FindStringSubmatch(text); m != nil {
			at, _ := strconv.Atoi(m[1])
			n, _ := strconv.Atoi(m[2])
			files[file][at-1].ofEach = append(files[file][at-1].ofEach, n)
			one := &l.instances[len(l.instances)-1]
			if one.total++; one.total == 1 {
				one.first, one.entries = at, n
			}
			if n > 0 {
				one.covered++
			}
		} else if strings.HasPrefix(text, "  | Unexecuted instantiation: ") {
			l.never++
		} else if m := shownName.MatchString(text); m {
			l.instances = append(l.instances, shownInstance{})
		}
	}
	for _, lines := range files { // llvm-cov shows decisions and instances below the last line, pages at the first
		for i := range lines {
			if sum := 0; sums && len(lines[i].ofEach) > 0 { // and pages add up what functions have of a line
				for _, n := range lines[i].ofEach {
					sum += n
				}
				lines[i].count = strconv.Itoa(sum)
			}
			if list := lines[i].instances; len(list) > 0 && list[0].first != i+1 {
				first := &lines[list[0].first-1]
				first.instances, first.never = list, lines[i].never
				lines[i].instances, lines[i].never = nil, 0
			}
			for _, d := range slices.Clone(lines[i].decisions) {
				if first := slices.IndexFunc(lines, func(l shownLine) bool { return d.begins(l.number) }); first != i {
					lines[first].decisions = append(lines[first].decisions, d)
					lines[i].decisions = slices.DeleteFunc(lines[i].decisions, func(x shownDecision) bool { return x == d })
				}
			}
		}
	}
	return files
}

// begins reports whether a decision begins in a line.
func (d *shownDecision) begins(line int) bool { return strings.HasPrefix(d.at, fmt.Sprint(line, ":")) }

// sides adds up the branches of one place, as a page has them: "T 6 F 7"; a side that the compiler knows
// is left out where it has no count.
func (l *shownLine) sides() (list []string, missed, all int) {
	type side struct {
		n       int
		counted bool
	}
	places := map[string]*[2]side{}
	var order []string
	for _, b := range l.branches {
		at, says, _ := strings.Cut(b, " ")
		if places[at] == nil {
			places[at], order = new([2]side), append(order, at)
		}
		for i, word := range []string{"True: ", "False: "} {
			if _, n, ok := strings.Cut(says, word); ok {
				n, _, _ = strings.Cut(n, ",")
				v, _ := strconv.Atoi(n)
				places[at][i].n += v
				places[at][i].counted = true
			}
		}
	}
	slices.SortFunc(order, func(a, b string) int {
		_, x, _ := strings.Cut(a, ":")
		_, y, _ := strings.Cut(b, ":")
		m, _ := strconv.Atoi(x)
		n, _ := strconv.Atoi(y)
		return m - n
	})
	for _, at := range order {
		text := ""
		for i, letter := range []string{"T", "F"} {
			s := places[at][i]
			if !s.counted {
				continue
			}
			all++
			text += " "
			if s.n == 0 {
				missed++
				text += "○ "
			}
			text += fmt.Sprint(letter, " ", s.n)
		}
		list = append(list, strings.TrimSpace(text))
	}
	return list, missed, all
}

// A file's page, with all unfolded, says of every line what llvm-cov shows: its count and text, the sides
// of its branches, MC/DC with the vectors, what macros stand for, and the functions that begin there. The
// inspector of the line says the same.
func TestSourcePagesSayWhatLLVMShows(t *testing.T) {
	l := webtest.Start(t, nil)
	dir, _ := coveragetest.Unpack(t)
	for _, one := range []struct{ program, sources string }{
		{"clang-22/rules", "rules"}, {"clang-22/flow", "flow"}, {"clang-22/xmac", "xmac"}, {"clang-15/shapes", "shapes"},
	} {
		name := filepath.Base(one.program)
		var sources []string
		texts, err := filepath.Glob(filepath.Join(dir, "src", one.sources, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			sources = append(sources, one.sources+"/"+filepath.Base(text))
		}
		at := giveSources(t, l, dir, []string{one.program + "/" + name + ".profdata", one.program + "/" + name + ".exe"},
			"src/", sources)
		files := shown(t, filepath.Join(dir, one.program, name+".oracle.show.txt"), sources[0], true)
		if len(files) == 0 {
			t.Fatalf("llvm-cov shows nothing of %s", one.program)
		}
		regions := map[string]map[string]int{}
		for _, newest := range []string{".oracle.json", ".oracle.newest.json"} {
			if path := filepath.Join(dir, one.program, name+newest); len(regions) == 0 {
				if _, err := os.Stat(path); err == nil {
					regions = exported(t, path)
				}
			}
		}
		for file, lines := range files {
			if filepath.Ext(file) == ".inc" || filepath.Ext(file) == ".def" {
				continue // inside functions, which llvm-cov does not show one by one
			}
			path := at + "/files/" + filepath.Base(file)
			holdSource(t, l.Page(path+"?open=all", http.StatusOK), path, lines, files)
			for i := range lines { // pages take time
				if line := &lines[i]; line.count != "" && (i%3 == 0 && line.count != lines[max(i, 1)-1].count ||
					len(line.branches) == 1) {
					holdLine(t, l, path, i+1, line, regions[file])
				}
			}
		}
	}
}

// The pages of a report, which need no server, say the same; what is not asked for is not in them.
func TestReportsSayWhatLLVMShows(t *testing.T) {
	dir, _ := coveragetest.Unpack(t)
	for _, one := range []struct{ program, sources string }{
		{"clang-22/rules", "rules"}, {"clang-22/xmac", "xmac"}, {"clang-15/shapes", "shapes"},
	} {
		at := one.program + "/" + filepath.Base(one.program)
		c := coveragetest.Join(t, dir, at+".profdata", coverage.Options{}, at+".exe")
		files := shown(t, filepath.Join(dir, at+".oracle.show.txt"), "", false)
		r := &covweb.Report{Coverage: c, Branches: true, Expansions: true, Instances: true, Decisions: true, Prefix: "x"}
		r.Text = func(file int) [][]byte {
			text, err := os.ReadFile(filepath.Join(dir, "src", c.Files[file].Name))
			if err != nil {
				return nil
			}
			return sources.Lines(text)
		}
		page := func(file int) *html.Node {
			var b bytes.Buffer
			if err := covview.SourceMain(*r.File(file, coverage.Summary{})).Render(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			doc, err := html.Parse(&b)
			if err != nil {
				t.Fatal(err)
			}
			return doc
		}
		for i, f := range c.Files {
			name := strings.TrimPrefix(f.Name, "./")
			if filepath.Ext(name) == ".inc" || filepath.Ext(name) == ".def" {
				continue
			}
			if files[name] == nil {
				t.Errorf("llvm-cov does not show %s", name)
				continue
			}
			holdSource(t, page(i), name, files[name], files)
			r.Instances = false
			whole := page(i)
			r.Instances = true
			ids := 0
			for _, a := range webtest.All(whole, webtest.Tag("a")) {
				if strings.HasPrefix(webtest.Attr(a, "id"), "xL") {
					ids++
				}
			}
			if ids != len(files[name]) || webtest.HasTestID(whole, "instances") {
				t.Errorf("%s has %d lines with an anchor, want %d", name, ids, len(files[name]))
			}
		}
	}
}

// holdSource holds the page of a file, all unfolded, against what llvm-cov shows of it.
func holdSource(t *testing.T, doc *html.Node, path string, lines []shownLine, files map[string][]shownLine) {
	t.Helper()
	said := map[int]map[string]string{}
	details := map[int]*html.Node{}
	number := 0
	for _, tr := range webtest.All(webtest.ByTestID(t, doc, "lines"), webtest.Tag("tr")) {
		switch parent := tr.Parent.Parent; {
		case webtest.Attr(parent, "data-testid") != "lines" || tr.Parent.Data != "tbody":
		case webtest.Attr(tr, "class") == "src-detail":
			if details[number] == nil {
				details[number] = &html.Node{Type: html.ElementNode, Data: "div"}
			}
			tr.Parent.RemoveChild(tr)
			details[number].AppendChild(tr)
		default:
			cells := map[string]string{}
			for n := tr.FirstChild; n != nil; n = n.NextSibling {
				class, _, _ := strings.Cut(webtest.Attr(n, "class"), " ")
				cells[class] = strings.Join(strings.Fields(webtest.Said(n)), " ")
				if len(webtest.All(n, func(n *html.Node) bool { // what is missed has a mark
					return strings.Contains(webtest.Attr(n, "class"), "src-chip-no")
				})) > 0 {
					cells[class] += " (missed)"
				}
			}
			number, _ = strconv.Atoi(cells["src-no"])
			said[number] = cells
			if want, ok := partsOfLines[filepath.Base(path)][number]; ok && partsOf(tr) != want {
				t.Errorf("%s: line %d has the parts %q, want %q", path, number, partsOf(tr), want)
			}
		}
	}
	if len(said) != len(lines) {
		t.Errorf("%s has %d lines, want %d", path, len(said), len(lines))
	}
	for i := range lines {
		line, cells := &lines[i], said[i+1]
		wrong := func(what, got, want string) {
			t.Errorf("%s: line %d: %s is %q, want %q", path, i+1, what, got, want)
		}
		count := strings.TrimLeft(cells["src-count"], "◐○ ")
		if count != line.count || strings.Contains(cells["src-count"], "○") != (line.count == "0") {
			wrong("count", cells["src-count"], line.count)
		}
		if strings.ReplaceAll(cells["src-text"], " ", "") != strings.Join(strings.Fields(line.text), "") {
			wrong("text", cells["src-text"], line.text)
		}
		if line.count == "" {
			continue
		}
		if line.count != "0" {
			sides, missed, _ := line.sides()
			if missed > 0 && len(sides) > 0 && !strings.Contains(cells["src-count"], "◐") {
				wrong("count", cells["src-count"], "◐ "+line.count)
			}
		}
		holdBeside(line, cells["src-sides"], details[i+1], files, wrong)
	}
}

// holdBeside holds what stands at the edge of a line and unfolds below it.
func holdBeside(line *shownLine, edge string, detail *html.Node, files map[string][]shownLine,
	wrong func(what, got, want string)) {
	unfolded := func(id string) (list []*html.Node) {
		if detail != nil {
			list = webtest.AllByTestID(detail, id)
		}
		return list
	}
	sides, missed, all := line.sides()
	want := strings.Join(sides, " ")
	if len(sides) > 2 {
		if want = "all " + humanize.Plural(all, "side", "sides"); missed > 0 {
			want = fmt.Sprintf("◐ %d of %s", all-missed, humanize.Plural(all, "side", "sides"))
		}
		list := unfolded("conditions")
		if len(list) != 1 {
			wrong("conditions", fmt.Sprint(len(list)), "1 list")
		} else {
			var got []string
			for _, li := range webtest.All(list[0], webtest.Tag("li")) {
				chip := webtest.All(li, webtest.Tag("span"))[1]
				got = append(got, strings.Join(strings.Fields(strings.ReplaceAll(webtest.Said(chip), "const", "")), " "))
			}
			if !slices.Equal(got, sides) {
				wrong("conditions", strings.Join(got, "|"), strings.Join(sides, "|"))
			}
		}
	}
	want = strings.ReplaceAll(want, humanize.NumberSpace, " ")
	edge = strings.ReplaceAll(edge, "const ", "")
	if !strings.HasPrefix(edge, want) || want == "" && strings.ContainsAny(edge, "TF") &&
		!strings.Contains(edge, "MC/DC") {
		wrong("sides", edge, want)
	}
	covered, total := 0, 0
	tables := unfolded("mcdc")
	for i, d := range line.decisions {
		covered, total = covered+d.covered, total+d.total
		if i >= len(tables) {
			wrong("decisions", fmt.Sprint(len(tables)), fmt.Sprint(len(line.decisions)))
			break
		}
		text := webtest.Said(tables[i])
		if tag := fmt.Sprintf("MC/DC %d of %d", d.covered, d.total); d.total > 0 && !strings.Contains(text, tag) ||
			!strings.Contains(text, d.at) {
			wrong("decision", text, tag+" at "+d.at)
		}
		vectors, conditions := "", 0
		for _, tr := range webtest.All(tables[i], webtest.Tag("tr")) {
			head := webtest.Said(webtest.All(tr, webtest.Tag("th"))[0])
			if _, err := strconv.Atoi(head); err != nil {
				conditions = max(conditions, len(webtest.All(tr, webtest.Tag("th")))-4)
				continue
			}
			vectors += head + " "
			for _, td := range webtest.All(tr, webtest.Tag("td"))[:conditions+1] {
				vectors += strings.TrimSpace(webtest.Said(td))
			}
			vectors += " "
		}
		if want := []rune(d.vectors); !slices.EqualFunc([]rune(vectors), want, func(got, want rune) bool {
			return got == want || want == 'C' // what the compiler knows is T or F on the page
		}) {
			wrong("vectors", vectors, d.vectors)
		}
	}
	if marked := strings.HasSuffix(edge, " (missed)"); marked != (covered < total || len(sides) > 2 && missed > 0) {
		wrong("mark", edge, fmt.Sprint(!marked))
	}
	edge = strings.TrimSuffix(edge, " (missed)")
	if want := fmt.Sprintf("MC/DC %d/%d", covered, total); total > 0 && !strings.HasSuffix(edge, want) {
		wrong("MC/DC", edge, want)
	}
	if len(line.instances) > 0 {
		holdInstances(line, unfolded("instances"), wrong)
	}
	var expanded []string
	for _, box := range unfolded("expansion") {
		head, last := webtest.Said(webtest.All(box, webtest.Tag("header"))[0]), 1<<30
		for file, lines := range files {
			if strings.Contains(head, "/"+filepath.Base(file)+":") || strings.Contains(head, " "+filepath.Base(file)+":") {
				last = len(lines)
			}
		}
		for _, tr := range webtest.All(box, webtest.Tag("tr")) {
			first := strings.TrimSpace(webtest.Said(webtest.All(tr, webtest.Tag("th"))[0]))
			count := strings.TrimLeft(strings.TrimSpace(webtest.Said(webtest.All(tr, webtest.Tag("td"))[0])), "○ ")
			if n, _ := strconv.Atoi(first); n <= last { // an include ends behind its last line
				expanded = append(expanded, first+" "+count)
			}
		}
	}
	slices.Sort(expanded)
	if want := slices.Sorted(slices.Values(line.expanded)); len(line.instances) == 0 && !slices.Equal(expanded, want) {
		wrong("expansion", strings.Join(expanded, "|"), strings.Join(want, "|"))
	}
}

// exported reads what `llvm-cov export` printed: the counts of the code regions of each file, those of all
// functions together, by their ends.
func exported(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Data []struct {
			Functions []struct {
				Filenames []string
				Regions   [][]int
			}
		}
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	files := map[string]map[string]int{}
	for _, f := range doc.Data[0].Functions {
		for _, r := range f.Regions {
			const count, file, kind = 4, 5, 7
			if r[kind] != 0 { // code
				continue
			}
			name := f.Filenames[r[file]]
			if files[name] == nil {
				files[name] = map[string]int{}
			}
			files[name][fmt.Sprintf("%d:%d–%d:%d", r[0], r[1], r[2], r[3])] += r[count]
		}
	}
	return files
}

// holdInstances holds the functions that begin in a line against those that llvm-cov shows.
func holdInstances(line *shownLine, boxes []*html.Node, wrong func(what, got, want string)) {
	if len(boxes) != 1 {
		wrong("instances", fmt.Sprint(len(boxes)), "1 table")
		return
	}
	ran := len(line.instances)
	head := strings.Join(strings.Fields(webtest.Said(webtest.All(boxes[0], webtest.Tag("header"))[0])), " ")
	want := humanize.Plural(ran+line.never, "instantiation", "instantiations") + " "
	if line.never > 0 {
		want = fmt.Sprint("○ ", line.never, " never ran ", want)
	}
	want = strings.ReplaceAll(fmt.Sprint(ran, " ran ", want), humanize.NumberSpace, " ")
	if !strings.HasPrefix(head, want) {
		wrong("instances", head, want)
	}
	var got, all []string
	for _, one := range line.instances {
		all = append(all, fmt.Sprintf("%d %d/%d", one.entries, one.covered, one.total))
	}
	for _, tr := range webtest.All(boxes[0], webtest.Tag("tr"))[1:] {
		td := webtest.All(tr, webtest.Tag("td"))
		got = append(got, strings.TrimSpace(webtest.Said(td[0]))+" "+webtest.Said(td[2]))
		if mcdc := webtest.Said(td[len(td)-1]); mcdc != "–" && !strings.Contains(mcdc, "/") {
			wrong("MC/DC of an instance", mcdc, "– or a part") // the compiler knows none of them
		}
	}
	slices.Sort(all)
	if got = slices.Sorted(slices.Values(got)); !slices.Equal(got, all) {
		wrong("instances", strings.Join(got, ", "), strings.Join(all, ", "))
	}
	if text := webtest.Said(boxes[0]); strings.Contains(text, "more") ||
		strings.Contains(text, "never ran:") != (line.never > 0) {
		wrong("instances", text, "all")
	}
}

// partsOfLines are the parts of lines that ran otherwise than the line: those that never ran are what
// llvm-cov 22 colours, and the counts of the others those of its -show-regions.
var partsOfLines = map[string]map[int]string{
	"rules.c": {
		8: "b: 6 times", 42: "i > 2: 5 times; ;: 1 time", 53: "d: 3 times", 70: "9: never ran",
		79: "argc > 5: never ran", 80: ";: 1 time", 12: "", 64: "", 71: "",
	},
	"flow.c": {
		97: "b: 2 times", 164: "5: never ran", 181: "never(): never ran", 22: "",
		96: "b ? 1 :: 2 times; 2: never ran; b ? 3 :: 2 times; 4: never ran",
	},
}

// partsOf are those of a line on a page.
func partsOf(tr *html.Node) string {
	var parts []string
	last := ""
	for _, part := range webtest.All(tr, webtest.Tag("span")) {
		title := webtest.Attr(part, "title")
		text := strings.TrimSpace(webtest.Said(part))
		switch class := webtest.Attr(part, "class"); {
		case !strings.Contains(class, "src-missed") && !strings.Contains(class, "src-differs") || text == "":
		case title == last:
			before, _, _ := strings.Cut(parts[len(parts)-1], ": "+title)
			parts[len(parts)-1] = before + " " + text + ": " + title
		default:
			parts = append(parts, text+": "+title)
			last = title
		}
	}
	return strings.ReplaceAll(strings.Join(parts, "; "), humanize.NumberSpace, " ")
}

// holdLine holds the inspector of a line against what llvm-cov shows of it.
func holdLine(t *testing.T, l *webtest.Server, path string, number int, line *shownLine, regions map[string]int) {
	t.Helper()
	said := saidOf(t, l, fmt.Sprint(path, "?sel=", number), "line")
	want := "Ran " + line.count + " times."
	switch line.count {
	case "0":
		want = "Never ran"
	case "1":
		want = "Ran once."
	}
	if !strings.Contains(said, want) {
		t.Errorf("%s: line %d: the inspector does not say %q: %s", path, number, want, said)
	}
	const most = 8
	here := 0
	for region, count := range regions {
		if !strings.HasPrefix(region, fmt.Sprint(number, ":")) {
			continue
		}
		here++
		if want := fmt.Sprintf("Region %s %d ", region, count); here <= most &&
			!strings.Contains(strings.ReplaceAll(said, "○ ", ""), want) {
			t.Errorf("%s: line %d: the inspector does not say %q: %s", path, number, want, said)
		}
	}
	if got := strings.Count(said, "Region "); got != min(here, most) {
		t.Errorf("%s: line %d: %d regions, want %d: %s", path, number, got, here, said)
	}
	sides, missed, _ := line.sides()
	if line.count == "0" || missed == 0 {
		return
	}
	odd := 0
	for _, side := range sides {
		if strings.Contains(side, "○") {
			odd++
		}
	}
	if got := strings.Count(said, " was never "); got != min(odd, 3) && !strings.Contains(said, " was ever ") {
		t.Errorf("%s: line %d: %d conditions are said to be missed, %d are %q: %s", path, number, got, odd, sides, said)
	}
}
