package mipdb

import (
	"bytes"
	"context"
	"runtime"
	"slices"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/internal/recovery"
	"proflens/names"
	"proflens/profile/query"
)

// tables is a Machine IR Profile with all that its tables add to it.
type tables struct {
	m          *mip.Profile
	underscore bool
	blocks     []analyze.MIPBlocks // by function
	trees      [2]tree
	byName     []uint32      // indices of the functions
	bySign     []query.Keyed // signature with its top bit turned, index
	twins      mip.Bits      // functions whose signature another has too
	runs       []analyze.MIPRunFigures
	overview   Overview
}

// treesBy are the trees of functions, in the order of their nodes' columns.
var treesBy = [2]query.TreeBy{query.ByPath, query.ByNamespace}

// tree is a finished tree with the totals of its nodes, and the node of each
// function.
type tree struct {
	nodes  []analyze.PathNode
	totals []analyze.MIPTotals
	at     []uint32
}

// newTables computes what the tables hold beside the profile itself. What
// costs most is demangling all names for the tree of namespaces.
func newTables(ctx context.Context, m *mip.Profile) (*tables, error) {
	t := &tables{m: m, underscore: analyze.MIPUnderscored(m.Functions), runs: analyze.MIPRunsOf(m)}
	g, working := recovery.WithContext(ctx)
	g.Go(func() error {
		t.addBlocks()
		t.sortNames()
		t.sortSignatures()
		return working.Err()
	})
	parts := make([][]string, len(m.Functions))
	g.Go(func() error { return t.findScopes(working, parts) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	paths := make([][]string, len(m.Functions))
	for i := range m.Functions {
		path, _ := names.Split(m.Functions[i].Name)
		paths[i] = analyze.PathParts(path)
	}
	t.trees = [2]tree{t.grow(paths), t.grow(parts)}
	t.overview = t.figures()
	return t, ctx.Err()
}

func (t *tables) addBlocks() {
	t.blocks = make([]analyze.MIPBlocks, len(t.m.Functions))
	var spans []analyze.MIPSpan
	for i := range t.m.Functions {
		f := &t.m.Functions[i]
		spans = analyze.MIPSpans(f, t.m.HasBlocks(), spans)
		t.blocks[i] = analyze.MIPBlocksOf(f, spans)
	}
}

func (t *tables) sortNames() {
	t.byName = make([]uint32, len(t.m.Functions))
	for i := range t.byName {
		t.byName[i] = uint32(i)
	}
	slices.SortStableFunc(t.byName, func(a, b uint32) int {
		return bytes.Compare(t.m.Functions[a].Name, t.m.Functions[b].Name)
	})
}

func (t *tables) sortSignatures() {
	items := make([]query.Keyed, len(t.m.Functions))
	for i := range items {
		items[i] = query.Keyed{Key: t.m.Functions[i].Signature ^ 1<<63, ID: uint32(i)} // the signed order of row ids
	}
	t.bySign = items
	if len(items) > 0 {
		t.bySign = query.SortKeyed(items)
	}
	t.twins = mip.NewBits(len(items))
	for i := 1; i < len(t.bySign); i++ {
		if a, b := t.bySign[i-1], t.bySign[i]; a.Key == b.Key {
			t.twins.Set(int(a.ID))
			t.twins.Set(int(b.ID))
		}
	}
}

// withoutUnderscore is the name of a function without Mach-O's underscore.
func withoutUnderscore(name []byte, underscore bool) []byte {
	if underscore {
		return bytes.TrimPrefix(name, []byte{'_'})
	}
	return name
}

// findScopes demangles all names, on every core.
func (t *tables) findScopes(ctx context.Context, parts [][]string) error {
	g, ctx := recovery.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for from := 0; from < len(parts) && ctx.Err() == nil; from += 4096 {
		g.Go(func() error {
			for i := from; i < min(from+4096, len(parts)); i++ {
				if i%64 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				parts[i] = names.Scopes(withoutUnderscore(t.m.Functions[i].Name, t.underscore))
			}
			return nil
		})
	}
	return g.Wait()
}

// grow grows a tree of functions, and adds them up in it.
func (t *tables) grow(parts [][]string) tree {
	var growing analyze.PathTree
	refs := make([]analyze.PathRef, len(parts))
	for i, p := range parts {
		own := analyze.Totals{Functions: 1}
		if t.m.Functions[i].Executed() {
			own.Executed = 1
		}
		refs[i] = growing.AddAt(p, &own)
	}
	nodes, ids := growing.Nodes()
	grown := tree{nodes: nodes, totals: make([]analyze.MIPTotals, len(nodes)), at: make([]uint32, len(parts))}
	for i, ref := range refs {
		at := ids[ref]
		grown.at[i] = uint32(at)
		grown.totals[at].AddFunction(&t.m.Functions[i], &t.blocks[i], t.m.HasCalls())
	}
	for i := len(nodes) - 1; i > 0; i-- { // preorder: what is below comes after
		grown.totals[nodes[i].Parent].Add(&grown.totals[i])
	}
	return grown
}

// figures are those of the whole profile.
func (t *tables) figures() Overview {
	o := Overview{
		ProfileType: t.m.Header.ProfileType, FileType: t.m.Header.FileType, ModuleHash: t.m.Header.ModuleHash,
		Measured: t.m.Measured(), Layout: t.m.Layout, RawAddress: t.m.RawAddress, Underscore: t.underscore,
		MapFile:   t.m.MapFile,
		MIPTotals: t.trees[0].totals[0], Runs: len(t.m.Runs),
	}
	for i := range t.m.Functions {
		f := &t.m.Functions[i]
		o.RemovedBlocks += uint64(t.blocks[i].Removed)
		o.RunsAtLeast = max(o.RunsAtLeast, f.MergeCount)
		if saturated(t.m, f) {
			o.Saturated++
		}
		if f.NameSource == mip.NameNone {
			o.Unnamed++
		}
	}
	return o
}

// saturated reports whether a function's calls are at least so many as are
// counted: one run counts no further than MIPMaxCalls.
func saturated(m *mip.Profile, f *mip.Function) bool {
	return m.HasCalls() && (f.Saturated || f.CallCount >= mip.MaxCalls)
}
