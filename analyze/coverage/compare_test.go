package coverage

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"proflens/decode/covmap"
)

// body is a function of a file, as tests draw it: its body from a line to another, and the
// counts of regions of a line each in it, by how far they are below its first.
type body struct {
	name        string
	hash        uint64
	first, last uint32
	count       uint64
	within      map[uint32]uint64
}

func fileOf(list ...body) *Coverage {
	at := func(line, column uint32) covmap.Position { return covmap.Position{Line: line, Column: column} }
	var functions []Function
	for _, b := range list {
		f := Function{
			Name: b.name, Hash: b.hash, Files: []int32{0},
			Regions: []Region{{Start: at(b.first, 1), End: at(b.last, 2), Count: b.count}},
		}
		for _, n := range slices.Sorted(maps.Keys(b.within)) {
			f.Regions = append(f.Regions, Region{Start: at(b.first+n, 5), End: at(b.first+n, 20), Count: b.within[n]})
		}
		functions = append(functions, f)
	}
	return New([]string{"x.c"}, functions)
}

// said is pairs as text: sign, line of the base, line of the test profile, how many.
func said(m *FileMoves) string {
	var list []string
	for _, p := range m.Pairs {
		list = append(list, fmt.Sprintf("%c%d:%d+%d", "=^vAB"[p.Turn], p.Base, p.Test, p.Lines))
	}
	return strings.Join(list, " ")
}

func TestCompareFiles(t *testing.T) {
	f := body{"f", 1, 2, 6, 5, map[uint32]uint64{2: 0}}
	ran := body{"f", 1, 2, 6, 5, map[uint32]uint64{2: 3}}
	g := body{"g", 2, 10, 12, 0, nil}
	edited := body{"g", 3, 10, 14, 1, nil}
	moved := func(b body, by uint32) body {
		b.first, b.last = b.first+by, b.last+by
		return b
	}
	for _, test := range []struct {
		what       string
		base, test *Coverage
		by         Matching
		want       string
	}{
		{
			"the same lines", fileOf(f, g), fileOf(ran, body{"g", 9, 10, 12, 4, nil}), ByNumber,
			"=2:2+1 =3:3+1 =4:4+1 =5:5+2 ^10:10+1 ^11:11+2",
		},
		{
			"lines before", fileOf(f, g), fileOf(moved(ran, 3), moved(g, 3)), ByFunction,
			"=2:5+1 =3:6+1 =4:7+1 =5:8+2 =10:13+1 =11:14+2",
		},
		{
			"an edited function", fileOf(f, g), fileOf(f, edited), ByFunction,
			"=2:2+1 =3:3+1 =4:4+1 =5:5+2 B0:10+1 B0:11+4 A10:0+1 A11:0+2",
		},
		{
			"the order exchanged", fileOf(f, body{"h", 4, 20, 21, 1, nil}), fileOf(body{"h", 4, 1, 2, 0, nil}, moved(f, 30)),
			ByFunction, "v20:1+1 v21:2+1 =2:32+1 =3:33+1 =4:34+1 =5:35+2",
		},
		{
			"one more instance", fileOf(body{"f<int>", 1, 2, 3, 0, nil}),
			fileOf(body{"f<int>", 1, 2, 3, 0, nil}, body{"f<char>", 1, 2, 3, 1, nil}, body{"new", 7, 9, 9, 1, nil}), ByFunction,
			"^2:2+1 ^3:3+1 B0:9+1",
		},
		{
			"the same hash with lines between", fileOf(f), fileOf(body{"f", 1, 2, 7, 5, map[uint32]uint64{3: 3}}), ByFunction,
			"B0:2+1 B0:3+2 B0:5+1 B0:6+2 A2:0+1 A3:0+1 A4:0+1 A5:0+2",
		},
		{
			"instances that disagree", fileOf(body{"f", 1, 2, 3, 1, nil}, body{"f", 1, 2, 3, 1, nil}),
			fileOf(body{"f", 1, 3, 4, 1, nil}, body{"f", 1, 6, 7, 1, nil}), ByFunction,
			"B0:3+1 B0:4+1 B0:6+1 B0:7+1 A2:0+1 A3:0+1",
		},
		{"without the file", fileOf(g), nil, Unmatched, "A10:0+1 A11:0+2"},
		{"only in the test profile", nil, fileOf(g), Unmatched, "B0:10+1 B0:11+2"},
		{
			"2^32 lines", fileOf(body{"f", 1, 1, 1<<32 - 1, 0, nil}), fileOf(body{"f", 1, 1, 1<<32 - 1, 1, nil}), ByNumber,
			"^1:1+1 ^2:2+4294967293 ^4294967295:4294967295+1",
		},
	} {
		m := CompareFiles(test.base, 0, test.test, 0)
		got := said(m)
		if m.Matching != test.by || got != test.want && !sameSpans(got, test.want) {
			t.Errorf("%s, by %d: %s\nwant %s", test.what, m.Matching, got, test.want)
		}
		lines := 0
		for _, p := range m.Pairs {
			lines += p.Lines
		}
		if lines != m.All() {
			t.Errorf("%s: %d lines in pairs, %d counted", test.what, lines, m.All())
		}
	}
}

// sameSpans reports whether two texts say the same of every line; how lines on end are cut
// does not matter.
func sameSpans(a, b string) bool {
	lines := func(text string) string {
		var list []string
		for _, word := range strings.Fields(text) {
			var base, test, n int
			sign := word[:1]
			fmt.Sscanf(word[1:], "%d:%d+%d", &base, &test, &n)
			for i := range n {
				one := sign
				if base > 0 {
					one += fmt.Sprint(base + i)
				}
				if one += ":"; test > 0 {
					one += fmt.Sprint(test + i)
				}
				list = append(list, one)
			}
		}
		return strings.Join(list, " ")
	}
	return lines(a) == lines(b)
}
