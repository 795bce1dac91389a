package covweb

import (
	"cmp"
	"slices"

	"proflens/analyze/coverage"
	"proflens/decode/covmap"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/views/covview"
	"proflens/views/sourceview"
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
	return covview.FunctionRow{
		Line: e.first, Name: s.name(e.Functions[0].Name, names.NoTemplates), URL: q.line(e.first), Lines: e.sum.Lines,
		Instances: len(e.Functions), Never: e.never,
	}
}

// instances are the functions that begin at one place.
func (s *handler) instances(c *coverage.Coverage, e *extent) *covview.Instances {
	v := &covview.Instances{Line: e.first}
	full := make([]string, len(e.Functions))
	sorted := slices.SortedStableFunc(slices.Values(e.Functions), func(a, b *coverage.Function) int {
		return cmp.Compare(b.Count(), a.Count())
	})
	for i, f := range sorted {
		full[i] = s.fullName(f.Name)
		if f.Count() > 0 {
			v.Ran++
		}
	}
	for i, short := range differing(full) {
		v.List = append(v.List, covview.Instance{
			Function: sorted[i], Sum: c.Summary(sorted[i]), Short: short, Full: full[i],
		})
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
	return humanize.Printable(string(line[sourceview.Boundary(line, from):sourceview.Boundary(line, to)]))
}
