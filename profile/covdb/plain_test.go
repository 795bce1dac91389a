package covdb_test

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/decode/covmap"
	"proflens/decode/instrprof"
	"proflens/profile/covdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// few are profiles of which everything is looked at.
var few = [][]string{
	{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"}, {"clang-22/dup/dup.profdata", "clang-22/dup/dup.exe"},
	{"joined/stale.profdata", "joined/stale.exe"}, {"joined/order.profdata", "joined/libbar.so", "joined/order.exe"},
	{"joined/short.profdata", "joined/tiny.exe"}, {"rustc-stable/shop/shop.profdata", "rustc-stable/shop/shop.exe"},
}

// pages reads a table as pages of a size.
func pages[R any](t *testing.T, find table.Find, size int) (all []*R) {
	t.Helper()
	for {
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: len(all), Limit: size}})
		if err != nil {
			t.Fatal(err)
		}
		rows := table.RowsOf[R](&page)
		if all = append(all, rows...); len(rows) == 0 || len(all) >= page.Matching {
			if len(all) != page.Matching {
				t.Errorf("%d rows of %d", len(all), page.Matching)
			}
			return all
		}
	}
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("%s: row %d is %s, not %s", what, i, got[i], want[i])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d rows, not %d", what, len(got), len(want))
	}
}

func side(n *uint64) string {
	if n == nil {
		return "-"
	}
	return fmt.Sprint(*n)
}

// Every table has what the join says, whole and in parts.
func TestTablesAreWhatWasJoined(t *testing.T) {
	for _, files := range few {
		t.Run(files[0], func(t *testing.T) {
			p, c := opened(t, slices.Clone(files)...)
			checkLines(t, p, c)
			checkFunctions(t, p, c)
			checkFiles(t, p)
			checkTree(t, p)
			checkDecisions(t, p, c)
			checkMisfits(t, p, c)
		})
	}
}

// Lines and conditions of a file, and of all, are those of their views.
func checkLines(t *testing.T, p *covdb.Profile, c *coverage.Coverage) {
	var allLines, allBranches []string
	for i := range c.Files {
		f, err := p.FileAt(i)
		if err != nil {
			t.Fatal(err)
		}
		v := c.UnionView(i)
		var lines, branches []string
		for _, row := range v.Rows() {
			total, covered := 0, 0
			for _, s := range row.Sides {
				for _, side := range []struct {
					folded bool
					n      uint64
				}{{s.TrueFolded, s.True}, {s.FalseFolded, s.False}} {
					if !side.folded {
						if total++; side.n > 0 {
							covered++
						}
					}
				}
			}
			for line := row.First; line <= row.Last && row.State != coverage.Unmapped; line++ {
				lines = append(lines, fmt.Sprint(f.Name, line, row.Count, row.State, total, covered))
			}
		}
		for _, s := range coverage.SidesOf(v.Branches) {
			yes, no := &s.True, &s.False
			if s.TrueFolded {
				yes = nil
			}
			if s.FalseFolded {
				no = nil
			}
			branches = append(branches, fmt.Sprint(f.Name, s.Start, s.End, side(yes), side(no), s.Constant))
		}
		check := func(file *covdb.File, size int, lines, branches []string) {
			var got []string
			for _, l := range pages[covdb.Line](t, p.FindLines(file), size) {
				got = append(got, fmt.Sprint(l.File.Name, l.Line, l.Count, l.State, l.Sides.Total, l.Sides.Covered))
			}
			same(t, "lines", got, lines)
			got = nil
			for _, b := range pages[covdb.Branch](t, p.FindBranches(file), size) {
				got = append(got, fmt.Sprint(b.File.Name, covmap.Position{Line: b.Line, Column: b.Column},
					covmap.Position{Line: b.EndLine, Column: b.EndColumn}, side(b.True), side(b.False), b.Constant))
			}
			same(t, "conditions", got, branches)
		}
		check(f, 5, lines, branches)
		allLines, allBranches = append(allLines, lines...), append(allBranches, branches...)
		if i == len(c.Files)-1 {
			check(nil, 7, allLines, allBranches)
			check(nil, 1<<20, allLines, allBranches)
			profiletest.Table(t, covdb.Lines, p.FindLines(nil), "state", "file")
			profiletest.Table(t, covdb.Branches, p.FindBranches(nil), "file")
		}
	}
}

