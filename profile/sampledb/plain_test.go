package sampledb_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"proflens/analyze/sample"
	"proflens/analyze/sources"
	"proflens/decode/format"
	"proflens/decode/sampleprof"
	"proflens/profile/calltree"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/sampledb"
	"proflens/profile/table"
)

// plain is a profile as it was decoded beside the same as it is stored.
type plain struct {
	*sampleprof.Profile
	db    *sampledb.Profile
	names []sampledb.Name
	at    []visited // all functions, and what is inlined into them
}

// visited is a function, or what is inlined into one: names from the outermost context down.
type visited struct {
	entry   int
	stack   []uint32
	inlined []bool
	path    []sampleprof.Frame // from the row's function down
	f       *sampleprof.Function
}

// What is stored of profiles of every kind is what a walk over the decoded one finds: with inlining,
// contexts, hashes, symbols, vtables, and with the programs that they are of.
func TestStoredIsWhatAWalkFinds(t *testing.T) {
	for _, paths := range [][]string{
		{"text/nested.afdotext"}, {"text/contexts.afdotext"}, {"text/vtables.afdotext"},
		{"llvm-22/symlist.ext.afdo"},
		{"llvm-22/line.ext.afdo", "programs/lines.elf"}, {"llvm-22/contexts.ext.afdo", "programs/changed.elf"},
		{"llvm-22/contexts_nested.afdotext"}, {"llvm-22/partial_md5.ext.afdo", "programs/names.txt"},
	} {
		for i := range paths {
			paths[i] = filepath.Join(testdata, paths[i])
		}
		p := plainly(t, paths)
		for name, check := range map[string]func(*testing.T, *plain){
			"names": checkNames, "places": checkPlaces, "rows": checkRows, "flame": checkFlame, "asked": checkAsked,
		} {
			t.Run(filepath.Base(paths[0])+" "+name, func(t *testing.T) { check(t, p) })
		}
	}
}

func plainly(t *testing.T, paths []string) *plain {
	t.Helper()
	stored, decoded := profiletest.Open(t, paths...)
	records, _ := format.PartOf[*sampleprof.Profile](decoded)
	db, err := sampledb.Of(stored)
	if err != nil {
		t.Fatal(err)
	}
	p := &plain{Profile: records, db: db}
	if p.names, err = db.Names(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, f := range records.Functions {
		var v visited
		if f.Context >= 0 {
			frames := records.Contexts[f.Context]
			for _, frame := range frames[:len(frames)-1] {
				v.stack, v.inlined = append(v.stack, uint32(frame.Name)), append(v.inlined, false)
			}
		}
		v.entry = i
		p.visit(v, f, false)
	}
	return p
}

func (p *plain) visit(v visited, f *sampleprof.Function, inlined bool) {
	v.stack, v.inlined = append(slices.Clone(v.stack), uint32(f.Name)), append(slices.Clone(v.inlined), inlined)
	v.path, v.f = append(slices.Clone(v.path), sampleprof.Frame{Name: f.Name}), f
	p.at = append(p.at, v)
	for _, s := range f.Sites {
		below := v
		below.path = slices.Clone(v.path)
		below.path[len(v.path)-1].Loc = s.Loc
		p.visit(below, s.Callee, true)
	}
}

// text is frames as contexts are written.
func (p *plain) text(frames []sampleprof.Frame) string {
	var list []string
	for i, f := range frames {
		name := string(p.names[f.Name].Linkage)
		if name == "" {
			name = p.Names[f.Name].String()
		}
		if i < len(frames)-1 {
			name += ":" + f.Loc.String()
		}
		list = append(list, name)
	}
	return strings.Join(list, " @ ")
}

func body(f *sampleprof.Function) (sum uint64) {
	for i := range f.Body {
		sum += f.Body[i].Count
	}
	return sum
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

func rows[R any](t *testing.T, find table.Find, offset, limit int) []*R {
	t.Helper()
	page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Offset: offset, Limit: limit}})
	if err != nil {
		t.Fatal(err)
	}
	return table.RowsOf[R](&page)
}

