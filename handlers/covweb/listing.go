package covweb

import (
	"cmp"
	"slices"

	"proflens/analyze/coverage"
	"proflens/handlers/sourceweb"
)

// listing is a file's rows, and how they are folded.
type listing struct {
	rows   []coverage.Row
	gaps   []coverage.Gap
	folds  []fold // rising, none in another
	text   [][]byte
	part   bool                // of the text only rows are shown
	syntax [][]sourceweb.Token // of the text
}

// fold is lines on end that one row stands for.
type fold struct {
	span
	mapped int  // lines with code
	never  bool // a function that never ran
	group  int  // its index
	none   bool // lines without code: there is nothing to unfold
}

const (
	nearGap   = 2 // lines around a gap that stay in sight
	leastFold = 4 // fewer lines are shown rather than folded
)

// run is rows of the page before they are cut into pages: one fold, or lines one by one.
type run struct {
	span
	fold *fold
	row  int // index of rows; -1: lines that the mapping does not know
}

// items is how many rows of the page a run is.
func (r *run) items() int {
	if r.fold != nil {
		return 1
	}
	return int(r.last-r.first) + 1
}

// foldGaps folds what is covered far from gaps and from some lines, and functions that
// never ran.
func (l *listing) foldGaps(groups []extent, lines []uint32) {
	spans := make([]span, 0, len(l.gaps)+len(lines))
	for _, g := range l.gaps {
		spans = append(spans, span{g.First, g.Last})
	}
	for _, line := range lines {
		spans = append(spans, span{line, line})
	}
	slices.SortFunc(spans, byFirst)
	var keep []span
	for _, s := range spans {
		k := span{s.first - min(s.first-1, nearGap), s.last + min(maxLine-s.last, nearGap)}
		if n := len(keep) - 1; n >= 0 && k.first <= keep[n].last+leastFold {
			keep[n].last = max(keep[n].last, k.last)
			continue
		}
		keep = append(keep, k)
	}
	first, last := l.rows[0].First, l.rows[len(l.rows)-1].Last
	if l.text != nil {
		first, last = 1, max(last, uint32(len(l.text)))
	}
	at := first
	for _, k := range keep {
		if k.first > at {
			l.fold(span{at, k.first - 1}, fold{})
		}
		at = max(at, k.last+1)
	}
	if at <= last {
		l.fold(span{at, last}, fold{})
	}
	for i, g := range groups {
		if g.never && g.last-g.first+1 >= leastFold && !l.ranIn(g.span) {
			l.fold(g.span, fold{never: true, group: i})
		}
	}
	l.order()
}

// ranIn reports whether one of some lines ran.
func (l *listing) ranIn(s span) bool {
	from, _ := slices.BinarySearchFunc(l.rows, s.first, func(r coverage.Row, line uint32) int {
		return cmp.Compare(r.Last, line)
	})
	for i := from; i < len(l.rows) && l.rows[i].First <= s.last; i++ {
		if l.rows[i].Count > 0 {
			return true
		}
	}
	return false
}

// order sorts the folds. Of two that overlap the first stays: of one function in
// another the outer.
func (l *listing) order() {
	slices.SortStableFunc(l.folds, func(a, b fold) int { return cmp.Compare(a.first, b.first) })
	end := uint32(0)
	l.folds = slices.DeleteFunc(l.folds, func(f fold) bool {
		if f.first <= end {
			return true
		}
		end = f.last
		return false
	})
}

// foldBlank folds lines without code, of which there is no text, where nothing is
// folded.
func (l *listing) foldBlank() {
	folds := l.folds
	for i := range l.rows {
		r := &l.rows[i]
		if r.State != coverage.Unmapped {
			continue
		}
		s := span{r.First, r.Last}
		at, _ := slices.BinarySearchFunc(folds, s.first, func(f fold, line uint32) int { return cmp.Compare(f.last, line) })
		for ; at < len(folds) && folds[at].first <= s.last && s.first <= s.last; at++ {
			if folds[at].first > s.first {
				l.blank(span{s.first, folds[at].first - 1})
			}
			s.first = folds[at].last + 1
		}
		l.blank(s)
	}
	l.order()
}