// joined is a function, or those that begin at one place.
type joined struct {
	id              int
	names           []string
	file            int
	count           uint64
	instances, ran  int
	sums            coverage.Summary
	profiled, whole bool
}

func most(to *coverage.Metric, of coverage.Metric) {
	to.Total, to.Covered = max(to.Total, of.Total), max(to.Covered, of.Covered)
}

// passes is a threshold as people read it.
func passes(q covdb.Threshold, m coverage.Metric) bool {
	percent := 100 * float64(m.Covered) / float64(max(m.Total, 1))
	return m.Total > 0 && map[string]bool{
		"<": percent < q.Percent, "<=": percent <= q.Percent, ">": percent > q.Percent, ">=": percent >= q.Percent,
	}[q.Op]
}

// thresholds are one of each kind.
var thresholds = []covdb.Threshold{
	{Column: "lines", Op: "<", Percent: 100}, {Column: "regions", Op: "<=", Percent: 50},
	{Column: "branches", Op: ">", Percent: 50}, {Column: "mcdc", Op: ">=", Percent: 50}, {Column: "lines", Op: ">=",
		Percent: 100},
}

// Functions are those that were joined, one by one and by place, by what is asked of them.
func checkFunctions(t *testing.T, p *covdb.Profile, c *coverage.Coverage) {
	var each, groups []*joined
	at := map[string]*joined{}
	for i := range c.Functions {
		f := &c.Functions[i]
		file, place := -1, fmt.Sprint("nowhere", i)
		if f.Main >= 0 {
			file = int(f.Files[f.Main])
			place = fmt.Sprint(file, f.Start())
		}
		one := &joined{i + 1, []string{f.Linkage}, file, f.Count(), 0, 0, c.Summary(f), f.Profiled, false}
		each = append(each, one)
		g := at[place]
		if g == nil {
			g = &joined{id: i + 1, file: file}
			at[place] = g
			groups = append(groups, g)
		}
		g.names, g.count, g.instances = append(g.names, f.Linkage), g.count+f.Count(), g.instances+1
		if f.Count() > 0 {
			g.ran++
		}
		most(&g.sums.Lines, one.sums.Lines)
		most(&g.sums.Regions, one.sums.Regions)
		most(&g.sums.Branches, one.sums.Branches)
		most(&g.sums.MCDC, one.sums.MCDC)
	}
	idle := 0
	for _, f := range each {
		if f.count == 0 && f.profiled {
			idle++
		}
	}
	if got, err := p.Idle(t.Context()); err != nil || got != idle {
		t.Errorf("%d idle functions, not %d; %v", got, idle, err)
	}
	var queries []covdb.FunctionQuery
	for _, state := range append([]covdb.State{""}, covdb.States...) {
		queries = append(queries, covdb.FunctionQuery{State: state})
	}
	for i := range thresholds {
		queries = append(queries, covdb.FunctionQuery{Thresholds: thresholds[i : i+1]})
	}
	queries = append(queries, covdb.FunctionQuery{Files: []int{0, len(c.Files), 1 << 20, -1}},
		covdb.FunctionQuery{Files: []int{}},
		covdb.FunctionQuery{OwnFirst: true})
	for _, q := range queries {
		for _, q.Instances = range []bool{false, true} {
			list := groups
			if q.Instances {
				list = each
			}
			want, sums := map[int]*joined{}, coverage.Summary{}
			for _, f := range list {
				m := map[query.Column]coverage.Metric{
					"lines": f.sums.Lines, "regions": f.sums.Regions, "branches": f.sums.Branches, "mcdc": f.sums.MCDC,
				}
				state := covdb.Never
				if f.count > 0 || f.ran > 0 {
					if state = covdb.Whole; f.sums.Lines.Missed()+f.sums.Regions.Missed()+f.sums.Branches.Missed() > 0 {
						state = covdb.Partly
					}
				}
				if q.Files != nil && !slices.Contains(q.Files, f.file) || len(q.Thresholds) > 0 && !passes(q.Thresholds[0],
					m[q.Thresholds[0].Column]) || q.State == covdb.Ran && state == covdb.Never ||
					q.State != "" && q.State != covdb.Ran && q.State != state {
					continue
				}
				want[f.id] = f
				summary := f.sums
				summary.Functions, summary.Instantiations = coverage.Metric{Total: 1}, coverage.Metric{}
				if state != covdb.Never {
					summary.Functions.Covered = 1
				}
				sums.Add(summary)
			}
			find := p.FindFunctions(q)
			got := pages[covdb.Function](t, find, 1<<20)
			page, err := p.Functions(t.Context(), q)
			if err != nil || len(got) != len(want) || page.All != len(list) || page.Totals != sums {
				t.Errorf("%+v: %d of %d functions with %+v, not %d with %+v; %v", q, len(got), page.All, page.Totals, len(want),
					sums, err)
				continue
			}
			others := false
			for i, f := range got {
				w := want[f.ID]
				if w == nil {
					t.Errorf("%+v: %s", q, f.Shown)
					continue
				}
				f.Functions, f.Instantiations = coverage.Metric{}, coverage.Metric{}
				w.sums.Functions, w.sums.Instantiations = coverage.Metric{}, coverage.Metric{}
				cells := profiletest.Row{Text: map[string]string{}}
				for _, field := range covdb.Functions.Fields() {
					pageRow := table.Page{Set: table.Set{Rows: got}}
					cells.Text[field.Name] = field.Text(pageRow.Row(i))
				}
				ran := w.ran
				if q.Instances {
					ran = min(int(w.count), 1)
				}
				if f.Count != w.count || f.Instances != w.instances || f.Ran != w.ran || f.Summary != w.sums ||
					f.Profiled != w.profiled &&
						q.Instances || (f.File == nil) != (w.file < 0) || f.File != nil && f.File.Index != w.file ||
					cells.Text["instances_ran"] != fmt.Sprint(ran) || cells.Text["instances"] != fmt.Sprint(max(w.instances, 1)) {
					t.Errorf("%+v: %+v, not %+v", q, f, w)
				}
				if q.OwnFirst {
					other := f.File != nil && f.File.Kind != sources.Own
					if others && !other {
						t.Errorf("one's own %s stands behind others", f.Shown)
					}
					others = other
				}
			}
			if q.State == "" && len(q.Thresholds) == 0 && !q.OwnFirst {
				profiletest.Table(t, covdb.Functions, find, "name", "file")
			}
		}
	}
	for i, one := range each {
		found, err := p.Named(t.Context(), instrprof.NameRef([]byte(one.names[0])))
		n := 0
		for _, other := range each {
			if other.names[0] == one.names[0] {
				n++
			}
		}
		if err != nil || len(found) != n || !slices.ContainsFunc(found, func(f covdb.Function) bool { return f.ID == i+1 }) {
			t.Errorf("%d functions are called %s, not %d; %v", len(found), one.names[0], n, err)
		}
	}
}

