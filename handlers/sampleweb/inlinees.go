package sampleweb

import (
	"cmp"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/views/chart"
	"proflens/views/sampleview"
)

// How much of the tree of inlined callees a page shows.
const (
	inlineesShown = 12 // of one function
	inlineesDeep  = 24
	inlineesMost  = 1500 // in all
)

// inlinee is a callee with all places where it is inlined into one function.
type inlinee struct {
	name  sampleprof.NameID
	at    []sampleprof.Loc
	sum   uint64 // counts, with what is inlined into it
	own   uint64 // those of its own
	below []*inlinee
}

// inlineesOf groups what is inlined into functions by callee, those with the most samples
// first.
func inlineesOf(functions ...*sampleprof.Function) (list []*inlinee) {
	at := map[sampleprof.NameID]int{}
	var parts [][]*sampleprof.Function
	for _, f := range functions {
		for _, s := range f.Sites {
			i, ok := at[s.Callee.Name]
			if !ok {
				i = len(list)
				at[s.Callee.Name] = i
				list, parts = append(list, &inlinee{name: s.Callee.Name}), append(parts, nil)
			}
			list[i].at = append(list[i].at, s.Loc)
			parts[i] = append(parts[i], s.Callee)
		}
	}
	for i, n := range list {
		for _, f := range parts[i] {
			for b := range f.Body {
				n.own = sampleprof.Add(n.own, f.Body[b].Count)
			}
		}
		n.sum = n.own
		n.below = inlineesOf(parts[i]...)
		for _, b := range n.below {
			n.sum = sampleprof.Add(n.sum, b.sum)
		}
	}
	slices.SortStableFunc(list, func(a, b *inlinee) int { return cmp.Compare(b.sum, a.sum) })
	return list
}

// inlineeRows makes rows of callees.
type inlineeRows struct {
	all     []sampledb.Name
	base    string
	symbols site.Symbols
	whole   uint64 // what shares are of
	handler int    // rows that may still be made
}

func (t *inlineeRows) rows(list []*inlinee, depth int) (rows []sampleview.Inlinee, hidden string) {
	shown := list[:min(len(list), inlineesShown, t.handler)]
	if depth == inlineesDeep {
		shown = nil
	}
	t.handler -= len(shown)
	for _, n := range shown {
		name := &t.all[n.name]
		row := sampleview.Inlinee{
			Name: nameOf(name, t.symbols), URL: pageOf(t.base, name), Sum: humanize.Count(n.sum),
			Share: humanize.PartPercent(n.sum, t.whole, 1),
			Bar:   chart.ShareBar(humanize.Part(n.sum, t.whole), 1), Fit: fitTag(name.Fit),
		}
		if len(n.at) > 1 {
			row.Times = "× " + humanize.Int(len(n.at))
		}
		row.Below, row.Hidden = t.rows(n.below, depth+1)
		rows = append(rows, row)
	}
	return rows, humanize.More(len(list) - len(shown))
}
