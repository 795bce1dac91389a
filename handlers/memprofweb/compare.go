package memprofweb

import (
	"cmp"
	"context"
	"math"
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
			unit := moves.Bytes()
			if q.Weight != memprofdb.WeightBytes {
				unit = moves.Amount(q.Weight.Unit())
			}
			return moves.Read(c, v, &moves.View[*memprofdb.ComparedSite]{
				Of: q.Declared(), Unit: unit, Open: func(ctx context.Context, v *moves.View[*memprofdb.ComparedSite]) error {
					heaps, err := s.compareHeaps(ctx, c, q)
					if err == nil {
						heaps.show(v)
						v.Inspect = heaps.skips(q.Library, site.KeptLibrary(c.Request, c.Base.Entry, c.Test.Entry))
					}
					return err
				},
			})
		},
		Kept:  func(c *site.Comparing) string { return keptAddress(c.Request, c.Base.Entry, c.Test.Entry) },
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

// comparedHeaps are two heaps, compared, with what names their functions.
type comparedHeaps struct {
	*memprofdb.Compared
	c     *site.Comparing
	names [2]frameNames
	// weights are those that both heaps have.
	weights []memprofdb.Weight
}

func (s *handler) compareHeaps(ctx context.Context, c *site.Comparing, q memprofdb.CompareQuery) (*comparedHeaps,
	error) {
	base, test, err := site.Both(c, memprofdb.Of)
	if err != nil {
		return nil, err
	}
	compared, err := memprofdb.Compare(ctx, base, test, q)
	if err != nil {
		return nil, err
	}
	h := &comparedHeaps{Compared: compared, c: c}
	for i, p := range []*memprofdb.Profile{base, test} {
		if h.names[i], err = s.heapNames(ctx, p, c.Symbols); err != nil {
			return nil, err
		}
	}
	for _, w := range memprofdb.Weights {
		if w.Known(memprofdb.CommonSchema(base, test)) {
			h.weights = append(h.weights, w)
		}
	}
	return h, nil
}

// show says how heaps are shown side by side.
func (h *comparedHeaps) show(v *moves.View[*memprofdb.ComparedSite]) {
	v.Source, v.How, v.Measure = h, page.HowMemProfCompared, weightMeasures[h.Weight]
	v.Name = h.name
	if !h.Typed {
		v.Of = memprofdb.Untyped(v.Of)
	}
	v.Draw = map[string]func(m *memprofdb.ComparedSite) page.GridCell{
		"at": func(m *memprofdb.ComparedSite) page.GridCell { return page.GridCell{Text: h.note(m)} },
	}
	v.What = func(m *memprofdb.ComparedSite) []page.Turn { return moves.Turned(turnTag(m.Base), turnTag(m.Test)) }
	a, b := h.Weight.Of(&h.Base), h.Weight.Of(&h.Test)
	v.Unit = v.Unit.Above(max(a.Float64(), b.Float64()))
	v.Lists = []moves.ListOf[*memprofdb.ComparedSite]{
		{ID: "lost", Title: "Gone", State: table.OnlyBase}, {ID: "new", Title: "New", State: table.OnlyTest, Test: true},
		{
			ID: "class", Title: "Class changed", State: memprofdb.ClassTurned,
			Sort:   query.Key{Column: table.MoveAbsChange, Desc: true},
			Says:   func(held table.Held) string { return humanize.Plural(held.Rows, v.Of.Noun, v.Of.Nouns) },
			Figure: func(m *memprofdb.ComparedSite) string { return string(m.Base.Class) + " → " + string(m.Test.Class) },
		},
	}
	exact := site.Exactly(v.Counts)
	v.Words = moves.Words[*memprofdb.ComparedSite]{
		Sentence: func(f *moves.Figures[*memprofdb.ComparedSite]) (lead, rest string) {
			lead, rest = h.sentence()
			return lead, rest + f.MovedOfAll()
		},
		Head: func(m *page.Compare) {
			m.Views = compareViews(v.Comparing, "")
			m.Measures = h.choices()
		},
		Members: struct {
			By          string     `json:"by"`
			Weight      string     `json:"weight"`
			BaseBytes   site.Exact `json:"base_bytes"`
			TestBytes   site.Exact `json:"test_bytes"`
			BaseObjects site.Exact `json:"base_objects"`
			TestObjects site.Exact `json:"test_objects"`
		}{
			compareWords[slices.Index(memprofdb.ComparesBy, h.By)], string(h.Weight),
			exact(h.Base.Bytes.String()), exact(h.Test.Bytes.String()),
			exact(h.Base.Allocations.String()), exact(h.Test.Allocations.String()),
		},
	}
}

