package covweb

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/views/covview"
)

// inspect says the selected line in words; nil where none is selected.
func (s *handler) inspect(v *source) *covview.LineInspector {
	line := v.q.sel
	if line == 0 {
		return nil
	}
	text := strconv.Itoa(int(line))
	to := v.q.address.Without("sel")
	m := &covview.LineInspector{
		Title: "Line " + text, Close: to.String() + "#L" + text, Link: to.String() + "#L" + text, LinkText: "#L" + text,
	}
	if f, err := v.files.FileAt(v.file); err == nil {
		m.Elsewhere = sourceweb.Elsewhere(v.links, f.Name, f.Path, line)
	}
	i, found := slices.BinarySearchFunc(v.rows, line, func(r coverage.Row, line uint32) int {
		if r.Last < line {
			return -1
		}
		return cmp.Compare(r.First, min(line, r.First))
	})
	if !found || v.rows[i].First > line || v.rows[i].State == coverage.Unmapped {
		m.Missing = "No code: a comment, a blank line, a declaration, or what the preprocessor removed."
		return m
	}
	r := &v.rows[i]
	m.State = r.State
	g := around(v.groups, line)
	m.Says = v.says(r, g)
	m.Regions = v.regionFacts(line)
	missed, of := 0, 0
	for i := range r.Sides {
		x, n := r.Sides[i].Missed()
		missed, of = missed+x, of+n
	}
	if of > 0 {
		m.Regions = append(m.Regions, covview.Fact{
			Term: "Branch sides taken", Value: humanize.Number{
				Text: covview.OfAll(coverage.Metric{Total: of, Covered: of - missed}),
			},
		})
	}
	if g != nil {
		m.Function = new(s.functionRow(v.q, g))
	}
	return m
}

// says is what is known of a line.
func (v *source) says(r *coverage.Row, g *extent) string {
	var list []string
	switch {
	case r.Count == 0 && g != nil && g.never:
		return "Never ran: the function was not called."
	case r.Count == 0:
		list = append(list, "Never ran.")
	case r.Count == 1 && v.cov.SingleByte:
		list = append(list, "Ran; the counters do not say how often.")
	case r.Count == 1:
		list = append(list, "Ran once.")
	default:
		list = append(list, "Ran "+humanize.Int(r.Count)+" times.")
	}
	const most = 3
	if word := neverAny(r); word != "" {
		return strings.Join(append(list, word, v.beginsUnrun(r)), " ")
	}
	for i := range r.Sides {
		side := &r.Sides[i]
		what := v.codeOf(side.Start, side.End)
		if what == "" {
			what = "The condition at column " + strconv.Itoa(int(side.Start.Column))
		}
		missed, of := side.Missed()
		switch {
		case of == 0:
			list = append(list, what+" is known to the compiler: it counts nowhere.")
		case side.Constant && of == 1 && missed == 0:
			list = append(list, what+" is known to the compiler: only the side that it takes counts.")
		case missed == 0 || r.Count == 0:
		case missed == 2 || of == 1 && side.True+side.False == 0:
			list = append(list, what+" was never reached.")
		case side.True == 0 && !side.TrueFolded:
			list = append(list, what+" was never true.")
		default:
			list = append(list, what+" was never false.")
		}
		if len(list) > most {
			break
		}
	}
	if text := v.beginsUnrun(r); text != "" {
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

// neverAny says that all of several conditions always came to the same; empty where
// they did not.
func neverAny(r *coverage.Row) string {
	if len(r.Sides) < 2 || r.Count == 0 {
		return ""
	}
	everTrue, everFalse := false, false
	for i := range r.Sides {
		s := &r.Sides[i]
		if s.Constant || s.TrueFolded || s.FalseFolded || s.True+s.False == 0 {
			return ""
		}
		everTrue, everFalse = everTrue || s.True > 0, everFalse || s.False > 0
	}
	who := "Neither condition"
	if len(r.Sides) > 2 {
		who = "None of the " + humanize.Int(len(r.Sides)) + " conditions"
	}
	switch {
	case !everTrue:
		return who + " was ever true."
	case !everFalse:
		return who + " was ever false."
	}
	return ""
}

// beginsUnrun says what begins in a line that ran and did not run itself.
func (v *source) beginsUnrun(r *coverage.Row) string {
	if r.Count == 0 {
		return ""
	}
	for i := range r.Segments {
		if s := &r.Segments[i]; s.Entry && s.HasCount && !s.Gap && s.Count == 0 {
			return "What begins at column " + strconv.Itoa(int(s.Column)) + " never ran."
		}
	}
	return ""
}

// regionFacts are the regions that begin in a line, those of all functions added up.
func (v *source) regionFacts(line uint32) []covview.Fact {
	const most = 8
	type region struct {
		start, end covmap.Position
		count      uint64
	}
	var list []region
	for i := range v.cov.Functions {
		f := &v.cov.Functions[i]
		for at := range f.Regions {
			r := &f.Regions[at]
			if r.Start.Line != line || r.Kind != covmap.Code || int(f.Files[r.File]) != v.file {
				continue
			}
			n := slices.IndexFunc(list, func(x region) bool { return x.start == r.Start && x.end == r.End })
			if n < 0 {
				if len(list) > 4*most {
					continue
				}
				list, n = append(list, region{start: r.Start, end: r.End}), len(list)
			}
			list[n].count += r.Count
		}
	}
	slices.SortStableFunc(list, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.start.Column, b.start.Column), cmp.Compare(b.end.Line, a.end.Line),
			cmp.Compare(b.end.Column, a.end.Column))
	})
	var facts []covview.Fact
	for _, r := range list[:min(len(list), most)] {
		facts = append(facts, covview.Fact{
			Term: "Region " + r.start.String() + "–" + r.end.String(), Value: inFull(r.count), None: r.count == 0,
		})
	}
	return facts
}
