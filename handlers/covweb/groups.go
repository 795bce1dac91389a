package covweb

import (
	"cmp"
	"slices"
	"strconv"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/handlers/sourceweb"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/views/covview"
)

// extent is the lines of functions that begin at one place.
type extent struct {
	span
	coverage.Group
	sum   coverage.Summary // of each number the largest
	never bool
}

// extents are those of a file, by place.
func extents(c *coverage.Coverage, file int) []extent {
	groups := c.Groups(file)
	list := make([]extent, len(groups))
	for i, g := range groups {
		e := &list[i]
		e.Group, e.never = g, g.Count() == 0
		e.span = span{g.Start.Line, g.Start.Line}
		for _, f := range g.Functions {
			for at := range f.Regions {
				if r := &f.Regions[at]; int(r.File) == f.Main {
					e.last = max(e.last, r.End.Line)
				}
			}
			e.sum.Most(c.Summary(f))
		}
	}
	return list
}

// around is the innermost of the functions that have a line; nil for none.
func around(list []extent, line uint32) *extent {
	var best *extent
	for i := range list {
		if e := &list[i]; e.holds(line) && (best == nil || e.last-e.first <= best.last-best.first) {
			best = e
		}
	}
	return best
}

// maxFunctions is how many functions are listed beside a file.
const maxFunctions = 300

// functionRow is a function of a file, or several that begin at one place.
func (s *handler) functionRow(q *sourceRequest, e *extent) covview.FunctionRow {
	r := covview.FunctionRow{
		Line: strconv.Itoa(int(e.first)), Name: s.name(e.Functions[0].Name, names.NoTemplates),
		URL:   q.line(e.first),
		Bar:   covview.NewBar(e.sum.Lines.Covered, 0, e.sum.Lines.Total),
		Lines: humanize.Int(e.sum.Lines.Covered) + "/" + humanize.Int(e.sum.Lines.Total), Never: e.never,
	}
	if len(e.Functions) > 1 {
		r.Instances = humanize.Int(len(e.Functions))
	}
	return r
}

// maxInstances is how many instances are listed where they unfold.
const maxInstances = 20

// instances are the functions that begin at one place.
func (s *handler) instances(c *coverage.Coverage, e *extent) *covview.Instances {
	sorted := slices.Clone(e.Functions)
	slices.SortStableFunc(sorted, func(a, b *coverage.Function) int { return cmp.Compare(b.Count(), a.Count()) })
	full := make([]string, len(sorted))
	ran := 0
	for i, f := range sorted {
		full[i] = s.fullName(f.Name)
		if f.Count() > 0 {
			ran++
		}
	}
	short := differing(full)
	v := &covview.Instances{
		Count: humanize.Plural(len(sorted), "instantiation", "instantiations"), Line: strconv.Itoa(int(e.first)),
		Says: "the lines below are the sum of all, covered if one of them ran",
	}
	if ran > 0 {
		v.Ran = humanize.Int(ran) + " ran"
	}
	if never := len(sorted) - ran; never > 0 {
		v.Never = humanize.Int(never) + " never ran"
	}
	for i, f := range sorted[:min(ran, maxInstances)] {
		sum := c.Summary(f)
		row := covview.Instance{
			Name: humanize.Printable(short[i]), Title: humanize.Printable(full[i]), Count: inFull(f.Count()),
			Bar:   covview.NewBar(sum.Lines.Covered, 0, sum.Lines.Total),
			Lines: humanize.Int(sum.Lines.Covered) + "/" + humanize.Int(sum.Lines.Total), MCDC: "–",
		}
		if sum.MCDC.Total > 0 {
			row.MCDC = humanize.Int(sum.MCDC.Covered) + "/" + humanize.Int(sum.MCDC.Total)
		} else if len(f.Decisions) > 0 {
			row.MCDC = "constant"
		}
		v.Rows = append(v.Rows, row)
	}
	if more := ran - len(v.Rows); more > 0 {
		v.More = humanize.Int(more) + " more that ran"
	}
	const nevers = 5
	for i := ran; i < min(len(sorted), ran+nevers); i++ {
		v.Nevers = append(v.Nevers, humanize.Printable(short[i]))
	}
	if more := len(sorted) - ran - nevers; more > 0 {
		v.NeverMore = "and " + humanize.Int(more) + " more"
	}
	return v
}

// differing cuts what names begin and end with alike, whole words of it.
func differing(list []string) []string {
	const most = 200
	head, tail := list[0], list[0]
	for _, s := range list[1:] {
		for len(head) > 0 && (len(s) < len(head) || s[:len(head)] != head) {
			head = head[:len(head)-1]
		}
		for len(tail) > 0 && (len(s) < len(tail) || s[len(s)-len(tail):] != tail) {
			tail = tail[1:]
		}
	}
	word := func(c byte) bool {
		return c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
	}
	for len(head) > 0 && word(head[len(head)-1]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && word(tail[0]) {
		tail = tail[1:]
	}
	short := make([]string, len(list))
	for i, s := range list {
		if short[i] = s; len(head)+len(tail) < len(s) {
			short[i] = s[len(head) : len(s)-len(tail)]
		}
		if len(short[i]) > most {
			short[i] = short[i][:most] + "…"
		}
	}
	return short
}

// codeOf is a piece of the source, or nothing where there is no text.
func (l *listing) codeOf(start, end covmap.Position) string {
	if l == nil || int(start.Line) > len(l.text) || start.Line == 0 || start.Column == 0 {
		return ""
	}
	line := l.text[start.Line-1]
	from, to := min(int(start.Column)-1, len(line)), len(line)
	if end.Line == start.Line {
		to = min(max(int(end.Column)-1, from), len(line))
	}
	return humanize.Printable(string(line[sourceweb.Boundary(line, from):sourceweb.Boundary(line, to)]))
}