func (l *listing) blank(s span) {
	if s.first <= s.last && s.last-s.first+1 >= leastFold {
		l.folds = append(l.folds, fold{span: s, none: true})
	}
}

// fold adds one, of as many lines as are worth it.
func (l *listing) fold(s span, f fold) {
	if s.last-s.first+1 < leastFold {
		return
	}
	f.span = s
	from, _ := slices.BinarySearchFunc(l.rows, s.first, func(r coverage.Row, line uint32) int {
		return cmp.Compare(r.Last, line)
	})
	for i := from; i < len(l.rows) && l.rows[i].First <= s.last; i++ {
		if r := &l.rows[i]; r.State != coverage.Unmapped {
			f.mapped += int(min(r.Last, s.last)-max(r.First, s.first)) + 1
		}
	}
	f.none = f.mapped == 0 && l.text == nil
	l.folds = append(l.folds, f)
}

// unfold drops the folds that are open, and functions that have one of some lines.
func (l *listing) unfold(open func(span) bool, lines []uint32) {
	l.folds = slices.DeleteFunc(l.folds, func(f fold) bool {
		return !f.none && (open(f.span) || f.never && slices.ContainsFunc(lines, f.holds))
	})
}

// runs are the rows of the page in order, all pages of it.
func (l *listing) runs() []run {
	var list []run
	add := func(s span, row int) {
		for s.first <= s.last {
			i, _ := slices.BinarySearchFunc(l.folds, s.first, func(f fold, line uint32) int { return cmp.Compare(f.last, line) })
			if i == len(l.folds) || l.folds[i].first > s.last {
				list = append(list, run{span: s, row: row})
				return
			}
			f := &l.folds[i]
			if f.first > s.first {
				list = append(list, run{span: span{s.first, f.first - 1}, row: row})
			}
			if n := len(list) - 1; n < 0 || list[n].fold != f {
				list = append(list, run{span: f.span, fold: f, row: row})
			}
			if f.last >= s.last {
				return
			}
			s.first = f.last + 1
		}
	}
	if first := l.rows[0].First; l.text != nil && first > 1 && !l.part {
		add(span{1, first - 1}, -1)
	}
	for i := range l.rows {
		add(span{l.rows[i].First, l.rows[i].Last}, i)
	}
	if last := l.rows[len(l.rows)-1].Last; int(last) < len(l.text) && !l.part {
		add(span{last + 1, uint32(len(l.text))}, -1)
	}
	return list
}

// window cuts a page out of runs: from a line on, or the page that has a line. before
// and after are the first lines of the pages around it; 0: there is none.
func window(runs []run, from, has uint32, limit int) (page []run, before, after uint32) {
	at := 0 // items before the page
	find := func(line uint32) int {
		n := 0
		for i := range runs {
			switch r := &runs[i]; {
			case r.last < line:
				n += r.items()
			case r.fold != nil || r.first >= line:
				return n
			default:
				return n + int(line-r.first)
			}
		}
		return n
	}
	switch {
	case from > 0:
		at = find(from)
	case has > 0:
		at = find(has) / limit * limit
	}
	total := 0
	for i := range runs {
		total += runs[i].items()
	}
	if at >= total {
		at = max(total-1, 0) / limit * limit
	}
	lineAt := func(item int) uint32 {
		for i := range runs {
			n := runs[i].items()
			if item < n {
				return runs[i].first + uint32(item)
			}
			item -= n
		}
		return 0
	}
	if at > 0 {
		before = lineAt(max(at-limit, 0))
	}
	end := at + limit
	n := 0
	for _, r := range runs {
		items := r.items()
		if first, last := max(at-n, 0), min(end-n, items); first < last {
			if r.fold == nil {
				r.first, r.last = r.first+uint32(first), r.first+uint32(last-1)
			}
			page = append(page, r)
		}
		n += items
	}
	if n > end {
		after = lineAt(end)
	}
	return page, before, after
}
