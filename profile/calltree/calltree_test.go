package calltree_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/profile/calltree"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// An invented family: routines that were seen so often, with and without what is
// inlined into them.
type (
	routine struct{ name string }
	seen    struct{ total, body analyze.Sum }
	trace   struct {
		path        string // the root first; an inlined routine has a + before it
		total, body uint64
	}
)

func fid(name string) uint64 { return model.GUID(name) }

func total(s *seen) analyze.Sum { return s.total }
func body(s *seen) analyze.Sum  { return s.body }

// routines gives the engine what a family gives it. The profile lends only its cache.
func routines(p *stored.Profile, key string, traces ...trace) *calltree.Stacks[routine, seen] {
	numbers := map[string]uint32{}
	s := &calltree.Stacks[routine, seen]{
		Profile: p, Key: key, Len: len(traces),
		Depth:   func(i uint32) int { return len(strings.Fields(traces[i].path)) },
		FID:     func(f *routine) uint64 { return fid(f.name) },
		Compare: func(a, b *routine) int { return cmp.Compare(a.name, b.name) },
		Add:     func(to *seen, i uint32) { to.total.Add(traces[i].total); to.body.Add(traces[i].body) },
		Sub:     func(from, part *seen) { from.total.Sub(part.total); from.body.Sub(part.body) },
	}
	for _, t := range traces {
		for _, word := range strings.Fields(t.path) {
			name := strings.TrimPrefix(word, "+")
			if _, ok := numbers[name]; !ok {
				numbers[name] = uint32(len(s.Functions))
				s.Functions = append(s.Functions, routine{name})
			}
		}
	}
	s.Find = func(id uint64) (uint32, bool) {
		n := slices.IndexFunc(s.Functions, func(f routine) bool { return fid(f.name) == id })
		return uint32(max(n, 0)), n >= 0
	}
	s.Open = func(context.Context) (calltree.Append, error) {
		return func(list []uint32, inline []bool, i uint32) ([]uint32, []bool) {
			for word := range strings.FieldsSeq(traces[i].path) {
				name, inlined := strings.CutPrefix(word, "+")
				list, inline = append(list, numbers[name]), append(inline, inlined)
			}
			return list, inline
		}, nil
	}
	return s
}

func anyProfile(t *testing.T) *stored.Profile {
	p, _ := profiletest.Open(t, "../memprofdb/testdata/mem_cold_v4.profdata")
	return p
}

var kettle = []trace{
	{"main", 0, 1}, {"main boil", 6, 4}, {"main boil +heat", 2, 2}, {"main boil +heat boil +heat", 5, 5},
	{"main pour", 3, 3}, {"idle", 1, 0},
}

// lines are the nodes as text: width, what ends there, what was cut.
func lines(nodes []calltree.Node[routine, seen]) string {
	var b strings.Builder
	for i := range nodes {
		n := &nodes[i]
		name := "all"
		if n.Function != nil {
			name = n.Function.name
		}
		if n.Inline {
			name = "+" + name
		}
		fmt.Fprintf(&b, "%s%s %v", strings.Repeat(".", n.Depth), name, n.Value)
		if n.Base != nil {
			fmt.Fprintf(&b, " %v→%v", n.Base.total, n.Totals.total)
		} else if !n.Self.IsZero() {
			fmt.Fprintf(&b, " self %v", n.Self)
		}
		if n.CutFrames > 0 {
			fmt.Fprintf(&b, " cut %d: %v", n.CutFrames, n.CutValue)
		}
		b.WriteString("\n")
	}
	return strings.TrimSpace(b.String())
}

func TestLayoutsOfAnyFamily(t *testing.T) {
	p := anyProfile(t)
	for name, c := range map[string]struct {
		query     calltree.Query
		recursion bool
		weight    func(*seen) analyze.Sum
		chosen    []uint32
		want      string
		callers   string
	}{
		"callees": {
			want: "all 17\n.main 16\n..boil 13 self 6\n...+heat 7 self 2\n....boil 5\n.....+heat 5 self 5\n..pour 3 self " +
				"3\n.idle 1 self 1",
		},
		"body": {
			weight: body, want: "all 15 cut 1: 0\n.main 15 self 1\n..boil 11 self 4\n...+heat 7 self 2\n....boil " +
				"5\n.....+heat 5 self 5\n..pour 3 self 3",
		},
		"no loops": {
			recursion: true, want: "all 17\n.main 16\n..boil 13 self 6\n...+heat 7 self 7\n..pour 3 self 3\n.idle 1 self 1",
		},
		"callers": {
			recursion: true, query: calltree.Query{Layout: calltree.Callers},
			want: "all 17 cut 1: 0\n.+heat 7\n..boil 7\n...main 7 self 7\n.boil 6\n..main 6 self 6\n.pour 3\n..main 3 self " +
				"3\n.idle 1 self 1",
		},
		"sandwich": {
			query: calltree.Query{Layout: calltree.Sandwich, Around: fid("heat")},
			want:  "heat 7 self 2\n.boil 5\n..+heat 5 self 5", callers: "heat 7\n.boil 7\n..main 7 self 7",
		},
		"cut":   {query: calltree.Query{Limit: 3}, want: "all 17 cut 1: 1\n.main 16 cut 1: 3\n..boil 13 self 6 cut 3: 7"},
		"depth": {query: calltree.Query{Depth: 1}, want: "all 17\n.main 16 cut 5: 16\n.idle 1 self 1"},
		"share": {
			query: calltree.Query{MinShare: 0.2},
			want:  "all 17 cut 1: 1\n.main 16 cut 1: 3\n..boil 13 self 6\n...+heat 7 self 2\n....boil 5\n.....+heat 5 self 5",
		},
		"chosen": {chosen: []uint32{4, 5}, want: "all 4\n.main 3\n..pour 3 self 3\n.idle 1 self 1"},
		"none":   {chosen: []uint32{}, want: "all 0"},
	} {
		s := routines(p, "kettle", kettle...)
		s.Recursion = c.recursion
		var chosen query.Bitset
		if c.chosen != nil {
			chosen = query.NewBitset(s.Len)
			for _, i := range c.chosen {
				chosen.Set(i)
			}
		}
		if c.weight == nil {
			c.weight = total
		}
		c.query.Limit = cmp.Or(c.query.Limit, 100)
		g, err := calltree.Of(t.Context(), s, chosen, c.weight, c.query)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := lines(g.Nodes); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, c.want)
		}
		if got := lines(g.Callers); got != c.callers {
			t.Errorf("%s: callers\n%s\nwant\n%s", name, got, c.callers)
		}
	}
}

