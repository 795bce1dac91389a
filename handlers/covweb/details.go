package covweb

import (
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/views/covview"
)

// Bounds of what unfolds.
const (
	maxExpanded = 60 // lines of an expansion
	maxVectors  = 24
	maxHeads    = 16 // conditions of a decision that have a column
)

// expansion is what a macro or an include stands for.
func (s *handler) expansion(v *source, u *use) *covview.Expansion {
	view := v.cov.ExpansionView(u.Expansion)
	rows := view.Rows()
	name := v.cov.Files[view.File].Name
	e := &covview.Expansion{Tag: "expansion", Text: v.codeOf(u.Region.Start, u.Region.End)}
	inner := source{listing: &listing{rows: rows}, q: v.q, cov: v.cov, columns: widest(rows), files: v.files}
	var file *covdb.File
	if v.q.report != nil {
		inner.text = v.q.report.Text(view.File)
	} else if f, err := v.files.FileAt(view.File); err == nil {
		name, file = f.Path, f
	}
	if e.Place = humanize.Printable(name); len(rows) > 0 {
		e.Place += ":" + strconv.Itoa(int(rows[0].First))
		if file != nil {
			e.URL = lineURL(v.q.base, file, rows[0].First)
		}
	}
	e.Says = times(u.Region.Count)
	if u.functions > 1 {
		e.Says = "in " + humanize.Int(u.functions) + " functions; that which ran most: " + e.Says
	}
	for i := range rows {
		r := &rows[i]
		if r.State == coverage.Unmapped {
			continue
		}
		if len(e.Lines) == maxExpanded {
			e.More = "More lines stand in " + e.Place + "."
			break
		}
		l := covview.Line{Number: span{r.First, r.Last}.words(), State: states[r.State], Count: inFull(r.Count)}
		if inner.text != nil && r.First == r.Last {
			l.Text = inner.spans(r, r.First)
		} else {
			l.Ribbon, l.Open = inner.ribbon(r)
		}
		inner.sides(&l, r)
		e.Lines = append(e.Lines, l)
	}
	return e
}

// words are lines for people.
func (s span) words() string { return strings.Replace(s.String(), "..", "–", 1) }

// shared is a decision with the functions that have it.
type shared struct {
	best      *coverage.Decision // that with the most pairs
	functions int
}

// bestDecisions puts those of one place together.
func bestDecisions(list []*coverage.Decision) []shared {
	var all []shared
	for _, d := range list {
		i := slices.IndexFunc(all, func(s shared) bool { return s.best.Start == d.Start && s.best.End == d.End })
		if i < 0 {
			all = append(all, shared{d, 1})
			continue
		}
		all[i].functions++
		if d.Metric().Covered > all[i].best.Metric().Covered || len(d.Vectors) > len(all[i].best.Vectors) &&
			d.Metric().Covered == all[i].best.Metric().Covered {
			all[i].best = d
		}
	}
	return all
}

// decision is the table of a decision: the vectors that were seen, and those that are
// missing.
func (v *source) decision(s shared) *covview.Decision {
	d := s.best
	m := d.Metric()
	vectors := " test vectors, "
	if m.Total == 1 {
		vectors = " test vectors for one condition, "
	}
	t := &covview.Decision{
		Tag: "MC/DC " + humanize.Int(m.Covered) + " of " + humanize.Int(m.Total), Missed: m.Missed() > 0,
		Text: v.codeOf(d.Start, d.End), At: placeOf(d.Start) + "–" + placeOf(d.End),
		Says: "needs " + humanize.Int(m.Total+1) + vectors + humanize.Int(len(d.Vectors)) + " ran",
	}
	if m.Total == 0 {
		t.Tag, t.Says = "MC/DC constant", "the compiler knows every condition: it counts nowhere"
	}
	if s.functions > 1 {
		t.Note = "In " + humanize.Int(s.functions) + " functions; this is the one with the most pairs."
	}
	for i := range d.Conditions[:min(len(d.Conditions), maxHeads)] {
		c := &d.Conditions[i]
		t.Conditions = append(t.Conditions, covview.ConditionHead{
			Name: "C" + strconv.Itoa(i+1), At: placeOf(c.Start), Constant: c.Folded, Missed: !c.Folded && !c.Covered(),
		})
	}
	wanted := d.Wanted()
	for i := range d.Vectors[:min(len(d.Vectors), maxVectors)] {
		t.Vectors = append(t.Vectors, v.ranVector(d, wanted, i))
	}
	if more := len(d.Vectors) - maxVectors; more > 0 {
		t.More = humanize.Int(more) + " more vectors ran. "
	}
	for i := range wanted[:min(len(wanted), maxVectors)] {
		t.Vectors = append(t.Vectors, wantedVector(&wanted[i], wanted, i))
	}
	if more := len(d.Conditions) - maxHeads; more > 0 {
		t.More += humanize.Int(more) + " more conditions are not shown."
	}
	return t
}

// ranVector is a vector that was seen, with the pairs that it makes.
func (v *source) ranVector(d *coverage.Decision, wanted []coverage.Wanted, i int) covview.Vector {
	seen := &d.Vectors[i]
	row := covview.Vector{Number: strconv.Itoa(i + 1), Result: truth(seen.Result)}
	shows := map[int]bool{}
	var says []string
	for c := range d.Conditions {
		if pair := d.Conditions[c].Pair; pair[0] == i+1 || pair[1] == i+1 {
			shows[c] = true
			if pair[1] == i+1 {
				says = append(says, "with "+strconv.Itoa(pair[0])+": C"+strconv.Itoa(c+1)+" alone decides")
			}
		}
	}
	var base []string
	for at := range wanted {
		if wanted[at].With == i+1 {
			base = append(base, "C"+strconv.Itoa(wanted[at].Condition+1))
		}
	}
	if len(base) > 0 {
		says = append(says, "half of a pair for "+strings.Join(base, ", "))
	}
	row.Says = strings.Join(says, "; ")
	for c, value := range seen.Values[:min(len(seen.Values), maxHeads)] {
		row.Values = append(row.Values, covview.Value{Text: valueText(value, "–"), Shows: shows[c]})
	}
	return row
}

// wantedVector is one that is missing.
func wantedVector(w *coverage.Wanted, all []coverage.Wanted, i int) covview.Vector {
	c := "C" + strconv.Itoa(w.Condition+1)
	row := covview.Vector{Number: "–", Result: truth(w.Result), Missing: true}
	switch {
	case w.With > 0:
		row.Says = "with " + strconv.Itoa(w.With) + ": " + c + " alone decides"
	case i > 0 && all[i-1].Condition == w.Condition:
		row.Says = "with the one above: " + c + " alone decides"
	default:
		row.Says = "half of a pair for " + c
	}
	for at, value := range w.Values[:min(len(w.Values), maxHeads)] {
		row.Values = append(row.Values, covview.Value{Text: valueText(value, "any"), Shows: at == w.Condition})
	}
	return row
}

func truth(b bool) string {
	if b {
		return "T"
	}
	return "F"
}

func valueText(v coverage.Value, none string) string {
	switch v {
	case coverage.IsTrue:
		return "T"
	case coverage.IsFalse:
		return "F"
	}
	return none
}