var weightMeasures = map[memprofdb.Weight]string{
	memprofdb.WeightBytes: "bytes requested", memprofdb.WeightAllocations: "objects allocated",
	memprofdb.WeightAccesses: "accesses", memprofdb.WeightLifetime: "bytes times the milliseconds they lived",
}

// sentence tells how much less or more, and where most of it is.
func (h *comparedHeaps) sentence() (lead, rest string) {
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
	lead = cmp.Or(turn(h.Base.Bytes, h.Test.Bytes, size, "less", "more"), "As many bytes") + "."
	if text := turn(h.Base.Allocations, h.Test.Allocations, count, "fewer objects", "more objects"); text != "" {
		rest = text + ". "
	}
	a, b := h.Weight.Of(&h.Base), h.Weight.Of(&h.Test)
	if whole := b.Float64() - a.Float64(); h.Len() > 0 && whole != 0 {
		largest := h.Largest()
		if part := largest.Change / whole; part >= 0.1 && part <= 1 {
			name, _ := h.name(largest)
			rest += humanize.Say("{%0} of it in {}. ", part, site.ShortName(name))
		}
	}
	return lead, rest
}

// name is the function to blame, and what it allocates in the profile that has it.
func (h *comparedHeaps) name(m *memprofdb.ComparedSite) (humanize.Name, string) {
	side, of := h.side(m)
	if side.Function == nil {
		return humanize.Name{
			Base: "(library only)", Full: "call stacks without a frame outside the library", Missing: true,
		}, ""
	}
	name := of.Function(side.Function)
	a := site.NewAddress(site.PageOf(h.c.Having(m.Base != nil).ID) + "/sites")
	fid := site.FID(side.Function.FID)
	switch h.By {
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

// skips adds to the inspector of a blame frame that it can be skipped.
func (h *comparedHeaps) skips(l *analyze.Library, kept string) func(*page.Inspector, *memprofdb.ComparedSite) {
	return func(in *page.Inspector, m *memprofdb.ComparedSite) {
		if side, _ := h.side(m); h.By == memprofdb.SitesByBlame && side.Function != nil {
			in.Posts = skipPosts(side.Function.Name, l, site.PageOf(h.c.Base.ID), h.c.Address, "comparison", kept)
		}
	}
}

// side is what the base has, or else the test profile, and what names its functions.
func (h *comparedHeaps) side(m *memprofdb.ComparedSite) (*memprofdb.ComparedSide, *frameNames) {
	if m.Base == nil {
		return m.Test, &h.names[1]
	}
	return m.Base, &h.names[0]
}

// note is where a site is, or who calls a context.
func (h *comparedHeaps) note(m *memprofdb.ComparedSite) string {
	side, of := h.side(m)
	if len(side.Stack) > 1 {
		var callers []string
		for _, f := range side.Stack[1:] {
			callers = append(callers, site.ShortName(of.Function(f)))
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

// turnTag is the class of most bytes; nil where that is not known.
func turnTag(s *memprofdb.ComparedSide) *page.Tag {
	if s == nil || s.Class == analyze.MemProfUnknown {
		return nil
	}
	return &page.Tag{Text: string(s.Class), Tone: page.Tone(s.Class), Title: "the class of most of its bytes"}
}

// compareViews lead from the sites to the flame graph and back.
func compareViews(c *site.Comparing, current string) []page.Segment {
	w := c.Address.Query.Get("w")
	return []page.Segment{
		{Label: "Sites", URL: c.At("").With("w", w).String(), Current: current == ""},
		{Label: "Flame graph", URL: c.At("/flame").With("w", w).String(), Current: current == "/flame"},
	}
}

// choices are what heaps can be compared by.
func (h *comparedHeaps) choices() []page.Choice {
	by := []site.Way{
		{Label: "blame frame", Title: "the first function outside the library"},
		{Label: "line", Title: "the call of the allocator"},
		{Label: "function", Title: "the function that calls the allocator"}, {Label: "context", Title: "call stacks"},
	}
	for i := range by {
		by[i].Value = compareWords[i]
	}
	labels := map[memprofdb.Weight]string{
		memprofdb.WeightBytes: "bytes", memprofdb.WeightAllocations: "objects", memprofdb.WeightAccesses: "accesses",
		memprofdb.WeightLifetime: "byte·ms",
	}
	var weights []site.Way
	for _, w := range h.weights {
		weights = append(weights, site.Way{Value: string(w), Label: labels[w], Title: weightMeasures[w]})
	}
	current := compareWords[slices.Index(memprofdb.ComparesBy, h.By)]
	return []page.Choice{
		h.c.Choice("By", "by", current, by, "sort"), h.c.Choice("Measure", "w", string(h.Weight), weights, "min", "sel"),
	}
}