// Names are what the functions of each come to, and the table of them has what its filters say.
func checkNames(t *testing.T, p *plain) {
	whole, o := sample.Names(p.Profile), p.db.Overview
	listed := map[uint64]bool{}
	for _, s := range p.Symbols {
		listed[sampleprof.Hash(s)] = true
	}
	var totals uint64
	for i := range p.names {
		n, want := &p.names[i], &whole.Names[i]
		totals += want.Total
		given, _ := p.Program.NameOf(p.Names[i])
		name := p.Names[i].Text
		if _, hashed := p.Names[i].Hashed(); hashed {
			name = given
		}
		declared, _ := p.Program.Declaration(name)
		got := sample.Name{
			Entries: n.Entries, Total: n.Total, Head: n.Head, Entry: n.Entry, Body: n.Body, Sum: n.Sum, Max: n.Max,
			Places: n.Places, Inlinees: n.Inlinees, Lost: n.Lost, Inlined: n.Inlined, InlinedAt: n.InlinedAt,
			Calls: n.Calls, Callers: n.Callers,
			Checksum: n.Checksum, Attributes: n.Attributes, Fit: n.Fit,
		}
		kept := *want
		kept.Lost[sampleprof.FitSame] = 0 // what is not lost is the rest
		if got != kept || string(n.Linkage) != name || n.Given != (given != "") || n.GUID != p.Names[i].GUID() ||
			n.Listed != listed[n.GUID] || n.ID != i+1 || n.File != declared.File || n.Line != declared.Line {
			t.Errorf("%s, %v, %s:%d is %+v; want %s, %v, %s:%d, %+v", n.Linkage, n.Listed, n.File, n.Line, got, name,
				listed[n.GUID], declared.File, declared.Line, *want)
		}
		if n.Own() != want.Body+want.Inlined {
			t.Errorf("%s has %d of its own", name, n.Own())
		}
		by, err := p.db.ByGUID(t.Context(), n.GUID)
		if err != nil || by.GUID != n.GUID || n.Entries > 0 && by.Entries == 0 {
			t.Errorf("%x is %+v, %v", n.GUID, by, err)
		}
	}
	if got, err := p.db.Totals(t.Context()); err != nil || got != totals {
		t.Errorf("totals are %d, not %d; %v", got, totals, err)
	}
	if most, err := p.db.Largest(); err != nil || most.ID != whole.MaxName+1 || most.Max != whole.Max {
		t.Errorf("the largest is %+v, %v", most, err)
	}
	defined, sampled := 0, 0
	p.Program.EachFunction(func(name string) {
		defined++
		if n, err := p.db.ByGUID(t.Context(), sampleprof.Hash(name)); err == nil && n.Own() > 0 {
			sampled++
		}
	})
	if o.Program.Defined != defined || o.Program.DefinedSampled != sampled {
		t.Errorf("%+v; %d are defined, %d of them sampled", o.Program, defined, sampled)
	}
	for fit := range whole.Lost {
		if o.Program.Fits[fit] != (sampledb.Fit{Samples: whole.Lost[fit], Functions: whole.LostNames[fit]}) {
			t.Errorf("%+v fit %d", o.Program.Fits[fit], fit)
		}
	}
	for _, q := range []sampledb.Query{
		{}, {Among: sampledb.Sampled}, {Heat: sampledb.Hot}, {Heat: sampledb.Warm}, {Heat: sampledb.Cold}, {Unlisted: true},
		{Unnamed: true}, {Fits: []sampleprof.Fit{sampleprof.FitStale, sampleprof.FitGone}, Among: sampledb.Sampled},
	} {
		find, err := p.db.FindFunctions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if q.Among == "" && q.Heat == "" && len(p.names) < 200 {
			profiletest.Table(t, sampledb.Functions, find, "name")
		}
		page, err := p.db.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		count, sum := 0, uint64(0)
		for i := range p.names {
			n := &p.names[i]
			figure, in := n.Total, n.Entries > 0
			if q.Among == sampledb.Sampled {
				figure, in = n.Own(), n.Own() > 0
			}
			heat := sampledb.Warm
			if o.HotCount > 0 && n.Max >= o.HotCount {
				heat = sampledb.Hot
			} else if n.Max <= o.ColdCount {
				heat = sampledb.Cold
			}
			if !in || q.Heat != "" && q.Heat != heat || q.Unlisted && n.Listed || q.Unnamed && len(n.Linkage) > 0 ||
				len(q.Fits) > 0 && !slices.Contains(q.Fits, n.Fit) {
				continue
			}
			count, sum = count+1, sum+figure
		}
		if page.Matching != count || page.Total != sum {
			t.Errorf("%+v: %d functions with %d, not %d with %d", q, page.Matching, page.Total, count, sum)
		}
	}
	few, all, err := p.db.Half(t.Context())
	var own []uint64
	for i := range p.names {
		if n := p.names[i].Own(); n > 0 {
			own = append(own, n)
		}
	}
	slices.SortFunc(own, func(a, b uint64) int { return cmp.Compare(b, a) })
	sum, want := uint64(0), 0
	for ; want < len(own) && 2*sum < o.Samples.Lo; want++ {
		sum += own[want]
	}
	if err != nil || few != want || all != len(own) {
		t.Errorf("%d of %d have half, not %d of %d; %v", few, all, want, len(own), err)
	}
}

