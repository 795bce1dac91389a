package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestAddAt(t *testing.T) {
	var tree PathTree
	a := tree.AddAt([]string{"llvm", "detail"}, &Totals{
		Functions: 2, Executed: 1, Counters: 5, Zero: 3, Total: Sum{Lo: 9},
	})
	b := tree.AddAt([]string{"llvm"}, &Totals{Functions: 1, Counters: 1, Zero: 1})
	none := tree.AddAt(nil, &Totals{Functions: 1})
	nodes, ids := tree.Nodes()
	if len(nodes) != 4 || nodes[0].Functions != 4 || nodes[ids[b]].Functions != 3 || nodes[ids[a]].Executed != 1 ||
		!nodes[ids[none]].NoPath {
		t.Errorf("%+v, %v", nodes, ids)
	}
	if tree.Crowded() {
		t.Error("a tree of four nodes is full")
	}
}

// A hostile file cannot make the tree grow without end, and nothing is lost.
func TestAddAtCrowded(t *testing.T) {
	var tree PathTree
	big := strings.Repeat("x", 1<<20)
	for i := range 40 {
		tree.AddAt([]string{"a", fmt.Sprint(i, big)}, &Totals{Functions: 1})
	}
	nodes, _ := tree.Nodes()
	if !tree.Crowded() || nodes[0].Functions != 40 || nodes[1].Functions != 40 || len(nodes) >= 40 {
		t.Errorf("crowded %v, %d nodes, %d functions", tree.Crowded(), len(nodes), nodes[0].Functions)
	}
}

func TestPathParts(t *testing.T) {
	for path, want := range map[string][]string{
		"":               nil,
		"a.c":            {"a.c"},
		"/usr//x/./a.c/": {"/", "usr", "x", "a.c"},
		`C:\x\y.cc`:      {"C:", "x", "y.cc"},
		"/":              {"/"},
		".":              {"."},
	} {
		if got := PathParts(path); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestRewrite(t *testing.T) {
	rules, err := ParseRewrites([]string{"/home/alice/src/=src", `D:\b=`, "x=x", "/=root"})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/home/alice/src/lib/a.c": "src/lib/a.c",
		"/home/alice/src":         "src",
		"/home/alice/srcs/a.c":    "root/home/alice/srcs/a.c",
		`D:\b\a.c`:                "a.c",
		`D:\b`:                    "D:/b",
		"x/a.c":                   "x/a.c",
		"y/a.c":                   "y/a.c",
		"/":                       "root",
	} {
		if got := RewritePath(rules, CleanPath(path)); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	for _, wrong := range []string{"x", "=x", "", strings.Repeat("x", 2000) + "=y"} {
		if _, err := ParseRewrites([]string{wrong}); err == nil {
			t.Errorf("%.20q is taken for a rule", wrong)
		}
	}
	if _, err := ParseRewrites(slices.Repeat([]string{"a=b"}, 17)); err == nil {
		t.Error("17 rules are taken")
	}
}

func TestTotalsSub(t *testing.T) {
	whole := Totals{Functions: 5, Executed: 3, Counters: 9, Zero: 4, Total: Sum{Hi: 1, Lo: 2}}
	whole.Sub(&Totals{Functions: 2, Executed: 1, Counters: 4, Zero: 2, Total: Sum{Lo: 3}})
	if want := (Totals{3, 2, 5, 2, Sum{Lo: 1<<64 - 1}}); whole != want {
		t.Errorf("%+v, want %+v", whole, want)
	}
}