// A zoom begins at a node by its address, which neither order nor weight changes.
func TestZoom(t *testing.T) {
	s := routines(anyProfile(t), "kettle", kettle...)
	whole, err := calltree.Of(t.Context(), s, nil, total, calltree.Query{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(whole.Nodes); i++ {
		n := &whole.Nodes[i]
		g, err := calltree.Of(t.Context(), s, nil, body, calltree.Query{Limit: 100, Zoom: n.ID})
		if err != nil || g.Nodes[0].ID != n.ID || len(g.Above) != n.Depth || g.Nodes[0].Totals != n.Totals {
			t.Errorf("%s: %+v, %v", n.Function.name, g, err)
		}
	}
	for _, q := range []calltree.Query{{Limit: 1, Zoom: 1}, {Limit: 1, Layout: calltree.Sandwich, Around: 1}} {
		if _, err := calltree.Of(t.Context(), s, nil, total, q); !errors.Is(err, stored.ErrNoPart) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// What one of two profiles lacks keeps its place.
func TestCompare(t *testing.T) {
	s := routines(anyProfile(t), "kettle and after", append(slices.Clone(kettle), trace{"idle", 4, 4},
		trace{"main pour", 3, 3}, trace{"main +stir", 2, 2}, trace{"main boil", 1, 1})...)
	s.Compared, s.Test = true, uint32(len(kettle))
	g, err := calltree.Of(t.Context(), s, nil, total, calltree.Query{Limit: 100})
	want := "all 22 17→10\n.main 18 16→6\n..boil 13 13→1\n...+heat 7 7→0\n....boil 5 5→0\n.....+heat 5 5→0\n..pour 3 " +
		"3→3\n..+stir 2 0→2\n.idle 4 1→4"
	if err != nil || lines(g.Nodes) != want || !g.Compared || g.Matching.total.Lo != 27 {
		t.Errorf("%v:\n%s\nwant\n%s", err, lines(g.Nodes), want)
	}
	around, err := calltree.Of(t.Context(), s, nil, total, calltree.Query{
		Limit: 100, Layout: calltree.Sandwich, Around: fid("stir"),
	})
	if err != nil || lines(around.Callers) != "stir 2 0→2\n.main 2 0→2" {
		t.Errorf("%v:\n%s", err, lines(around.Callers))
	}
	if _, err := calltree.Of(t.Context(), s, nil, total,
		calltree.Query{Limit: 1, Layout: calltree.Sandwich, Around: 1}); !errors.Is(err, stored.ErrNoPart) {
		t.Error(err)
	}
}

// Stacks of any depth are shown as far as there is room.
func TestDeepStacks(t *testing.T) {
	deep := trace{path: "main " + strings.Repeat("a b ", 1500) + "leaf", total: 10}
	short := trace{path: "main " + strings.Repeat("a b ", 1023) + "a", total: 5} // ends where deep is cut
	p := anyProfile(t)
	for name, want := range map[string]struct {
		layout        calltree.Layout
		around        string
		recursion     bool
		frames, limit int
		leaf, self    float64 // of the leaf, and of all others alone
		hidden        int
	}{
		"callees":   {calltree.Callees, "", false, 3002, 2048, 0, 5, 954},
		"callers":   {calltree.Callers, "", false, 3002 + 2048, 2048, 10, 0, 954},
		"recursion": {calltree.Callees, "", true, 4, 0, 10, 5, 0},
		"sandwich":  {calltree.Sandwich, "leaf", false, 3001, 2048, 10, 0, 953},
	} {
		s := routines(p, "deep "+name, deep, short)
		s.Recursion = want.recursion
		g, err := calltree.Of(t.Context(), s, nil, total, calltree.Query{
			Layout: want.layout, Around: fid(want.around), Limit: 1 << 20,
		})
		if err != nil || g.Frames != want.frames || g.DepthLimit != want.limit {
			t.Errorf("%s: %d frames, limit %d, %v", name, g.Frames, g.DepthLimit, err)
			continue
		}
		leaf, self, hidden := 0.0, 0.0, 0
		for _, n := range append(g.Nodes, g.Callers...) {
			if n.Function != nil && n.Function.name == "leaf" {
				leaf = max(leaf, n.Value.Float64())
			} else if want.layout == calltree.Callees {
				self += n.Self.Float64()
			}
			hidden += n.CutFrames
		}
		if leaf != want.leaf || self != want.self || hidden != want.hidden {
			t.Errorf("%s: the leaf has %v, others alone %v, %d hidden", name, leaf, self, hidden)
		}
	}
	if kept := calltree.KeptDepth(1<<20, 2048, func(uint32) int { return 1 << 20 }); kept != 32 {
		t.Errorf("%d kept", kept)
	}
}