// Files are selected as a person would select them, and come to the sum of those that are left.
func checkFiles(t *testing.T, p *covdb.Profile) {
	all := pages[covdb.File](t, p.FindFiles(covdb.FileQuery{}), 1<<20)
	profiletest.Table(t, covdb.Files, p.FindFiles(covdb.FileQuery{}), "name", "kind")
	dir := path.Dir(all[len(all)/2].Path)
	queries := []covdb.FileQuery{{}, {Union: true}, {Dir: dir}, {Dir: "/" + dir + "/"}, {Dir: dir[:len(dir)-1]},
		{Without: []sources.Kind{all[0].Kind}}}
	for _, q := range thresholds {
		queries = append(queries, covdb.FileQuery{Thresholds: []covdb.Threshold{q}},
			covdb.FileQuery{Thresholds: []covdb.Threshold{q}, Union: true})
	}
	for _, q := range queries {
		var want covdb.FileSums
		for _, f := range all {
			of := f.Sums.Of(q.Union)
			m := map[query.Column]coverage.Metric{
				"lines": of.Lines, "regions": of.Regions, "branches": of.Branches, "mcdc": f.MCDC,
			}
			if under := strings.Trim(q.Dir, "/"); under != "" && !strings.HasPrefix(f.Path, under+"/") ||
				slices.Contains(q.Without, f.Kind) || len(q.Thresholds) > 0 && !passes(q.Thresholds[0],
				m[q.Thresholds[0].Column]) {
				continue
			}
			want.Files++
			want.Sums.Add(&f.Sums)
		}
		if got, err := p.Sum(t.Context(), q); err != nil || *got != want {
			t.Errorf("%+v: %+v, not %+v; %v", q, got, want, err)
		}
		rows := pages[covdb.File](t, p.FindFiles(q), 1<<20)
		for i := 1; i < len(rows); i++ {
			a, b := rows[i-1].Sums.Of(q.Union), rows[i].Sums.Of(q.Union)
			if a.Lines.Missed() < b.Lines.Missed() {
				t.Errorf("%+v: %s misses more than the one above", q, rows[i].Name)
			}
		}
	}
	for _, f := range all {
		for _, word := range []string{f.Path, f.Name} {
			if got, err := p.FileOf(word); err != nil || got.Index != f.Index {
				t.Errorf("%s is %+v, %v", word, got, err)
			}
		}
		n := 0
		for _, other := range all {
			if strings.HasSuffix(strings.ReplaceAll(other.Name, `\`, "/"), "/"+path.Base(f.Path)) {
				n++
			}
		}
		if got := p.FilesOf(path.Base(f.Path)); len(got) != n && f.Path != path.Base(f.Path) {
			t.Errorf("%d files are called %s, not %d", len(got), path.Base(f.Path), n)
		}
	}
	for _, index := range []int{-1, len(all)} {
		if _, err := p.FileAt(index); err != stored.ErrNoPart {
			t.Errorf("file %d: %v", index, err)
		}
	}
}

// A directory comes to what is below it, and what is in it comes in order.
func checkTree(t *testing.T, p *covdb.Profile) {
	all := pages[covdb.File](t, p.FindFiles(covdb.FileQuery{}), 1<<20)
	for _, q := range []covdb.TreeQuery{
		{Limit: 99}, {Limit: 99, Union: true, Without: []sources.Kind{all[0].Kind}}, {Limit: 1, Offset: 1},
		{Limit: 99, Sort: []query.Key{{Column: "name", Desc: true}}}, {Limit: 99, Sort: []query.Key{{Column: "kind"}}},
	} {
		var walk func(dir string, above int)
		walk = func(dir string, above int) {
			page, err := p.Tree(t.Context(), dir, q)
			if err != nil {
				t.Fatal(dir, err)
			}
			var want covdb.FileSums
			kinds := map[sources.Kind]bool{}
			for _, f := range all {
				if (dir == "" || strings.HasPrefix(f.Path, dir+"/")) && !slices.Contains(q.Without, f.Kind) {
					want.Files++
					want.Sums.Add(&f.Sums)
					kinds[f.Kind] = true
				}
			}
			if page.Node.Sums != want.Sums || page.Node.Files != want.Files || len(page.Above) != above ||
				page.Node.Path != dir {
				t.Errorf("%q is %+v below %d, not %+v below %d", dir, page.Node, len(page.Above), want, above)
			}
			if len(kinds) == 1 && !kinds[page.Node.Kind] || len(kinds) > 1 && page.Node.Kind != sources.Own {
				t.Errorf("%q is of kind %v, with %v", dir, page.Node.Kind, kinds)
			}
			if len(page.Children) != max(0, min(q.Limit, page.Matching-q.Offset)) {
				t.Errorf("%q: %d of %d", dir, len(page.Children), page.Matching)
			}
			for i, kid := range page.Children {
				if i > 0 {
					a, b := page.Children[i-1], kid
					misses := b.Sums.Of(q.Union).Lines.Missed() - a.Sums.Of(q.Union).Lines.Missed()
					if len(q.Sort) == 0 && (misses > 0 || misses == 0 && a.Name > b.Name) ||
						len(q.Sort) > 0 && (q.Sort[0].Desc && a.Name < b.Name || !q.Sort[0].Desc && a.Kind.Compare(&b.Kind) > 0) {
						t.Errorf("%q, %+v: %s stands above %s", dir, q, a.Name, b.Name)
					}
				}
				if kid.File == nil {
					walk(kid.Path, above+1)
				} else if kid.Sums != kid.File.Sums || kid.Kind != kid.File.Kind || kid.Path != kid.File.Path {
					t.Errorf("%+v is not %+v", kid, kid.File)
				}
			}
		}
		walk("", 0)
	}
	if _, err := p.Tree(t.Context(), "no/such", covdb.TreeQuery{}); err != stored.ErrNoPart {
		t.Error(err)
	}
}

// Decisions are those of the functions: of several at one place the one with the most shown.
func checkDecisions(t *testing.T, p *covdb.Profile, c *coverage.Coverage) {
	type decision struct {
		text  string
		file  int
		start covmap.Position
		m     coverage.Metric
		n     int
	}
	var all []decision
	for i := range c.Functions {
		f := &c.Functions[i]
		for n := range f.Decisions {
			d := &f.Decisions[n]
			var vectors []string
			for _, v := range d.Vectors {
				word := ""
				for _, value := range v.Values {
					word += map[coverage.Value]string{coverage.IsTrue: "T", coverage.IsFalse: "F", coverage.NotEvaluated: "-"}[value]
				}
				vectors = append(vectors, word+map[bool]string{true: "=T", false: "=F"}[v.Result])
			}
			all = append(all, decision{
				fmt.Sprint(c.Files[f.Files[d.File]].Name, d.Start, d.End, f.Linkage, d.Metric(), fmt.Sprint(vectors)),
				int(f.Files[d.File]),
				d.Start, d.Metric(), len(all),
			})
		}
	}
	slices.SortFunc(all, func(a, b decision) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.start.Line, b.start.Line),
			cmp.Compare(a.start.Column, b.start.Column), cmp.Compare(a.n, b.n))
	})
	for _, q := range []covdb.DecisionQuery{
		{}, {Instances: true}, {Missing: true}, {Files: []int{0}}, {Files: []int{1}, Instances: true}, {Worst: true},
	} {
		var want []decision
		for _, d := range all {
			if q.Files != nil && !slices.Contains(q.Files, d.file) {
				continue
			}
			if last := len(want) - 1; !q.Instances && last >= 0 && want[last].file == d.file && want[last].start == d.start {
				if d.m.Covered > want[last].m.Covered {
					want[last] = d
				}
				continue
			}
			want = append(want, d)
		}
		var sum coverage.Metric
		var texts []string
		for _, d := range want {
			if !q.Missing || d.m.Missed() > 0 {
				texts = append(texts, d.text)
				sum.Add(d.m)
			}
		}
		find, err := p.FindDecisions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1 << 20}})
		if err != nil {
			t.Fatal(err)
		}
		if !q.Missing && !q.Instances { // as llvm-cov counts
			sum = coverage.Metric{}
			for i := range p.Overview.Files {
				if f, _ := p.FileAt(i); q.Files == nil || slices.Contains(q.Files, i) {
					sum.Add(f.MCDC)
				}
			}
		}
		if got := page.Around.(*covdb.DecisionSums).Conditions; got != sum || page.All != len(all) {
			t.Errorf("%+v: %+v of %d, not %+v of %d", q, got, page.All, sum, len(all))
		}
		var got []string
		for i, d := range table.RowsOf[covdb.Decision](&page) {
			text := covdb.Decisions.Field("vectors").Text(page.Row(i))
			text = "[" + strings.NewReplacer(`"`, "", ",", " ", "[", "", "]", "").Replace(text) + "]"
			got = append(got, fmt.Sprint(d.File.Name, covmap.Position{Line: d.Line, Column: d.Column},
				covmap.Position{Line: d.EndLine, Column: d.EndColumn}, d.Function.PGO, d.Metric, text))
			pairs := strings.Count(covdb.Decisions.Field("list").Text(page.Row(i)), `"pair":[`)
			if pairs != d.Metric.Covered || len(d.Spans) != len(d.Seen.Conditions) {
				t.Errorf("%d pairs of %+v", pairs, d.Metric)
			}
		}
		if q.Worst {
			slices.Sort(got)
			slices.Sort(texts)
		}
		same(t, fmt.Sprintf("decisions %+v", q), got, texts)
		profiletest.Table(t, covdb.Decisions, find, "file")
	}
}

// Misfits are those of the join, each of its kind.
func checkMisfits(t *testing.T, p *covdb.Profile, c *coverage.Coverage) {
	want := map[covdb.MisfitKind][]string{}
	object := func(i int) string {
		if i < 0 {
			return ""
		}
		return p.Overview.Objects[i].Name
	}
	add := func(kind covdb.MisfitKind, ran bool, m *coverage.Misfit) {
		want[kind] = append(want[kind], fmt.Sprint(m.Name, object(m.Object), m.Hash, m.Found, ran))
	}
	for i := range c.Misfits.Mismatched {
		if m := &c.Misfits.Mismatched[i]; m.Dummy {
			add(covdb.DummyRecord, false, m)
		} else {
			add(covdb.Mismatched, false, m)
		}
	}
	for i := range c.Misfits.Short {
		add(covdb.Short, false, &c.Misfits.Short[i])
	}
	for i := range c.Misfits.Bitmapless {
		add(covdb.Bitmapless, false, &c.Misfits.Bitmapless[i])
	}
	for i := range c.Misfits.Hidden {
		add(covdb.Hidden, true, &c.Misfits.Hidden[i])
	}
	for _, l := range c.Misfits.Lost {
		add(covdb.Lost, l.Ran, &coverage.Misfit{Name: l.Name, Object: -1, Hash: l.Hash})
	}
	for _, kind := range covdb.MisfitKinds {
		find, err := p.FindMisfits(t.Context(), kind)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range pages[covdb.Misfit](t, find, 3) {
			got = append(got, fmt.Sprint(m.Name.PGO, m.Program, m.Hash, m.Found, m.Ran))
		}
		same(t, string(kind), got, want[kind])
		if p.Overview.Misfits[kind] != len(want[kind]) {
			t.Errorf("%d %s", p.Overview.Misfits[kind], kind)
		}
	}
	if find, err := p.FindMisfits(t.Context(), ""); err == nil {
		profiletest.Table(t, covdb.Misfits, find, "name", "kind")
	}
}

// A profile that is compared with itself has not changed; two compare the one way as they do the other,
// and a file's lines are those of all that the comparison counts.
func TestComparisonsGoBothWays(t *testing.T) {
	one, _ := opened(t, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe")
	two, _ := opened(t, "joined/stale.profdata", "joined/stale.exe")
	three, _ := opened(t, "clang-22/dup/dup.profdata", "clang-22/dup/dup.exe")
	compare := func(a, b *covdb.Profile) *covdb.Comparison {
		c, err := covdb.Compare(t.Context(), a, b)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	for _, p := range []*covdb.Profile{one, two, three} {
		c := compare(p, p)
		if c.Sum.Turned() != 0 || c.Sum.BaseOnly.Total+c.Sum.TestOnly.Total != 0 ||
			c.Sum.Both != p.Overview.Totals.Union.Lines.Total {
			t.Errorf("a profile differs from itself by %+v", c.Sum)
		}
		for _, f := range c.Files {
			if f.Change != 0 || f.ShareChange != 0 || f.State != table.Matched || f.Base.File != f.Test.File {
				t.Errorf("%s is %+v", f.Name, f)
			}
			for _, name := range []string{f.Name, string(f.Path)} {
				if got, err := c.FileOf(name); err != nil || got != f {
					t.Errorf("%s is %+v, %v", name, got, err)
				}
			}
		}
		if got, err := c.FileOf(path.Base(c.Files[0].Name)); err == nil &&
			path.Base(got.Name) != path.Base(c.Files[0].Name) {
			t.Errorf("%s is %s", c.Files[0].Name, got.Name)
		}
		if _, err := c.FileOf("no such file"); err != stored.ErrNoPart {
			t.Error(err)
		}
	}
	for _, pair := range [][2]*covdb.Profile{{one, two}, {one, three}, {two, three}} {
		there, back := compare(pair[0], pair[1]), compare(pair[1], pair[0])
		profiletest.Table(t, covdb.ComparedFiles, there.Find(table.MoveQuery{Min: table.AllMoves}), "name",
			"share_change", "base", "test")
		a, b := there.Sum, back.Sum
		if a.NewlyCovered != b.NewlyUncovered || a.NewlyUncovered != b.NewlyCovered || a.Both != b.Both ||
			a.BaseOnly != b.TestOnly {
			t.Errorf("%+v there, and %+v back", a, b)
		}
		if a.Both+a.BaseOnly.Total != pair[0].Overview.Totals.Union.Lines.Total ||
			a.Both+a.TestOnly.Total != pair[1].Overview.Totals.Union.Lines.Total {
			t.Errorf("%+v of %+v and %+v", a, pair[0].Overview.Totals.Union, pair[1].Overview.Totals.Union)
		}
		var sum coverage.Moved
		for _, f := range there.Files {
			sum.Add(f.Moved)
			other, err := back.FileOf(f.Name)
			if err != nil || other.Change != -f.Change || other.ShareChange != -f.ShareChange ||
				other.NotCompared != f.NotCompared || f.Change != f.InTest-f.InBase ||
				f.Move.Turned != float64(f.NewlyCovered+f.NewlyUncovered) ||
				f.NotCompared != f.BaseOnly.Total+f.TestOnly.Total {
				t.Errorf("%+v there, and %+v back; %v", f, other, err)
			}
			for i, s := range []*covdb.ComparedSide{f.Base, f.Test} {
				if s != nil && (s.Lines != s.Union.Lines.Total || s.Covered != s.Union.Lines.Covered ||
					s.Covered != int([]float64{f.InBase, f.InTest}[i]) ||
					s.NotCompared != []int{f.BaseOnly.Total, f.TestOnly.Total}[i]) {
					t.Errorf("%s: side %d is %+v", f.Name, i, s)
				}
			}
			want := table.Changed
			switch {
			case f.Base == nil:
				want = table.OnlyTest
			case f.Test == nil:
				want = table.OnlyBase
			case f.NotCompared == 0:
				want = table.Matched
			}
			if f.NewlyCovered > 0 {
				want |= covdb.NewlyCovered
			}
			if f.NewlyUncovered > 0 {
				want |= covdb.NewlyUncovered
			}
			if f.State != want {
				t.Errorf("%s is in state %b, not %b", f.Name, f.State, want)
			}
		}
		if sum != there.Sum {
			t.Errorf("files come to %+v, not %+v", sum, there.Sum)
		}
		for _, all := range []bool{false, true} {
			want := a.Turned()
			if all {
				want = a.All()
			}
			whole := profiletest.Records(t, there.Table(nil, all, table.Options{Demangle: strings.Clone}))
			if len(whole) != want {
				t.Errorf("%d lines, not %d", len(whole), want)
			}
			var apart []map[string]string
			for _, f := range there.Files {
				lines := profiletest.Records(t, there.Table(f, all, table.Options{Demangle: strings.Clone}))
				moves, err := there.Lines(t.Context(), f)
				if err != nil {
					t.Fatal(err)
				}
				n := 0
				for _, pair := range moves.Pairs {
					turned := pair.Turn == coverage.NewlyCovered || pair.Turn == coverage.NewlyUncovered
					for i := range pair.Lines {
						if !all && !turned {
							break
						}
						number := func(first uint32) string {
							if first == 0 {
								return ""
							}
							return fmt.Sprint(first + uint32(i))
						}
						if l := lines[n]; l["base_line"] != number(pair.Base) || l["test_line"] != number(pair.Test) ||
							(l["base_count"] == "") != (pair.BaseRow == nil) || (l["test_count"] == "") != (pair.TestRow == nil) ||
							turned != strings.HasPrefix(l["turn"], "newly") {
							t.Errorf("%s: line %d is %v, not of %+v", f.Name, n, l, pair)
						}
						n++
					}
				}
				apart = append(apart, lines...)
			}
			if fmt.Sprint(apart) != fmt.Sprint(whole) {
				t.Errorf("%d lines of files, %d of all", len(apart), len(whole))
			}
		}
	}
}

// Regions and conditions of an exported database are those of the functions.
func TestRegionsAsSQLite(t *testing.T) {
	for _, files := range few[:2] {
		_, c := opened(t, slices.Clone(files)...)
		var paths []string
		for _, f := range files {
			paths = append(paths, testdata+f)
		}
		db := profiletest.SQLite(t, decoded(t, paths...))
		words := map[covmap.Kind]string{
			covmap.Code: "code", covmap.Expansion: "expansion", covmap.Skipped: "skipped", covmap.Gap: "gap",
			covmap.Branch: "branch", covmap.MCDCBranch: "mcdc_branch",
		}
		var want, conditions []string
		n := 0
		for i := range c.Functions {
			f := &c.Functions[i]
			for _, list := range [][]coverage.Region{f.Regions, f.Branches} {
				for _, r := range list {
					no, folded := "", 0
					if r.Kind == covmap.Branch || r.Kind == covmap.MCDCBranch {
						no = fmt.Sprint(int64(r.False))
					}
					if r.TrueFolded {
						folded++
					}
					if r.FalseFolded {
						folded += 2
					}
					want = append(want, fmt.Sprintf("%d|%s|%d|%d|%d|%d|%d|%d|%s|%d", i+1, words[r.Kind], f.Files[r.File]+1,
						r.Start.Line,
						r.Start.Column, r.End.Line, r.End.Column, int64(r.Count), no, folded))
				}
			}
			for d := range f.Decisions {
				n++
				for at, one := range f.Decisions[d].Conditions {
					flag := map[bool]int{true: 1}
					conditions = append(conditions, fmt.Sprintf("%d|%d|%d|%d|%d|%d", n, at, one.Start.Line, one.Start.Column,
						flag[one.Folded], flag[one.Covered()]))
				}
			}
		}
		same(t, "regions", profiletest.Texts(t, db, `SELECT * FROM coverage_region ORDER BY rowid`), want)
		same(t, "conditions", profiletest.Texts(t, db, `SELECT * FROM coverage_condition ORDER BY rowid`), conditions)
	}
}