// Edges, records, targets and rows are those of a plain walk, in its order, whichever part of them is asked for.
func checkPlaces(t *testing.T, p *plain) {
	type key struct{ caller, callee int }
	edges := map[key]*sampledb.Edge{}
	at := func(caller, callee sampleprof.NameID) *sampledb.Edge {
		k := key{int(caller) + 1, int(callee) + 1}
		if edges[k] == nil {
			edges[k] = &sampledb.Edge{}
		}
		return edges[k]
	}
	place := func(v *visited, l sampleprof.Loc) string {
		file, line := "", uint32(0)
		if n := &p.names[v.f.Name]; n.File != "" && !p.Flags.Has(sampleprof.Probes) {
			if at := int(n.Line) + int(int16(l.Offset)); at > 0 {
				file, line = n.File, uint32(at)
			}
		}
		path := ""
		if len(v.path) > 1 {
			path = p.text(v.path)
		}
		return fmt.Sprint(v.entry+1, len(v.path)-1, l.Offset, l.Discriminator, file, line, path)
	}
	var records, targets []string
	var inRecords, inTargets [][2]uint32 // row's function, and the place's own
	for i := range p.at {
		v := &p.at[i]
		for _, r := range v.f.Body {
			records = append(records, fmt.Sprint(place(v, r.Loc), r.Count, len(r.Targets)))
			inRecords = append(inRecords, [2]uint32{uint32(v.path[0].Name), uint32(v.f.Name)})
			sum := uint64(0)
			for _, to := range r.Targets {
				sum += to.Count
			}
			for _, to := range r.Targets {
				e := at(v.f.Name, to.Name)
				e.Calls, e.Places = e.Calls+to.Count, e.Places+1
				share := 0.0
				if sum > 0 {
					share = float64(to.Count) / float64(sum)
				}
				targets = append(targets, fmt.Sprint(place(v, r.Loc), v.f.Name+1, to.Name+1, to.Count, share))
				inTargets = append(inTargets, [2]uint32{uint32(v.path[0].Name), uint32(v.f.Name)})
			}
		}
		for _, s := range v.f.Sites {
			at(v.f.Name, s.Callee.Name).InlinedAt++
		}
	}
	for i := range p.at {
		v := &p.at[i]
		for n := len(v.path) - 2; n >= 0; n-- { // what is inlined counts in all that have it
			at(v.path[n].Name, v.path[n+1].Name).Inlined += body(v.f)
		}
	}
	for _, guid := range []uint64{0, p.names[0].GUID, p.names[len(p.names)/2].GUID} {
		for _, side := range []int{0, 1} {
			caller, callee := guid, uint64(0)
			if side == 1 {
				caller, callee = callee, caller
			}
			found, err := p.db.FindEdges(t.Context(), caller, callee)
			if err != nil {
				t.Fatal(err)
			}
			if guid == 0 && side == 0 {
				profiletest.Table(t, sampledb.Edges, found, "caller", "callee")
			}
			page, err := found(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1 << 20}})
			if err != nil {
				t.Fatal(err)
			}
			want, sums := 0, sampledb.EdgeSums{}
			for k, e := range edges {
				if (caller == 0 || p.names[k.caller-1].GUID == caller) && (callee == 0 || p.names[k.callee-1].GUID == callee) {
					want, sums.Calls, sums.Inlined = want+1, sums.Calls+e.Calls, sums.Inlined+e.Inlined
				}
			}
			got := table.RowsOf[sampledb.Edge](&page)
			if len(got) != want || *page.Around.(*sampledb.EdgeSums) != sums {
				t.Errorf("%d edges with %+v, not %d with %+v", len(got), page.Around, want, sums)
			}
			for i, e := range got {
				w := edges[key{e.Caller.ID, e.Callee.ID}]
				if w == nil || e.Calls != w.Calls || e.Places != w.Places || e.Inlined != w.Inlined ||
					e.InlinedAt != w.InlinedAt ||
					e.Weight() != w.Calls+w.Inlined {
					t.Errorf("%s to %s is %+v, not %+v", e.Caller.Linkage, e.Callee.Linkage, e, w)
				}
				if i > 0 && (got[i-1].Calls < e.Calls || got[i-1].Calls == e.Calls && got[i-1].Inlined < e.Inlined) {
					t.Errorf("edge %d weighs more than the one above", i)
				}
			}
		}
	}
	where := func(w *sampledb.Where) string {
		var path string
		if cell := w.Path.Cell("", nil); cell != table.Null {
			path = unquoted(table.AppendCell(nil, cell, false))
		}
		return fmt.Sprint(w.Entry, w.Depth, w.Offset, w.Discriminator, w.File, w.Line, path)
	}
	// of a function those in its rows; of one that is only inlined, those where it is
	of := func(all []string, in [][2]uint32, n *sampledb.Name) (list []string) {
		side := 0
		if n.Entries == 0 {
			side = 1
		}
		for i, text := range all {
			if p.names[in[i][side]].GUID == n.GUID {
				list = append(list, text)
			}
		}
		return list
	}
	check := func(what string, want []string, size int, page func(offset int) []string) {
		t.Helper()
		var got []string
		for more := page(0); len(more) > 0; more = page(len(got)) {
			got = append(got, more...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s in pages of %d: %d, not %d", what, size, len(got), len(want))
		}
	}
	for i := -1; i < len(p.names); i += max(1, len(p.names)/9) {
		guid, wantRecords, wantTargets := uint64(0), records, targets
		if i >= 0 {
			n := &p.names[i]
			guid, wantRecords, wantTargets = n.GUID, of(records, inRecords, n), of(targets, inTargets, n)
		}
		for _, size := range []int{7, 1 << 20} {
			found, err := p.db.FindRecords(t.Context(), guid)
			if err != nil {
				t.Fatal(err)
			}
			check("records", wantRecords, size, func(offset int) (list []string) {
				for _, r := range rows[sampledb.Record](t, found, offset, size) {
					list = append(list, fmt.Sprint(where(&r.Where), r.Count, r.Targets))
					inside := p.names[p.Functions[r.Entry-1].Name].ID
					if r.Function.ID != inside || (r.Depth > 0) != (r.Inlined != nil) {
						t.Errorf("%+v is of %d", r, inside)
					}
				}
				return list
			})
			if found, err = p.db.FindTargets(t.Context(), guid); err != nil {
				t.Fatal(err)
			}
			check("targets", wantTargets, size, func(offset int) (list []string) {
				for _, r := range rows[sampledb.Target](t, found, offset, size) {
					list = append(list, fmt.Sprint(where(&r.Where), r.Caller.ID, r.Callee.ID, r.Count, r.Share))
				}
				return list
			})
		}
	}
	if found, err := p.db.FindTargets(t.Context(), 0); err == nil && len(targets) < 300 {
		profiletest.Table(t, sampledb.Targets, found, "caller", "callee")
	}
}

