package memprofweb

import (
	"context"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// comparer compares heaps: sites or contexts by what they allocate.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: moves.Keys(memprofdb.ComparedSites, "by", "w", "library"), Declared: lists.Says(memprofdb.ComparedSites),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			q := memprofdb.CompareQuery{
				By: comparedBy(v), Weight: site.Choice(v, "w", memprofdb.Weights...), Library: libraryOf(v, s.own()),
			}
			return &moves.Of[*memprofdb.ComparedSite]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[*memprofdb.ComparedSite], error) {
					return s.compareView(ctx, c, q)
				}}, nil
		},
		Pages: []site.ComparedRoute{{Path: "/flame", Answer: s.compareFlamePage}},
		API: []site.ComparedRoute{{Path: "/flamegraph", Answer: s.getCompareFlame, Keys: compareFlameKeys, Says: `
			compare comparePairFlame: The call trees of two heaps, merged
			Same as GET /profiles/{id}/flamegraph, over the contexts of both profiles. width adds up the larger side
			of each stack below a node. base is the weight in the base profile; the column named after the weight
			holds the test profile's. Library frames are folded and recursion is collapsed unless lib=show and
			rec=show.
			?w bytes|allocations|lifetime|accesses =bytes: The weight that widths show.
			?layout callees|callers|sandwich =callees: Tree from the root, from the allocating functions, or around
			one function.
			?around fid: With layout=sandwich: fid of the function.
			?z fid: ID of the node to start from.
			?limit integer 1..500000 =20000: Maximum number of nodes. The widest are kept.
			?depth integer 0..: Levels below the first node; 0 means all.
			?min_share number 0..1: Leaves out nodes with a smaller share of the first node.
			?format json|folded =json: The tree as json, or whole stacks as folded: one a line, with the base and test
			weights, as difffolded.pl writes them.
			>200 FlameGraph text`}},
	}
}

// The values of by: "site" is the line that allocates, as in lists of sites.
var compareWords = []string{"blame", "site", "function", "context"}

func comparedBy(v *site.Values) memprofdb.SiteBy {
	return memprofdb.ComparesBy[slices.Index(compareWords, site.Choice(v, "by", compareWords...))]
}

// heaps are the two of a comparison.
func heaps(c *site.Comparing) (base, test *memprofdb.Profile, err error) {
	if base, err = memprofdb.Of(c.Base.Profile); err == nil {
		test, err = memprofdb.Of(c.Test.Profile)
	}
	return base, test, err
}

// comparedNames names functions of two heaps.
type comparedNames [2]frameNames

