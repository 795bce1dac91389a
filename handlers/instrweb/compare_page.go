package instrweb

import (
	"strconv"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/instrview"
	"proflens/views/page"
)

// show says how the pairs of two profiles are shown.
func (v *compared) show(c *instrdb.Comparison, overlap *instrdb.Overlap) {
	v.Source, v.Programs = pairs{c}, true
	v.Rows = func(q table.MoveQuery) table.Find {
		own := v.own
		own.MoveQuery = q
		return c.Find(own)
	}
	v.Measure, v.How = "share of the total count", page.HowDifferences
	v.Name = func(m *instrdb.PairRow) (humanize.Name, string) { return v.name(c, m) }
	v.What = func(m *instrdb.PairRow) []page.Turn {
		return moves.Turned(classTag(m.Base, c.Base.Overview), classTag(m.Test, c.Test.Overview))
	}
	v.Draw = map[string]func(m *instrdb.PairRow) page.GridCell{
		"ratio": func(m *instrdb.PairRow) page.GridCell { return page.GridCell{Number: countRatio(m)} },
	}
	byBase := query.Key{Column: instrdb.PairBaseRank}
	v.Lists = []moves.ListOf[*instrdb.PairRow]{
		{ID: "lost", Title: "Lost", State: table.OnlyBase, Sort: byBase},
		{ID: "new", Title: "New", State: table.OnlyTest, Test: true, Sort: query.Key{Column: instrdb.PairTestRank}},
		{ID: "changed", Title: "Code changed", State: table.Changed, Sort: byBase},
	}
	v.Words = moves.Words[*instrdb.PairRow]{
		Sentence: func(f *moves.Figures[*instrdb.PairRow]) (lead, rest string) {
			lead = "One of the profiles has no counts."
			if overlap.Comparable() {
				lead = humanize.Percent(nearlyWhole(overlap.Score+overlap.Renamed), 1) + " overlap."
			}
			return lead, f.Apart(func(share float64) string { return humanize.Percent(share, 1) }) + f.Says()
		},
		Head: func(m *page.Compare) {
			m.Notes = v.notes(c, overlap)
			m.Views = compareViews(v.Comparing, "")
			m.Parts = append(m.Parts, instrview.OverlapPart(v.overlaps(c, overlap)))
		},
		Envelope: func() any {
			return newComparisonObject(v.BasePath, v.Comparing, c, overlap, v.OverlapCS, v.Counts)
		},
		Text: func() string { // what llvm-profdata overlap prints, after why that means little
			lead := overlapText(humanize.Printable(v.Base.Name), humanize.Printable(v.Test.Name), overlap)
			if why := doubt(c); why != "" {
				lead = "warning: " + why + "\n" + lead
			}
			return lead
		},
	}
}

// name is a function's name, and its page in the profile that has it.
func (v *compared) name(c *instrdb.Comparison, r *instrdb.PairRow) (humanize.Name, string) {
	f, o := r.Record(), c.Base.Overview
	if r.Base == nil {
		o = c.Test.Overview
	}
	name := v.Symbols.Name([]byte(f.PGO), f.Ref)
	if f.CS {
		name.Full += "\ncontext-sensitive: counted after inlining"
	}
	return name, functionURL(site.PageOf(v.Having(r.Base != nil).ID), o, f)
}

// classTag is the class of a function; nil for a side without it.
func classTag(f *instrdb.PairSide, o *instrdb.Overview) *page.Tag {
	if f == nil {
		return nil
	}
	class := classOf(o, f.Row)
	if f.Class == analyze.NoClass {
		return &page.Tag{Text: "no class", Tone: page.Neutral, Title: class.Reason}
	}
	return &page.Tag{Text: string(f.Class), Tone: page.Tone(f.Class), Title: class.Reason}
}

// countRatio is how often a function was counted in B for each time in A.
func countRatio(m *instrdb.PairRow) humanize.Number {
	b, t := m.Base, m.Test
	if b == nil || t == nil || b.Total.IsZero() {
		return humanize.Number{Text: "–"}
	}
	exact := humanize.Say("{:count} to {:count}", t.Total, b.Total)
	return humanize.Number{
		Text:  "×" + humanize.NumberSpace + strconv.FormatFloat(t.Total.Float64()/b.Total.Float64(), 'g', 3, 64),
		Exact: exact,
	}
}

// notes are what else the reader must know of the figures.
func (v *compared) notes(c *instrdb.Comparison, o *instrdb.Overlap) []string {
	var notes []string
	if why := doubt(c); why != "" {
		notes = append(notes, site.Prose(why))
	}
	note := func(why string) {
		notes = append(notes, humanize.Say("llvm-profdata overlap prints {%}: it {}", o.Overlap.Overlap.Edge, why))
	}
	if o.Comparable() && o.Overlap.Overlap.Edge-o.Score > 1e-9 {
		note("compares either plain or context-sensitive records, but divides by the sum over both.")
	}
	if o.Renamed > 1e-9 {
		note("takes a function whose name has the path of another build folder, or another .llvm.N, for lost and new.")
	}
	return notes
}

// doubt is why the figures mean little: the counters count different things. Empty where
// they do not.
func doubt(c *instrdb.Comparison) string {
	if fault, ok := model.FaultIn(sums.Mixture(&c.Base.Overview.Info, &c.Test.Overview.Info)); ok {
		return fault.Msg
	}
	return ""
}

// overlaps is what llvm-profdata overlap prints, a line a kind of counts.
func (v *compared) overlaps(c *instrdb.Comparison, o *instrdb.Overlap) instrview.Overlaps {
	m := instrview.Overlaps{Open: v.OverlapCS, Lines: overlapLines(o)}
	if c.Base.Overview.CSSummary != nil || c.Test.Overview.CSSummary != nil {
		m.Other, m.OtherOf = v.Address.With("overlap_cs", "true").String(), "Context-sensitive records"
		if v.OverlapCS {
			m.Other, m.OtherOf = v.Address.Without("overlap_cs").String(), "Plain records"
		}
	}
	return m
}

// overlapLines are those lines.
func overlapLines(o *instrdb.Overlap) []instrview.OverlapLine {
	if !o.Comparable() {
		return nil
	}
	line := func(kind string, overlap, mismatch, unique, base, test float64) instrview.OverlapLine {
		return instrview.OverlapLine{Kind: kind, Overlap: humanize.Percent(nearlyWhole(overlap), 3),
			Mismatch: humanize.Percent(mismatch, 3), Unique: humanize.Percent(unique, 3),
			Base: humanize.BigCount(wholeNumber(base)), Test: humanize.BigCount(wholeNumber(test))}
	}
	lines := []instrview.OverlapLine{
		line("counters", o.Overlap.Overlap.Edge, o.Mismatch.Edge, o.Unique.Edge, o.Base.Edge, o.Test.Edge),
	}
	for kind, word := range [instrprof.NumValueKinds]string{"indirect calls", "memory operations", "vtables"} {
		if o.Base.Values[kind] >= 1 || o.Test.Values[kind] >= 1 {
			lines = append(lines, line(word, o.Overlap.Overlap.Values[kind], o.Mismatch.Values[kind], o.Unique.Values[kind],
				o.Base.Values[kind], o.Test.Values[kind]))
		}
	}
	return lines
}

// nearlyWhole takes a sum of many doubles for the 1 that it would be.
func nearlyWhole(f float64) float64 {
	if f > 1-1e-9 && f < 1+1e-9 {
		return 1
	}
	return f
}

// wholeNumber writes a double that counts something.
func wholeNumber(f float64) string { return strconv.FormatFloat(f, 'f', 0, 64) }