func unquoted(b []byte) string { return strings.Trim(string(b), `"`) }

// Rows of the profile are the functions as they were decoded.
func checkRows(t *testing.T, p *plain) {
	for _, hot := range []bool{false, true} {
		for _, guid := range []uint64{0, p.names[p.Functions[0].Name].GUID} {
			find, err := p.db.FindEntries(t.Context(), guid, hot)
			if err != nil {
				t.Fatal(err)
			}
			if guid == 0 && !hot {
				profiletest.Table(t, sampledb.EntryRows, find, "name", "q")
			}
			page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1 << 20}})
			if err != nil {
				t.Fatal(err)
			}
			got := table.RowsOf[sampledb.EntryRow](&page)
			sums := sampledb.EntrySums{HotCount: p.db.Overview.HotCount}
			n := 0
			for i, f := range p.Functions {
				figures := sample.FiguresOf(f)
				if sums.All += f.Total; guid != 0 && p.names[f.Name].GUID != guid || hot && figures.Max < sums.HotCount {
					continue
				}
				sums.Matching += f.Total
				frames := []sampleprof.Frame{{Name: f.Name}}
				depth := 0
				if f.Context >= 0 {
					frames = p.Contexts[f.Context]
					depth = len(frames)
				}
				r := got[n]
				cells := profiletest.Row{Text: map[string]string{}}
				for _, field := range sampledb.EntryRows.Fields() {
					cells.Text[field.Name] = field.Text(page.Row(n))
				}
				checksum := ""
				if f.Checksum != 0 {
					checksum = fmt.Sprint(f.Checksum)
				}
				if int(r.ID) != i+1 || r.Total != f.Total || r.Head != f.Head || r.Entered != p.Entry(f) ||
					r.Sum != figures.Sum ||
					r.Max != figures.Max || int(r.Depth) != depth || r.Of.ID != int(f.Name)+1 ||
					cells.Text["context"] != p.text(frames) || cells.Text["checksum"] != checksum ||
					cells.Text["attributes"] != fmt.Sprint(f.Attributes) {
					t.Errorf("row %d is %+v, %v; %+v %s", i, r, cells, f, p.text(frames))
				}
				n++
			}
			if n != len(got) || *page.Around.(*sampledb.EntrySums) != sums {
				t.Errorf("%d rows with %+v, not %d with %+v", len(got), page.Around, n, sums)
			}
		}
	}
	if p.Sections != nil {
		find, err := p.db.FindSections(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range rows[sampledb.Section](t, find, 0, 100) {
			if w := &p.Sections[i]; s.Type != w.Type || s.Offset != w.Offset || s.Size != w.Size || s.Name != w.Name() {
				t.Errorf("section %d is %+v", i, s)
			}
		}
		profiletest.Table(t, sampledb.Sections, find)
	}
	find, err := p.db.FindCutoffs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range rows[sampledb.Cutoff](t, find, 0, 100) {
		if want := sample.Summary(p.Profile).Entries[i]; *c != sampledb.Cutoff(want) {
			t.Errorf("cutoff %d is %+v, not %+v", i, c, want)
		}
	}
}

