package memprofweb

import (
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/memprofview"
	"proflens/views/page"
)

// block is a context of so many objects, with these fields besides.
func block(count uint64, fields map[memprof.MIBField]uint64) memprof.MIB {
	m := memprof.MIB{Schema: 1 << memprof.AllocCount}
	for f := range fields {
		m.Schema |= 1 << f
	}
	for f := range m.Schema.Fields() {
		v := fields[f]
		if f == memprof.AllocCount {
			v = count
		}
		m.Values = append(m.Values, v)
	}
	return m
}

// The class of a context is explained by the figures that decide it.
func TestReasonsOfClasses(t *testing.T) {
	d := analyze.DefaultMemProfThresholds
	for want, row := range map[string]memprofdb.Row{
		"lacks the fields": {MIB: block(2, map[memprof.MIBField]uint64{memprof.TotalLifetime: 4})},
		"are below 0.05, and a mean lifetime of " + humanize.Milliseconds(400_000).Text + " is at least 200 s": {
			Class: analyze.MemProfCold,
			MIB:   block(2, map[memprof.MIBField]uint64{memprof.TotalLifetime: 800_000, memprof.TotalLifetimeAccessDensity: 2}),
		},
		"are above 1000. Needs hot hints": {
			Class: analyze.MemProfHot,
			MIB:   block(1, map[memprof.MIBField]uint64{memprof.TotalLifetime: 1, memprof.TotalLifetimeAccessDensity: 200_000}),
		},
		"Rarely accessed, but the mean lifetime of " + humanize.Milliseconds(1).Text + " is below 200 s": {
			Class: analyze.MemProfNotCold,
			MIB:   block(1, map[memprof.MIBField]uint64{memprof.TotalLifetime: 1, memprof.TotalLifetimeAccessDensity: 0}),
		},
		"1 accesses per byte and second are neither below 0.05 nor above 1000": {
			Class: analyze.MemProfNotCold,
			MIB:   block(1, map[memprof.MIBField]uint64{memprof.TotalLifetime: 1, memprof.TotalLifetimeAccessDensity: 100}),
		},
	} {
		if got := classReason(&row, d); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

// Fields of a context are those that it has, with what an object has of each; tiles have their extremes.
func TestFieldsOfContexts(t *testing.T) {
	m := block(4, map[memprof.MIBField]uint64{
		memprof.TotalSize: 600, memprof.MinSize: 100, memprof.MaxSize: 200, memprof.AllocCPUID: unknownCPU,
		memprof.DeallocCPUID: 3,
	})
	fields, missing := contextFields(&m)
	got := map[string]memprofview.Field{}
	for _, f := range fields {
		got[f.Name] = f
	}
	if len(fields) != 6 || got["TotalSize"].Each.Text != "150" || got["TotalSize"].RFC != "AveSize" ||
		got["MinSize"].RFC != "" ||
		got["MinSize"].Each.Text != "" || got["AllocCpuId"].Value.Text != "not known" ||
		got["DeallocCpuId"].Value.Text != "3" {
		t.Errorf("%+v", fields)
	}
	if want := "6 fields; the file lacks " + humanize.Plural(int(memprof.NumMIBFields)-6, "other"); missing != want {
		t.Errorf("%s, not %s", missing, want)
	}
	none := block(0, map[memprof.MIBField]uint64{memprof.TotalSize: 600})
	if fields, _ = contextFields(&none); fields[1].Each.Text != "" {
		t.Errorf("of no object there is %+v", fields)
	}
	for _, schema := range []memprof.MIBSchema{memprof.CompleteSchema,
		memprof.CompleteSchema &^ (1 << memprof.AccessHistogram)} {
		whole := memprof.MIB{Schema: schema, Values: make([]uint64, schema.Len())}
		if _, missing = contextFields(&whole); missing != "every field" {
			t.Errorf("%s", missing)
		}
	}
	tiles := map[string]page.Tile{}
	for _, tile := range contextTiles(&memprofdb.Row{MIB: m}) {
		tiles[tile.ID] = tile
	}
	if len(tiles) != 3 || tiles["bytes"].Note != "" || tiles["objects"].Value.Text != "4" ||
		tiles["size"].Value.Text != humanize.Bytes(150).Text ||
		tiles["size"].Note != humanize.Bytes(100).Text+" … "+humanize.Bytes(200).Text+" per object" {
		t.Errorf("%+v", tiles)
	}
	half := block(4, map[memprof.MIBField]uint64{memprof.TotalSize: 600, memprof.MinSize: 100})
	for _, tile := range contextTiles(&memprofdb.Row{MIB: half}) {
		if tile.Note != "" {
			t.Errorf("%+v", tile)
		}
	}
	if strip, sum := histogram(nil); strip != nil || sum != 0 {
		t.Errorf("%+v, %f of no histogram", strip, sum)
	}
	if strip, sum := histogram([]uint64{3, 1, 0}); strip == nil || strip.Label == "" || sum != 4 {
		t.Errorf("%+v, %f", strip, sum)
	}
}

// Filters that are in force are chips, each with what leaves it out.
func TestChipsOfFilters(t *testing.T) {
	id := uint64(7)
	for q, c := range map[string]struct {
		f    memprofdb.Filter
		want []string
	}{
		"": {}, "q=a": {memprofdb.Filter{Text: "a"}, []string{"has a"}}, "re=a": {memprofdb.Filter{Regexp: "a"},
			[]string{"matches a"}},
		"focus=a&ignore=b": {memprofdb.Filter{Focus: "a", Ignore: "b"}, []string{"only stacks with a", "no stacks with b"}},
		"path=a%3B":        {memprofdb.Filter{Path: "a;"}, []string{"file a"}},
		"x=1":              {memprofdb.Filter{Text: "a"}, nil}, // it is not the address's
		"owner=0000000000000007&function=0000000000000007": {
			memprofdb.Filter{Owner: &id, Function: &id}, []string{"allocated by 0000000000000007", "through 0000000000000007"},
		},
		"site=0000000000000007&blame=0000000000000007": {
			memprofdb.Filter{Site: &id, Blame: &id}, []string{"site 0000000000000007", "blamed on 0000000000000007"},
		},
		"type=T":       {memprofdb.Filter{Type: new("T")}, []string{"type T"}},
		"library=own":  {memprofdb.Filter{}, []string{"own library list"}},
		"library=kept": {memprofdb.Filter{}, nil},
		"class=cold": {
			memprofdb.Filter{Classes: []analyze.MemProfClass{analyze.MemProfCold, analyze.MemProfHot}},
			[]string{"class cold or hot"},
		},
		"mixed=true":     {memprofdb.Filter{Mixed: new(true)}, []string{"needs cloning"}},
		"mixed=false":    {memprofdb.Filter{Mixed: new(false)}, []string{"needs no cloning"}},
		"truncated=true": {memprofdb.Filter{Truncated: new(true)}, []string{"stack cut off at the root"}},
		"changed=false":  {memprofdb.Filter{Changed: new(false)}, []string{"of the same class as by default"}},
		"bytes=5..": {
			memprofdb.Filter{Ranges: []query.RealRange{{Column: memprofdb.ColBytes}}}, []string{"bytes ≥ 5"},
		},
		"cold_density=1": {memprofdb.Filter{Thresholds: analyze.MemProfThresholds{ColdDensity: 1}},
			[]string{"own thresholds"}},
		"hot_density=1": {memprofdb.Filter{Thresholds: analyze.DefaultMemProfThresholds}, nil},
	} {
		at, err := url.Parse("/p/x/sites?page=2&sel=1&" + q)
		if err != nil {
			t.Fatal(err)
		}
		chips, clear := filterChips(site.AddressOf(at), &c.f, "kept")
		var got []string
		for _, chip := range chips {
			got = append(got, chip.Text)
			if strings.Contains(chip.Remove, "page=") || strings.Contains(chip.Remove, "sel=") {
				t.Errorf("%s leads to %s", chip.Text, chip.Remove)
			}
		}
		if !slices.Equal(got, c.want) || strings.Contains(clear, "mixed=") || strings.Contains(clear, "page=") {
			t.Errorf("%s has %q, not %q; all off is %s", q, got, c.want, clear)
		}
	}
}

// What a row of sites says is what its contexts come to.
func TestRowsOfSites(t *testing.T) {
	o := &memprofdb.Overview{Schema: memprof.CompleteSchema}
	totals := memprofdb.SiteTotals{Sites: 3, Mixed: 2}
	totals.Contexts, totals.Bytes.Lo, totals.Allocations.Lo, totals.Lifetime.Lo, totals.Density.Lo = 5, 300, 4, 8000, 800
	totals.Classes[0] = memprofdb.ClassTotals{Contexts: 2, Bytes: analyze.Sum{Lo: 90}}
	totals.Classes[1] = memprofdb.ClassTotals{Contexts: 3, Bytes: analyze.Sum{Lo: 210}}
	row := siteRow(&totals, o, 1200)
	if row.SiteTotals != &totals || row.Share != 0.25 || row.Lifetime.Text != humanize.Milliseconds(2000).Text ||
		row.Density.Text != humanize.Rate(2).Text {
		t.Errorf("%+v", row)
	}
	of := &memprofdb.BlameSite{Lines: 2}
	of.MemProfTotals = totals.MemProfTotals
	of.File, of.Line, of.Types, of.Touched.Lo = "/a/b/c.cc", 7, 3, 800
	of.Lifetimes[1].Lo, of.Lifetimes[5].Lo = 75, 225
	v := &sitesRequest{address: site.NewAddress("/p/x/sites")}
	f := v.blameFigures(of, o, 1200, 600)
	if f.At != shortFile(of.File)+":7" || f.Mean.Text != humanize.Bytes(75).Text ||
		f.Density.Text != humanize.Rate(2).Text {
		t.Errorf("%+v", f)
	}
	of.Line, of.Allocations = 0, analyze.Sum{}
	if f = v.blameFigures(of, o, 1200, 600); f.At != shortFile(of.File) ||
		f.Mean.Text+f.Density.Text != "" {
		t.Errorf("%+v", f)
	}
	rows := []memprofview.BlameRow{{}, {}}
	heads := []page.Head{{Column: "name"}, {Column: "type"}}
	if got := typed(slices.Clone(heads), rows); len(got) != 1 {
		t.Errorf("%+v", got)
	}
	if rows[1].Type = "T"; len(typed(slices.Clone(heads), rows)) != 2 {
		t.Error("there is no column of types")
	}
	for _, by := range []memprofdb.SiteBy{memprofdb.SitesByBlame, memprofdb.SitesByType} {
		v.By = string(by)
		for _, schema := range []memprof.MIBSchema{memprof.CompleteSchema, 1 << memprof.AllocCount} {
			columns := map[string]page.Head{}
			for _, h := range v.heads(&memprofdb.Overview{Schema: schema}, memprofdb.BlameSites, blameColumns) {
				columns[h.Column] = h
			}
			byType := by == memprofdb.SitesByType
			if _, bytes := columns["bytes"]; bytes != (schema == memprof.CompleteSchema) ||
				(columns["type"].URL == "") != byType ||
				strings.Contains(columns["name"].URL, "type") != byType || columns["name"].Number || !columns["count"].Number {
				t.Errorf("by %s: %+v", by, columns)
			}
		}
	}
	for by, label := range map[memprofdb.SiteBy]string{
		memprofdb.SitesByFunction: "Function", memprofdb.SitesByLine: "Line", byFolder: "File or folder",
	} {
		v.By = string(by)
		for schema, want := range map[memprof.MIBSchema]int{memprof.CompleteSchema: 12, 1 << memprof.AllocCount: 5} {
			list := v.heads(&memprofdb.Overview{Schema: schema}, memprofdb.Sites, siteColumns)
			if len(list) != want || list[0].Label != label || list[0].Column != "name" || list[0].Number || list[0].URL == "" {
				t.Errorf("by %s: %d heads, the first %+v", by, len(list), list[0])
			}
			for _, h := range list[1:] {
				if !h.Number || h.Column == "name" || h.Label == "Share" && h.URL != "" {
					t.Errorf("by %s: %+v", by, h)
				}
			}
		}
	}
	nameless := &memprofdb.BlameSite{}
	for by, want := range map[memprofdb.SiteBy]string{memprofdb.SitesByType: unknownType,
		memprofdb.SitesByBlame: site.FID(0)} {
		v.By = string(by)
		filter, key, value := v.rowFilter(nameless)
		if v.rowID(nameless) != want || value != want || (key == "type") != (by == memprofdb.SitesByType) ||
			(filter.Type != nil) != (key == "type") || (filter.Blame != nil) != (key == "blame") {
			t.Errorf("by %s: %s, %s=%s", by, v.rowID(nameless), key, value)
		}
	}
	if lastName("a::b::c") != "c" || lastName("c") != "c" {
		t.Error("the last part of a name is not its last")
	}
}

// The overview says what there is to know, and asks for the executables that would give names.
func TestWordsOfOverviews(t *testing.T) {
	for want, o := range map[string]*memprofdb.Overview{
		"3 raw profiles were concatenated": {Dumps: 3, Schema: memprof.CompleteSchema, Longest: math.MaxUint32},
		"have no access densities":         {Dumps: 1, Longest: math.MaxUint32},
		"2 contexts, 1 of them cold": {
			Dumps: 1, Schema: memprof.CompleteSchema, Longest: math.MaxUint32, Summary: &memprof.Summary{NumContexts: 2,
				NumColdContexts: 1},
		},
	} {
		if notes := overviewNotes(o); len(notes) != 1 || !strings.Contains(notes[0], want) {
			t.Errorf("%q does not say %q", notes, want)
		}
	}
	short := &memprofdb.Overview{Dumps: 1, Schema: memprof.CompleteSchema, Longest: 199_999}
	short.Contexts = 1
	if notes := overviewNotes(short); len(notes) != 1 || !strings.Contains(notes[0], "shorter than 200 s") {
		t.Errorf("%q", notes)
	}
	if short.Longest++; len(overviewNotes(short)) != 0 || shortRun(short) {
		t.Errorf("%q of 200 s", overviewNotes(short))
	}
	short.Longest--
	if short.Classes[0].Contexts = 1; len(overviewNotes(short)) != 0 {
		t.Errorf("%q", overviewNotes(short))
	}
	terms := func(facts page.Facts) string {
		var list []string
		for _, f := range facts {
			list = append(list, f.Term+" "+f.Value)
		}
		return strings.Join(list, ", ")
	}
	if got := terms(fileFacts(&memprofdb.Overview{Functions: 1, Frames: 2, Deepest: 3}, 0)); got !=
		"Kind MemProf, Fields 0 of "+humanize.Int(int(memprof.NumMIBFields))+
			", Functions 1, Frames 2, Deepest stack 3 frames, Inputs 1" {
		t.Error(got)
	}
	if got := terms(fileFacts(&memprofdb.Overview{Version: 4, CallSites: 5}, 2)); !strings.HasPrefix(got,
		"Kind MemProf, Version 4, ") ||
		!strings.HasSuffix(got, "Inputs 2, Call sites 5") {
		t.Error(got)
	}
	if stackFacts(&analyze.StackSizes{}) != nil {
		t.Error("of no stacks there are facts")
	}
	sizes := &analyze.StackSizes{Stacks: 2, Frames: 3, Refs: 5, Nodes: 4, Roots: 1}
	if got := terms(stackFacts(sizes)); got != "Call stacks 2, Frames in them 5, Nodes of their tree 4, As lists "+
		humanize.Bytes(56).Text+", As a radix tree "+humanize.Bytes(28).Text {
		t.Error(got)
	}
	module := func(frames int, file string, id ...byte) memprofdb.Module {
		return memprofdb.Module{Frames: frames, File: file, BuildID: id}
	}
	s := &handler{}
	for want, modules := range map[string][]memprofdb.Module{
		"": {module(0, "", 1), module(3, "given", 2)},
		"3 frames have no name. Add the executable that was profiled.": {module(3, "")},
		"profiled: that with the build ID 01.":                         {module(1, "", 1), module(2, "", 1)},
		"those with the build IDs 01, 02.": {module(1, "", 1), module(2, "", 2), module(9,
			"given", 3)},
	} {
		w := s.wanted("/p/x", frameNames{modules: modules})
		if (w == nil) != (want == "") || w != nil && (!strings.HasSuffix(w.Text, want) || w.ID != "x" ||
			w.Action != "/p/x/files") {
			t.Errorf("%+v, not %q", w, want)
		}
	}
	for want, m := range map[string]memprofdb.Module{
		"given": module(1, "f"), "wanted": module(1, ""), "not needed": module(0, ""),
	} {
		if got := memprofview.ModuleState(&m).Text; got != want {
			t.Errorf("%+v is %s", m, got)
		}
	}
	density := memprof.MIBSchema(1<<memprof.TotalLifetimeAccessDensity | 1<<memprof.AllocCount)
	for _, c := range []struct {
		o    memprofdb.Overview
		want string
	}{{memprofdb.Overview{Schema: density}, "density"}, {memprofdb.Overview{Schema: density, Modules: 1}, "module"},
		{memprofdb.Overview{}, "module"}} {
		if got := plainColour(&c.o); got != c.want {
			t.Errorf("%+v is coloured by %s", c.o, got)
		}
	}
	for _, schema := range []memprof.MIBSchema{1 << memprof.AllocCount, 1 << memprof.TotalLifetimeAccessDensity,
		1 << memprof.TotalLifetime} {
		if o := (&memprofdb.Overview{Schema: schema}); hasDensity(o) || hasLifetime(o) {
			t.Errorf("half of what is needed is enough: %v", schema)
		}
	}
}

// Pages of pruning say what the compiler makes of sites.
func TestWordsOfPruning(t *testing.T) {
	for _, c := range []struct {
		clones int
		value  string
		note   string
	}{{0, "0", "nothing to clone"}, {3, "≤ 3", "of 2 functions"}} {
		tiles := cloningTiles(&memprofdb.Pruning{Clones: c.clones, Functions: 2, Cloned: 1, Sites: 5})
		if got := tiles[4]; got.Value.Text != c.value || got.Note != c.note || tiles[0].Note != "of 5 sites" {
			t.Errorf("%+v", got)
		}
	}
	p := &memprofdb.Page{}
	hints := analyze.MemProfThresholds{HotHints: true}
	if got := hintsNote(hints, p); got != "" {
		t.Errorf("without hot contexts %q", got)
	}
	p.Classes[2].Contexts = 1
	if a, b := hintsNote(hints, p), hintsNote(analyze.MemProfThresholds{}, p); !strings.HasPrefix(a,
		"Sites with only hot") ||
		!strings.HasPrefix(b, "Without hot hints") {
		t.Errorf("%q and %q", a, b)
	}
	a := site.NewAddress("/p/x/cloning")
	if f := thresholdForm(a, analyze.DefaultMemProfThresholds); f.Default != "" || f.Fields[1].Value != "200" {
		t.Errorf("%+v", f)
	}
	if f := thresholdForm(a.With("cold_density", "1"), hints); f.Default != "/p/x/cloning" || !f.HotHints {
		t.Errorf("%+v", f)
	}
	for want, s := range map[string]*memprofdb.PrunedSite{
		"metadata with 2 MIBs": {PrunedSite: analyze.PrunedSite{MIBs: make([]analyze.MIB, 2)}},
		"no frame tells": {PrunedSite: analyze.PrunedSite{
			Attribute: analyze.MemProfNotCold, MIBs: []analyze.MIB{{Ambiguous: true}},
		}},
		"the attribute notcold, and nothing": {PrunedSite: analyze.PrunedSite{
			Attribute: analyze.MemProfNotCold, MIBs: []analyze.MIB{{}},
		}},
	} {
		if got := prunedSays(s); !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}

// Two heaps are compared in words: how much more or less, of what, and where most of it is.
func TestSentencesOfComparisons(t *testing.T) {
	for _, c := range []struct {
		base, test [2]uint64 // bytes, objects
		lead, rest string
	}{
		{[2]uint64{100, 5}, [2]uint64{100, 5}, "As many bytes.", ""},
		{[2]uint64{100, 5}, [2]uint64{50, 5}, humanize.Bytes(50).Text + " less, " + humanize.Growth(-0.5) + ".", ""},
		{[2]uint64{100, 5}, [2]uint64{150, 10}, humanize.Bytes(50).Text + " more, " + humanize.Growth(0.5) + ".",
			"5 more objects, " + humanize.Growth(1) + ". "},
		{[2]uint64{0, 0}, [2]uint64{7, 0}, humanize.Bytes(7).Text + " more.", ""},
		{[2]uint64{9, 8}, [2]uint64{9, 2}, "As many bytes.", "6 fewer objects, " + humanize.Growth(-0.75) + ". "},
	} {
		h := &comparedHeaps{Compared: &memprofdb.Compared{Weight: memprofdb.WeightBytes}}
		h.Base.Bytes.Lo, h.Base.Allocations.Lo, h.Test.Bytes.Lo, h.Test.Allocations.Lo = c.base[0], c.base[1], c.test[0],
			c.test[1]
		h.Moves = table.NewMoves(memprofdb.ComparedSites, []*memprofdb.ComparedSite(nil))
		if lead, rest := h.sentence(); lead != c.lead || rest != c.rest {
			t.Errorf("%v and %v: %q, %q", c.base, c.test, lead, rest)
		}
	}
	for change, want := range map[float64]string{
		-25: humanize.Percent(0.5, 0) + " of it in (library only). ", -5: humanize.Percent(0.1,
			0) + " of it in (library only). ",
		-50: humanize.Percent(1, 0) + " of it in (library only). ", -4: "", -51: "", 25: "",
	} {
		h := &comparedHeaps{Compared: &memprofdb.Compared{Weight: memprofdb.WeightBytes}}
		h.Base.Bytes.Lo, h.Test.Bytes.Lo = 100, 50
		row := &memprofdb.ComparedSite{Move: table.Move{Change: change}}
		row.Test = &memprofdb.ComparedSide{}
		h.Moves = table.NewMoves(memprofdb.ComparedSites, []*memprofdb.ComparedSite{row})
		if _, rest := h.sentence(); rest != want {
			t.Errorf("a change of %g is told as %q, not %q", change, rest, want)
		}
	}
	h := &comparedHeaps{}
	for want, m := range map[string]*memprofdb.ComparedSite{
		"": {}, "c.cc:7": {}, "c.cc": {},
	} {
		side := &memprofdb.ComparedSide{}
		if name, line, _ := strings.Cut(want, ":"); name != "" {
			side.File = "/a/b/" + name
			if line != "" {
				side.Line = 7
			}
		}
		if m.Test = side; h.note(m) != want {
			t.Errorf("%q is at %q", want, h.note(m))
		}
	}
	if turnTag(nil) != nil || turnTag(&memprofdb.ComparedSide{Class: analyze.MemProfUnknown}) != nil ||
		turnTag(&memprofdb.ComparedSide{Class: analyze.MemProfCold}).Text != "cold" {
		t.Error("classes are no tags")
	}
}

// Functions are called by their names or by what stands for them, and places by as much as is known.
func TestNamesAndPlaces(t *testing.T) {
	n := frameNames{Symbols: site.Symbols{Cache: names.NewCache(1 << 20), Mode: names.Full}, base: "/p/x"}
	in := &memprofdb.Module{Path: "/lib/libz.so"}
	for want, f := range map[string]*memprofdb.Function{
		"all allocation contexts": nil, "f (int)": {Name: "_Z1fi", FID: 1}, humanize.MissingName(7).Whole(): {GUID: 7},
		"libz.so+0xff": {In: in, Address: 255}, "0xff": {Address: 255},
	} {
		if got := strings.ReplaceAll(n.Function(f).Whole(), "(int)", " (int)"); strings.ReplaceAll(got, "  ", " ") != want {
			t.Errorf("%+v is called %q, not %q", f, got, want)
		}
	}
	for _, url := range []string{n.LineURL("", 7), n.LineURL("a.c", 0), frameNames{}.LineURL("a.c", 7)} {
		if url != "" {
			t.Errorf("nowhere leads to %s", url)
		}
	}
	if n.LineURL("a.c", 7) != site.LineURL("/p/x", "a.c", 7) {
		t.Error("a line leads elsewhere")
	}
	columns, err := shownColumns([]string{"bytes", "count"}, memprof.CompleteSchema)
	if err != nil {
		t.Fatal(err)
	}
	of := contextTable("/p/x", []memprofdb.Row{{Context: 5}}, columns, n, "?a=1")
	if url := of.URL(&of.Rows[0]); url != "/p/x/sites/0000000000000005?a=1" || len(of.Heads) != 3 ||
		of.Heads[2].Column != "count" {
		t.Errorf("%s, %+v", url, of.Heads)
	}
	var rows []memprofdb.Row
	for _, last := range "il" {
		name := "_ZNSt6vectorIN7library6config6detail4NodeE" + string(last) + "E4growEv"
		rows = append(rows, memprofdb.Row{Stack: []memprofdb.Frame{{Function: &memprofdb.Function{Name: name}}}})
	}
	heap := memprofview.Sites{Contexts: contextTable("/p/x", rows, columns, n, "")}
	var shown strings.Builder
	if err := memprofview.SitesPage(page.Shell{}, heap).Render(t.Context(), &shown); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"std::vector&lt;Node, int&gt;::", "std::vector&lt;Node, long&gt;::"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("contexts of one base are not told apart: no %s", want)
		}
	}
	usual, err := shownColumns(nil, 1<<memprof.AllocCount)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range usual {
		if c.needs != 0 && c.needs != memprof.AllocCount {
			t.Errorf("%s is shown of what lacks it", c.Key)
		}
	}
	for schema, want := range map[memprof.MIBSchema][2]bool{
		1 << memprof.AllocCount: {}, 1<<memprof.AllocCount | 1<<memprof.TotalLifetime: {true, false},
		1 << memprof.TotalLifetime:                                    {},
		1<<memprof.AllocCount | 1<<memprof.TotalLifetimeAccessDensity: {false, true},
	} {
		totals := &analyze.MemProfTotals{Allocations: analyze.Sum{Lo: 2}, Lifetime: analyze.Sum{Lo: 10},
			Density: analyze.Sum{Lo: 400}}
		lifetime, density, known := sumMeans(totals, schema)
		if known != want || known[0] && lifetime != 5 || known[1] && density != 2 {
			t.Errorf("%v: %f, %f, %v", schema, lifetime, density, known)
		}
		if _, _, known = sumMeans(&analyze.MemProfTotals{}, schema); known != [2]bool{} {
			t.Errorf("of no objects %v are known", known)
		}
	}
	a := site.NewAddress("/p/x/flame")
	l, err := analyze.ParseLibrary("")
	if err != nil {
		t.Fatal(err)
	}
	for _, folds := range []bool{false, true} {
		for _, fold := range []memprofdb.Fold{{}, {Library: l}} {
			is := fold.Library != nil
			s := foldSwitches(a, fold, folds)[0]
			if s.Current != is || strings.Contains(s.URL, "lib=") != (is == folds) || strings.Contains(s.URL,
				"lib=fold") != (!is && !folds) {
				t.Errorf("%v where folding is usual %v: %+v", is, folds, s)
			}
		}
	}
	if got := folded(a, memprofdb.Fold{Library: l,
		Recursion: true}).String(); got != "/p/x/flame?lib=fold&rec=collapse" ||
		folded(a, memprofdb.Fold{}).String() != "/p/x/flame" {
		t.Error(got)
	}
}

// A flame graph that has nothing says why; widths and colours are those that the profile has.
func TestWordsOfFlameGraphs(t *testing.T) {
	v := &flameRequest{View: flameweb.View{Address: site.NewAddress("/p/x/flame")}, base: "/p/x"}
	graph := func(known bool, all, matching uint64) *memprofdb.FlameGraph {
		g := &memprofdb.FlameGraph{Known: known}
		g.All.Contexts, g.Matching.Contexts = all, matching
		return g
	}
	for want, g := range map[string]*memprofdb.FlameGraph{
		"No requested in this file": graph(false, 2, 2), "No allocation contexts": graph(true, 0, 0),
		"0 of 2 contexts match": graph(true, 2, 0),
	} {
		if got := v.empty(g); got == nil || got.Title != want {
			t.Errorf("%+v, not %q", got, want)
		}
	}
	if got := v.empty(graph(true, 2, 1)); got != nil {
		t.Errorf("%+v", got)
	}
	if got := len(v.widths(memprof.CompleteSchema)); got != len(memprofdb.Weights) ||
		len(v.widths(1<<memprof.AllocCount)) != 1 {
		t.Errorf("%d widths", got)
	}
	for schema, want := range map[memprof.MIBSchema]int{
		memprof.CompleteSchema: 3, 1<<memprof.AllocCount | 1<<memprof.TotalLifetime: 2, 0: 1,
	} {
		if got := v.colours(&memprofdb.Overview{Schema: schema}, "module", "module"); len(got) != want {
			t.Errorf("%d colours, not %d", len(got), want)
		}
	}
	words := flameWords(memprofdb.WeightBytes, &memprofdb.Overview{Schema: memprof.CompleteSchema}, frameNames{})
	cells := words.Cells(&analyze.MemProfTotals{Allocations: analyze.Sum{Lo: 2}, Lifetime: analyze.Sum{Lo: 10},
		Density: analyze.Sum{Lo: 400}})
	if cells[0].Text != "2" || cells[1].Text != humanize.Milliseconds(5).Text || cells[2].Text != humanize.Rate(2).Text {
		t.Errorf("%+v", cells)
	}
	if cells = words.Cells(&analyze.MemProfTotals{}); cells[1].Text+cells[2].Text != "" {
		t.Errorf("%+v", cells)
	}
	for _, e := range v.exports() {
		if !strings.HasPrefix(e.URL, "/api/v1/profiles/x/export/") || strings.Contains(e.URL, "library=") {
			t.Errorf("%+v", e)
		}
	}
}

// Calls are judged by what they lead to, and drawn by its classes.
func TestVerdictsOfCalls(t *testing.T) {
	whole := &memprofdb.Overview{Schema: memprof.CompleteSchema, Longest: 200_000}
	whole.Contexts = 1
	short := &memprofdb.Overview{Schema: memprof.CompleteSchema, Longest: 7}
	short.Contexts = 1
	for _, c := range []struct {
		mixes, clones    int
		o                *memprofdb.Overview
		verdict, because string
	}{
		{2, 2, whole, "2 calls need a clone:", "they lead to both cold and other allocations."},
		{0, 1, whole, "1 call needs a clone:", "it leads to both cold and other allocations."},
		{0, 0, whole, "No call needs a clone:", "none leads to both cold and other allocations."},
		{1, 0, whole, "No call needs a clone:",
			"none leads to both cold and other allocations. 1 of 9 calls mix hot with not cold."},
		{0, 0, short, "No call needs a clone:", "none leads to cold allocations; " + coldNeeds + "."},
		{0, 0, &memprofdb.Overview{}, "No classes:",
			"they depend on lifetimes and access densities, which the profile lacks."},
	} {
		if verdict, because := callsVerdict(9, c.mixes, c.clones, c.o); verdict != c.verdict || because != c.because {
			t.Errorf("%d mix, %d clone: %q, %q", c.mixes, c.clones, verdict, because)
		}
	}
	var totals memprofdb.SiteTotals
	totals.Bytes.Lo = 400
	totals.Classes[0] = memprofdb.ClassTotals{Contexts: 1, Bytes: analyze.Sum{Lo: 100}}
	totals.Classes[1] = memprofdb.ClassTotals{Contexts: 1, Bytes: analyze.Sum{Lo: 300}}
	parts, says := classParts(&totals)
	if len(parts) != 2 || parts[0].X != "0" || parts[0].Width != "750" || parts[1].X != "750" ||
		parts[1].Width != "250" ||
		says != humanize.Percent(0.75, 1)+" not cold, "+humanize.Percent(0.25, 1)+" cold" {
		t.Errorf("%+v, %s", parts, says)
	}
}
