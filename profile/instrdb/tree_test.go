package instrdb_test

import (
	"slices"
	"testing"

	"proflens/profile/instrdb"
	"proflens/profile/profiletest"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/query"
)

// walkTree calls visit for every node below one.
func walkTree(t *query.Tree, of query.TreeNode, visit func(parent, node query.TreeNode)) {
	for _, child := range t.Children(of) {
		visit(of, child)
		walkTree(t, child, visit)
	}
}

// holdTree checks a tree against the function table: each node has the figures
// of the functions that its filter selects, and of all that is below it.
func holdTree(t *testing.T, p *instrdb.Profile, tree *query.Tree, rules []analyze.Rewrite) (nodes int) {
	t.Helper()
	root := tree.Root()
	if root.Functions != uint64(p.Overview.Functions) || root.Total != p.Overview.Total {
		t.Errorf("%s: the root has %+v, the profile %d, %v", tree.By, root.Totals, p.Overview.Functions, p.Overview.Total)
	}
	sums := map[string]analyze.Totals{}
	yes := true
	walkTree(tree, root, func(parent, n query.TreeNode) {
		nodes++
		below := sums[parent.Path]
		below.Functions += n.Functions
		below.Zero += n.Zero
		below.Total.AddSum(n.Total)
		sums[parent.Path] = below
		if n.Filter == "" {
			t.Errorf("%s: %+v cannot be selected", tree.By, n)
			return
		}
		q := instrdb.Query{Names: query.Names{Path: n.Filter, Rewrite: rules}}
		if tree.By == query.ByNamespace {
			q = instrdb.Query{Scope: n.Filter}
		}
		page, err := p.Functions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Executed = &yes
		executed, err := p.Functions(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if uint64(page.Matching) != n.Functions || page.MatchingTotal != n.Total || uint64(executed.Matching) != n.Executed {
			t.Errorf("%s: %q: %d functions, %d executed, total %v; the node has %+v", tree.By, n.Filter,
				page.Matching, executed.Matching, page.MatchingTotal, n.Totals)
		}
		if n.Kind == query.Branch || n.Kind == query.Leaf {
			if found, _, ok := tree.Find(n.Path); !ok || found.Totals != n.Totals {
				t.Errorf("%s: %q is not found", tree.By, n.Path)
			}
		}
	})
	for path, sum := range sums {
		node, _, _ := tree.Find(path)
		if sum.Functions != node.Functions || sum.Zero != node.Zero || sum.Total != node.Total {
			t.Errorf("%s: below %q is %+v, the node has %+v", tree.By, path, sum, node.Totals)
		}
	}
	return nodes
}

func TestTrees(t *testing.T) {
	extra := &synthetic{info: instrprof.Info{Variant: instrprof.IRProf}}
	for i, name := range []string{
		"a.c;f", "a.cc;f", `b\c.c;f`, "./b//d.c;f", "/usr/x.c;f", "/usr/x.cc:f", "x/y/z/only.c;f", "f", "", "\xff/\xfe.c;g",
		"_ZN1a1b1c1dEv", "_ZN1a1b1eEv", "_ZN2aa1fEv", "a.c;_ZN12_GLOBAL__N_11fEv", "_ZN1a1fEv", `"><script>.c;x`,
	} {
		extra.functions = append(extra.functions, instrprof.Function{
			Name: []byte(name), NameRef: refOf([]byte(name)), Counters: []uint64{uint64(i % 3), 0},
		})
	}
	rules, err := analyze.ParseRewrites([]string{"src=lib", "/usr=", `b=src`})
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []*synthetic{extra, typical(1000, 31), awkward(300, 32), {}} {
		p := openSource(t, src)
		for _, rules := range [][]analyze.Rewrite{nil, rules} {
			tree, err := p.Tree(t.Context(), query.ByPath, rules)
			if err != nil || !tree.Complete {
				t.Fatal(err, tree)
			}
			holdTree(t, p, tree, rules)
		}
		tree, err := p.Tree(t.Context(), query.ByNamespace, nil)
		if err != nil || !tree.Complete || tree.Scanned != len(src.functions) {
			t.Fatal(err, tree)
		}
		if n := holdTree(t, p, tree, nil); src == extra && n != 8 {
			t.Errorf("%d namespaces", n)
		}
	}
}

func TestTreeFolds(t *testing.T) {
	src := &synthetic{}
	for _, name := range []string{"x/y/z/a.c;f", "x/y/z/b.c;f", "solo/deep/a.c;f", "main"} {
		src.functions = append(src.functions, instrprof.Function{
			Name: []byte(name), NameRef: refOf([]byte(name)), Counters: []uint64{1},
		})
	}
	tree, err := openSource(t, src).Tree(t.Context(), query.ByPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, n := range tree.Children(tree.Root()) {
		list = append(list, string(n.Kind)+" "+n.Name+" "+n.Filter)
	}
	if want := []string{"branch x/y/z x/y/z/", "leaf solo/deep/a.c solo/deep/a.c;", "none  ;"}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
	node, above, ok := tree.Find("./x//y/")
	if !ok || node.Path != "x/y" || len(above) != 1 || above[0].Path != "x" {
		t.Errorf("%+v below %+v, %v", node, above, ok)
	}
	for _, wrong := range []string{"x/q", "y", "x/y/z/a", "/"} {
		if _, _, ok := tree.Find(wrong); ok {
			t.Errorf("%q is found", wrong)
		}
	}
}

// A tree of namespaces is made in pieces, and each says how far it is.
func TestScopesGoOn(t *testing.T) {
	src := typical(3*instrdb.DemangleBatch, 33)
	p := openSource(t, src)
	p.Budget = 0
	page, err := p.Functions(t.Context(), instrdb.Query{Scope: "llvm"})
	if err != nil || page.Complete || page.Scanned != instrdb.DemangleBatch || page.Matching != instrdb.DemangleBatch {
		t.Fatal(err, page)
	}
	for step := 2; step <= 3; step++ {
		tree, err := p.Tree(t.Context(), query.ByNamespace, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Scanned != step*instrdb.DemangleBatch || tree.Complete != (step == 3) ||
			tree.Root().Functions != uint64(tree.Scanned) {
			t.Errorf("ask %d: %d scanned, complete %v, %d functions", step, tree.Scanned, tree.Complete, tree.Root().Functions)
		}
	}
	q := instrdb.Query{Names: query.Names{Text: "manager"}, Scope: "llvm"}
	if page, err = p.Functions(t.Context(), q); err != nil || !page.Complete {
		t.Fatal(err, page)
	}
	all, err := p.Functions(t.Context(), instrdb.Query{Names: query.Names{Text: q.Text}})
	if err != nil || all.Matching != page.Matching || all.Matching == 0 {
		t.Errorf("%v: %d of %d", err, page.Matching, all.Matching)
	}
}

func BenchmarkScopeTree(b *testing.B) {
	path := profiletest.Path(b, partOf(typical(100_000, 34)))
	for b.Loop() {
		p := of(b, profiletest.At(b, path))
		tree, err := p.Tree(b.Context(), query.ByNamespace, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(tree.Scanned), "scanned")
	}
}