// Flame graphs are the stacks of a walk, merged; of those that match what is looked for, and
// nothing that is not.
func checkFlame(t *testing.T, p *plain) {
	some := func(i int) string {
		v := &p.at[i*(len(p.at)-1)/3]
		return "^" + regexp.QuoteMeta(string(p.names[v.stack[len(v.stack)/2]].Linkage)) + "$"
	}
	for _, q := range []sampledb.FlameQuery{
		{}, {Weight: sampledb.WeightTotal}, {Focus: some(1)}, {Ignore: some(2)}, {Focus: some(3), Ignore: some(1)},
	} {
		q.Query = calltree.Query{Limit: 1 << 20}
		has := func(v *visited, pattern string) bool {
			re := regexp.MustCompile(pattern)
			return slices.ContainsFunc(v.stack, func(n uint32) bool { return re.Match(p.names[n].Linkage) })
		}
		values, inline := map[string]uint64{}, map[string]bool{}
		stacks, shown, bodies, totals := 0, 0, uint64(0), uint64(0)
		for i := range p.at {
			v := &p.at[i]
			if q.Focus != "" && !has(v, q.Focus) || q.Ignore != "" && has(v, q.Ignore) {
				continue
			}
			own, total := body(v.f), v.f.Total
			for _, s := range v.f.Sites {
				total -= min(total, s.Callee.Total)
			}
			if stacks++; own > 0 || total > 0 {
				shown++
			}
			bodies, totals = bodies+own, totals+total
			width := own
			if q.Weight == sampledb.WeightTotal {
				width = total
			}
			path := ""
			for n, name := range v.stack {
				path += fmt.Sprintf("/%x", p.names[name].GUID)
				if values[path] += width; width > 0 {
					_, seen := inline[path]
					inline[path] = v.inlined[n] && (!seen || inline[path])
				}
			}
		}
		g, err := p.db.FlameGraph(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if g.Stacks != stacks || g.Matching.Body.Lo != bodies || g.Matching.Total.Lo != totals {
			t.Errorf("%+v: %d stacks with %+v, not %d with %d and %d", q, g.Stacks, g.Matching, stacks, bodies, totals)
		}
		maps.DeleteFunc(values, func(_ string, n uint64) bool { return n == 0 })
		paths := make([]string, len(g.Nodes))
		for i := range g.Nodes[min(1, len(g.Nodes)):] {
			n := &g.Nodes[i+1]
			paths[i+1] = paths[n.Parent] + fmt.Sprintf("/%x", n.Function.GUID)
			if n.Value.Lo != values[paths[i+1]] {
				t.Errorf("%+v: %s is %d wide, not %d", q, paths[i+1], n.Value.Lo, values[paths[i+1]])
			}
		}
		if len(g.Nodes) != len(values)+1 && g.DepthLimit == 0 {
			t.Errorf("%+v: %d nodes, not %d", q, len(g.Nodes)-1, len(values))
		}
		var got [3]uint64
		err = p.db.EachChosen(t.Context(), &q, func(s *sampledb.Stack, all []sampledb.Name) error {
			got[0], got[1], got[2] = got[0]+1, got[1]+s.Body, got[2]+s.Total
			return nil
		})
		if err != nil || got != [3]uint64{uint64(shown), bodies, totals} {
			t.Errorf("%+v: %d; want %d stacks with %d and %d, %v", q, got, shown, bodies, totals, err)
		}
	}
}

// Inlined code is added up by place, lines by what is declared there, and what is asked by name is found.
func checkAsked(t *testing.T, p *plain) {
	type line struct {
		file string
		line uint32
	}
	samples, calls, at := map[line]uint64{}, map[line]uint64{}, map[line]map[int]uint64{}
	inlined, entered, most := map[int]map[sampleprof.Loc]uint64{}, map[int]uint64{}, map[int]uint64{}
	for i := range p.at {
		v := &p.at[i]
		id := int(v.f.Name) + 1
		entered[id] += p.Entry(v.f)
		for _, r := range v.f.Body {
			if most[id] = max(most[id], r.Count); len(v.path) > 1 {
				if inlined[id] == nil {
					inlined[id] = map[sampleprof.Loc]uint64{}
				}
				inlined[id][r.Loc] += r.Count
			}
			n := &p.names[id-1]
			if number := int(n.Line) + int(int16(r.Offset)); n.File != "" && number > 0 {
				k := line{sources.Clean(n.File), uint32(number)}
				if samples[k] += r.Count; at[k] == nil {
					at[k] = map[int]uint64{}
				}
				at[k][id] += r.Count
				for _, to := range r.Targets {
					calls[k] += to.Count
				}
			}
		}
	}
	for i := range p.names {
		n := &p.names[i]
		f, err := p.db.Inlined(t.Context(), n)
		if err != nil || (f != nil) != (n.InlinedAt > 0) {
			t.Fatal(n, f, err)
		}
		if f == nil {
			continue
		}
		got := map[sampleprof.Loc]uint64{}
		for _, r := range f.Body {
			got[r.Loc] = r.Count
		}
		if !maps.Equal(got, inlined[n.ID]) && len(got)+len(inlined[n.ID]) > 0 {
			t.Errorf("%s is inlined as %v, not %v", n.Linkage, got, inlined[n.ID])
		}
	}
	table, err := p.db.Lines(t.Context())
	if err != nil || (table != nil) != (len(samples) > 0 && !p.Flags.Has(sampleprof.Probes)) {
		t.Fatalf("%+v for %d lines, %v", table, len(samples), err)
	}
	if table != nil {
		n := 0
		for f := range table.Files {
			for i, number := range table.Files[f].Lines {
				k := line{table.Files[f].Name, number}
				n++
				if v := table.Files[f].At(i); v[0] != samples[k] || v[1] != calls[k] {
					t.Errorf("%v has %d, not %d and %d", k, v, samples[k], calls[k])
				}
			}
		}
		if n != len(samples) {
			t.Errorf("%d lines, not %d", n, len(samples))
		}
		for k, want := range at {
			list, all, err := p.db.AtLine(t.Context(), k.file, k.line, 1)
			most := slices.Max(slices.Collect(maps.Values(want)))
			if err != nil || all != len(want) || len(list) != 1 || list[0].Samples != most {
				t.Fatalf("%v: %+v of %d, not of %v; %v", k, list, all, want, err)
			}
		}
	}
	ranked, err := p.db.Ranks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range ranked.Functions {
		f := &ranked.Functions[i]
		n, err := p.db.ByGUID(t.Context(), f.ID)
		if err != nil || n.GUID == f.GUID && (f.Total.Lo != n.Own() || f.Entry.Lo != entered[n.ID] ||
			string(f.Heat) != string(p.db.Overview.HeatOf(most[n.ID]))) {
			t.Errorf("%s ranks by %+v; %d, entered %d", f.Linkage, f, n.Own(), entered[n.ID])
		}
	}
	find, err := p.db.FindSymbols(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	symbols := p.Symbols
	if symbols == nil { // those of the program are listed then
		p.Program.EachFunction(func(name string) { symbols = append(symbols, name) })
		slices.Sort(symbols)
	}
	for i, s := range rows[sampledb.Symbol](t, find, 0, 1<<20) {
		own, contexts := uint64(0), 0
		if n, err := p.db.ByGUID(t.Context(), sampleprof.Hash(symbols[i])); err == nil {
			own, contexts = n.Own(), n.Entries
		}
		if string(s.Linkage) != symbols[i] || s.Own != own || s.Contexts != contexts || s.Never != (own == 0) ||
			!near(s.Share, float64(own)/p.db.Overview.Samples.Float64()) {
			t.Errorf("%s is %+v; %d, %d", symbols[i], s, own, contexts)
		}
	}
	profiletest.Table(t, sampledb.Symbols, find, "symbol")
	word := p.names[p.at[len(p.at)/2].f.Name].Linkage
	word = word[:min(len(word), 4)]
	var want []*sampledb.Name
	ranks := func(n *sampledb.Name) uint32 { return n.Rank - 1 } // of what is only inlined the largest
	for i := range p.names {
		if n := &p.names[i]; len(word) > 0 && bytes.Contains(bytes.ToLower(n.Linkage), bytes.ToLower(word)) &&
			(n.Entries > 0 || n.Own() > 0) {
			want = append(want, n)
		}
	}
	slices.SortStableFunc(want, func(a, b *sampledb.Name) int {
		return cmp.Or(cmp.Compare(ranks(a), ranks(b)), cmp.Compare(b.Own(), a.Own()))
	})
	for _, limit := range []int{0, 1, 2, 1000} {
		got, whole, err := p.db.Suggest(t.Context(), string(word), limit, time.Hour)
		if len(word) > 0 && (err != nil || whole != (limit > 0) || !slices.Equal(got, want[:min(limit, len(want))])) {
			t.Errorf("%q: %d of %d suggestions, %v, %v", word, len(got), len(want), whole, err)
		}
	}
}

// A profile is like itself, and two compare the one way as they do the other.
func TestComparisonsAreSubtractions(t *testing.T) {
	one, two := open(t, testdata+"/llvm-22/line.ext.afdo"), open(t, testdata+"/llvm-22/weighted.afdo")
	for _, by := range []query.Column{sampledb.ColTotal, sampledb.ColOwn, sampledb.ColHead} {
		compared := func(a, b *sampledb.Profile) map[uint64]*sampledb.ComparedRow {
			c, err := sampledb.Compare(t.Context(), a, b, by)
			if err != nil {
				t.Fatal(err)
			}
			list := map[uint64]*sampledb.ComparedRow{}
			c.Each(func(r *sampledb.ComparedRow) { list[r.Ref] = r })
			if by == sampledb.ColOwn && a != b {
				profiletest.Table(t, sampledb.Compared, c.Find(table.MoveQuery{Min: table.AllMoves}), "name")
			}
			return list
		}
		for _, r := range compared(one, one) {
			if r.Change != 0 || r.Base == nil || r.Test == nil || *r.Base != *r.Test {
				t.Errorf("the same is %+v", r)
			}
		}
		there, back := compared(one, two), compared(two, one)
		if len(there) != len(back) {
			t.Errorf("%d rows there and %d back", len(there), len(back))
		}
		for i, p := range []*sampledb.Profile{one, two} {
			names, err := p.Names(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			figure := func(n *sampledb.Name) float64 {
				return float64(map[query.Column]uint64{
					sampledb.ColTotal: n.Total, sampledb.ColOwn: n.Own(), sampledb.ColHead: n.Head,
				}[by])
			}
			whole, sides := 0.0, 0
			for n := range names {
				whole += figure(&names[n])
			}
			for n := range names {
				name := &names[n]
				r := there[name.GUID]
				if r == nil {
					if name.Entries > 0 || by == sampledb.ColOwn && name.Own() > 0 {
						t.Errorf("%s is not compared", name.Linkage)
					}
					continue
				}
				side := []*sampledb.ComparedSide{r.Base, r.Test}[i]
				if side == nil {
					if name.Own() > 0 || name.Entries > 0 {
						t.Errorf("%s has no side %d", name.Linkage, i)
					}
					continue
				}
				heat := p.Overview.HeatOf(name.Max)
				if name.Entries == 0 {
					heat = ""
				}
				if sides++; !near(side.Share, figure(name)/whole) || side.Total != name.Total || side.Own != name.Own() ||
					side.Head != name.Head || side.Max != name.Max || side.Heat != heat || side.Checksum != name.Checksum {
					t.Errorf("%s is %+v, not %+v", name.Linkage, side, name)
				}
			}
		}
		hot := func(p *sampledb.Profile, s *sampledb.ComparedSide) bool {
			return s != nil && p.Overview.HotCount > 0 && s.Max >= p.Overview.HotCount
		}
		for guid, r := range there {
			other := back[guid]
			if !near(other.Change, -r.Change) || !near(r.Change, r.InTest-r.InBase) && r.Change != 0 ||
				other.Base != nil != (r.Test != nil) {
				t.Errorf("%+v there, and %+v back", r, other)
			}
			entered := func(s *sampledb.ComparedSide) bool { return s != nil && s.Entries > 0 }
			var want table.State
			switch {
			case r.Base != nil && r.Test != nil && !entered(r.Base) && entered(r.Test):
				want = sampledb.InlinedInBase
			case r.Base != nil && r.Test != nil && entered(r.Base) && !entered(r.Test):
				want = sampledb.InlinedInTest
			case hot(one, r.Base) && !hot(two, r.Test):
				want = sampledb.HotInBase
			case !hot(one, r.Base) && hot(two, r.Test):
				want = sampledb.HotInTest
			}
			all := sampledb.HotInBase | sampledb.HotInTest | sampledb.InlinedInBase | sampledb.InlinedInTest
			if r.State&all != want {
				t.Errorf("%s is in state %b, not %b", r.PGO, r.State, want)
			}
		}
	}
}

func TestLineOf(t *testing.T) {
	for _, test := range []struct {
		declared, offset, line uint32
		ok                     bool
	}{{10, 3, 13, true}, {10, 0xffff, 9, true}, {1, 0xffff, 0, false}, {0, 3, 3, false}, {10, 1 << 16, 10, false}} {
		if line, ok := sampledb.LineOf(test.declared, test.offset); line != test.line || ok != test.ok {
			t.Errorf("%+v: %d, %v", test, line, ok)
		}
	}
}

// A profile of nothing has no rows, and no faults.
func TestEmptyProfile(t *testing.T) {
	p := open(t, testdata+"/llvm-22/empty.ext.afdo")
	finds := map[string]func() (table.Find, error){
		"records": func() (table.Find, error) { return p.FindRecords(t.Context(), 0) },
		"targets": func() (table.Find, error) { return p.FindTargets(t.Context(), 7) },
		"edges":   func() (table.Find, error) { return p.FindEdges(t.Context(), 0, 0) },
		"entries": func() (table.Find, error) { return p.FindEntries(t.Context(), 0, false) },
		"symbols": func() (table.Find, error) { return p.FindSymbols(t.Context()) },
	}
	for name, open := range finds {
		find, err := open()
		if err != nil {
			t.Fatal(name, err)
		}
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 9}})
		if err != nil || page.Len() != 0 || page.Matching != 0 {
			t.Errorf("%d %s, %v", page.Len(), name, err)
		}
	}
	g, err := p.FlameGraph(t.Context(), sampledb.FlameQuery{Query: calltree.Query{Limit: 9}})
	most, none := p.Largest()
	few, all, half := p.Half(t.Context())
	if err != nil || g.Stacks != 0 || most != nil || none != nil || few != 0 || all != 0 || half != nil {
		t.Errorf("%+v, %+v, %d of %d; %v, %v, %v", g, most, few, all, err, none, half)
	}
}