func (s *handler) comparedNames(ctx context.Context, base, test *memprofdb.Profile,
	symbols site.Symbols) (n comparedNames, err error) {
	for i, p := range []*memprofdb.Profile{base, test} {
		if n[i], err = s.heapNames(ctx, p, symbols); err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *handler) compareView(ctx context.Context, c *site.Comparing,
	q memprofdb.CompareQuery) (*moves.View[*memprofdb.ComparedSite], error) {
	base, test, err := heaps(c)
	if err != nil {
		return nil, err
	}
	compared, err := memprofdb.Compare(ctx, base, test, q)
	if err != nil {
		return nil, err
	}
	n, err := s.comparedNames(ctx, base, test, c.Symbols)
	if err != nil {
		return nil, err
	}
	v := &moves.View[*memprofdb.ComparedSite]{
		Comparing: c, Of: q.Declared(), Source: compared, How: page.HowMemProfCompared,
		Name: func(m *memprofdb.ComparedSite) (humanize.Name, string) { return compareName(c, n, compared, m) },
		Draw: map[string]func(m *memprofdb.ComparedSite) page.GridCell{
			"at": func(m *memprofdb.ComparedSite) page.GridCell { return page.GridCell{Text: compareNote(n, m)} },
		},
		What: classTurn, Measure: weightMeasures[q.Weight],
	}
	a, b := q.Weight.Of(&compared.Base), q.Weight.Of(&compared.Test)
	larger := max(a.Float64(), b.Float64())
	if v.Unit = moves.Bytes(larger); q.Weight != memprofdb.WeightBytes {
		v.Unit = moves.Amount(q.Weight.Unit(), math.Exp2(math.Floor(math.Log2(max(larger/10_000, 1)))))
	}
	sum := func(of func(p *table.MovePage[*memprofdb.ComparedSite]) float64) func(p *table.MovePage[*memprofdb.ComparedSite]) string {
		return func(p *table.MovePage[*memprofdb.ComparedSite]) string {
			return humanize.Plural(p.Matching, v.Of.Noun[0], v.Of.Noun[1]) + ", " + v.Unit.Value(of(p))
		}
	}
	figure := func(m *memprofdb.ComparedSite) string { return v.Unit.Value(max(m.InBase, m.InTest)) }
	v.Lists = []moves.ListOf[*memprofdb.ComparedSite]{
		{
			ID: "lost", Title: "Gone", State: table.OnlyBase, Figure: figure,
			Sort: []query.Key{{Column: table.MoveBase, Desc: true}},
			Says: sum(func(p *table.MovePage[*memprofdb.ComparedSite]) float64 { return p.Base }),
		},
		{
			ID: "new", Title: "New", State: table.OnlyTest, Figure: figure,
			Sort: []query.Key{{Column: table.MoveTest, Desc: true}},
			Says: sum(func(p *table.MovePage[*memprofdb.ComparedSite]) float64 { return p.Test }),
		},
		{ID: "class", Title: "Class changed", State: memprofdb.ClassTurned,
			Sort: []query.Key{{Column: table.MoveAbsChange, Desc: true}},
			Says: func(p *table.MovePage[*memprofdb.ComparedSite]) string {
				return humanize.Plural(p.Matching, v.Of.Noun[0], v.Of.Noun[1])
			},
			Figure: func(m *memprofdb.ComparedSite) string { return string(m.Base.Class) + " → " + string(m.Test.Class) }},
	}
	v.Words = moves.Words[*memprofdb.ComparedSite]{
		Sentence: func(f *moves.Figures[*memprofdb.ComparedSite]) (lead, rest string) {
			return compareSentence(c, n, compared, v, f)
		},
		Head: func(_ context.Context, m *page.Compare) error {
			m.Views = compareViews(c, "")
			m.Measures = []page.Choice{compareBy(c, q.By), compareWeights(c, q.Weight, base, test)}
			return nil
		},
		Members: struct {
			By          string     `json:"by"`
			Weight      string     `json:"weight"`
			BaseBytes   site.Exact `json:"base_bytes"`
			TestBytes   site.Exact `json:"test_bytes"`
			BaseObjects site.Exact `json:"base_objects"`
			TestObjects site.Exact `json:"test_objects"`
		}{compareWords[slices.Index(memprofdb.ComparesBy, q.By)], string(q.Weight),
			site.Exactly(c.Counts)(compared.Base.Bytes.String()), site.Exactly(c.Counts)(compared.Test.Bytes.String()),
			site.Exactly(c.Counts)(compared.Base.Allocations.String()),
			site.Exactly(c.Counts)(compared.Test.Allocations.String())},
	}
	return v, nil
}

var weightMeasures = map[memprofdb.Weight]string{
	memprofdb.WeightBytes: "bytes requested", memprofdb.WeightAllocations: "objects allocated",
	memprofdb.WeightAccesses: "accesses", memprofdb.WeightLifetime: "bytes times the milliseconds they lived",
}

// compareSentence tells how much less or more, and where most of it is.
func compareSentence(c *site.Comparing, n comparedNames, compared *memprofdb.Compared,
	v *moves.View[*memprofdb.ComparedSite], f *moves.Figures[*memprofdb.ComparedSite]) (lead, rest string) {
	turn := func(base, test analyze.Sum, write func(v float64) string, less, more string) string {
		b, t := base.Float64(), test.Float64()
		switch {
		case b == t:
			return ""
		case b == 0:
			return write(t) + " " + more
		}
		word := more
		if t < b {
			word = less
		}
		return write(math.Abs(t-b)) + " " + word + ", " + humanize.Growth((t-b)/b)
	}
	size := func(v float64) string { return humanize.Bytes(uint64(v)).Text }
	count := func(v float64) string { return humanize.Count(uint64(v)).Text }
	if lead = turn(compared.Base.Bytes, compared.Test.Bytes, size, "less", "more"); lead == "" {
		lead = "As many bytes"
	}
	lead += "."
	if text := turn(compared.Base.Allocations, compared.Test.Allocations, count, "fewer objects",
		"more objects"); text != "" {
		rest = text + ". "
	}
	a, b := compared.Weight.Of(&compared.Base), compared.Weight.Of(&compared.Test)
	if whole := b.Float64() - a.Float64(); f.Some && whole != 0 && f.Largest.Change/whole >= 0.1 &&
		f.Largest.Change/whole <= 1 {
		name, _ := compareName(c, n, compared, f.Largest)
		rest += humanize.Percent(f.Largest.Change/whole, 0) + " of it in " + site.ShortName(name) + ". "
	}
	if f.Moved == 0 {
		return lead, rest + f.Says()
	}
	return lead, rest + humanize.Int(f.Moved) + " of " + humanize.Plural(f.All, v.Of.Noun[0], v.Of.Noun[1]) + " moved by " +
		f.LeastSays +
		" or more."
}

// compareName is the function to blame, and what it allocates in the profile that has it.
func compareName(c *site.Comparing, n comparedNames, compared *memprofdb.Compared,
	m *memprofdb.ComparedSite) (humanize.Name, string) {
	side, of, id := m.Any(), &n[0], c.Base.ID
	if m.Base == nil {
		of, id = &n[1], c.Test.ID
	}
	if side.Function == nil {
		return humanize.Name{Base: "(library only)", Full: "call stacks without a frame outside the library", Missing: true}, ""
	}
	name := of.function(side.Function)
	a := site.Address{Path: site.PageOf(id) + "/sites", Query: url.Values{}}
	fid := site.FID(side.Function.FID)
	switch compared.By {
	case memprofdb.SitesByContext:
		return name, a.Path + "/" + site.FID(side.Context)
	case memprofdb.SitesByBlame:
		a = a.With("blame", fid)
	case memprofdb.SitesByLine:
		a = a.With("by", "context").With("site", site.FID(side.ID))
	default:
		a = a.With("by", "context").With("owner", fid)
	}
	return name, a.String()
}

// compareNote is where a site is, or who calls a context.
func compareNote(n comparedNames, m *memprofdb.ComparedSite) string {
	side, of := m.Any(), &n[0]
	if m.Base == nil {
		of = &n[1]
	}
	if len(side.Stack) > 1 {
		var callers []string
		for _, f := range side.Stack[1:] {
			callers = append(callers, site.ShortName(of.function(f)))
		}
		return "from " + strings.Join(callers, " ← ")
	}
	if side.File == "" {
		return ""
	}
	file := side.File[strings.LastIndex(side.File, "/")+1:]
	if side.Line > 0 {
		file += ":" + strconv.FormatUint(uint64(side.Line), 10)
	}
	return humanize.Printable(file)
}

// classTurn is the class where it is another one.
func classTurn(m *memprofdb.ComparedSite) []page.Turn {
	if m.State&memprofdb.ClassTurned == 0 {
		return nil
	}
	tag := func(class analyze.MemProfClass) *page.Tag {
		return &page.Tag{Text: string(class), Tone: page.Tone(class), Title: "the class of most of its bytes"}
	}
	return []page.Turn{{From: tag(m.Base.Class), To: tag(m.Test.Class)}}
}

// compareViews lead from the sites to the flame graph and back.
func compareViews(c *site.Comparing, current string) []page.Segment {
	w := c.Address.Query.Get("w")
	return []page.Segment{
		{Label: "Sites", URL: c.At("").With("w", w).String(), Current: current == ""},
		{Label: "Flame graph", URL: c.At("/flame").With("w", w).String(), Current: current == "/flame"},
	}
}

func compareBy(c *site.Comparing, current memprofdb.SiteBy) page.Choice {
	choice := page.Choice{Label: "By"}
	for i, one := range []struct{ label, title string }{
		{"blame frame", "the first function outside the library"}, {"line", "the call of the allocator"},
		{"function", "the function that calls the allocator"}, {"context", "call stacks"},
	} {
		word := compareWords[i]
		if i == 0 {
			word = ""
		}
		choice.Segments = append(choice.Segments,
			page.Segment{Label: one.label, Title: one.title, Current: memprofdb.ComparesBy[i] == current,
				URL: c.Address.Without("page", "cursor", "sort").With("by", word).String()})
	}
	return choice
}

func compareWeights(c *site.Comparing, current memprofdb.Weight, base, test *memprofdb.Profile) page.Choice {
	choice := page.Choice{Label: "Measure"}
	labels := map[memprofdb.Weight]string{
		memprofdb.WeightBytes: "bytes", memprofdb.WeightAllocations: "objects", memprofdb.WeightAccesses: "accesses",
		memprofdb.WeightLifetime: "byte·ms",
	}
	for _, w := range memprofdb.Weights {
		if !w.Known(memprofdb.CommonSchema(base, test)) {
			continue
		}
		word := string(w)
		if w == memprofdb.WeightBytes {
			word = ""
		}
		choice.Segments = append(choice.Segments,
			page.Segment{Label: labels[w], Title: weightMeasures[w], Current: w == current,
				URL: c.Address.Without("page", "cursor", "min", "sel").With("w", word).String()})
	}
	return choice
}
