package instrdb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/internal/recovery"
	"proflens/names"
	"proflens/profile/instrdb/collected"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// tables is a profile with all that its tables add to it.
type tables struct {
	*collected.Collection
	overview *Overview
	ranking                    // of a preview the first ranks only
	places                     // of a preview none
	extra    []collected.Named // names without a record
	nodes    []analyze.PathNode
}

// A preview holds previewRows rows, and is written from previewFrom records on.
const (
	previewRows = 1000
	previewFrom = 50_000
)

// prepare reads the records, ranks them and grows the path tree; beside that it
// makes the overview and writes the preview.
func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	src := in.Records.(instrprof.Source)
	info := *src.Info()
	info.Info = in.Profile.Info
	c, err := collected.Read(ctx, src, &info, func(done, total uint64) { in.Progress(stored.Reading, done, total) })
	if err != nil {
		return nil, err
	}
	in.Progress(stored.Indexing, 0, 0)
	t := &tables{Collection: c}
	g, ctx := recovery.WithContext(ctx)
	g.Go(func() error {
		t.overview = overview(c)
		if in.Preview == nil || c.Len() < previewFrom {
			return nil
		}
		// Of the tree and the names without a record it has none: it must be quick.
		return in.Preview(&tables{Collection: c, overview: t.overview, ranking: rank(c, top(c, previewRows))})
	})
	g.Go(func() error {
		var err error
		if t.extra, err = c.Unrecorded(ctx, src); err != nil {
			return err
		}
		if t.places, err = placesOf(ctx, c, in.Profile, in.Others); err != nil {
			return err
		}
		t.nodes = t.paths()
		t.ranking = rank(c, query.All(c.Len())) // last, since it takes every core
		return ctx.Err()
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	t.overview.Placed, t.overview.Beside = t.placed, t.beside
	return t, nil
}

// paths are the nodes of the tree of file paths: of files that are known, and of those in
// names.
func (t *tables) paths() []analyze.PathNode {
	var tree analyze.PathTree
	for i := range uint32(t.Len()) {
		r := t.At(i)
		path, _ := names.Cut(t.NameOf(r))
		if at := t.places.of(i); at.file > 0 {
			path = []byte(t.files[at.file-1])
		}
		stats := r.Stats()
		tree.Add(path, &stats)
	}
	nodes, _ := tree.Nodes()
	return nodes
}

// Findings implements [stored.Prepared].
func (t *tables) Findings() []model.Finding {
	return slices.Concat(t.Sums.Findings, t.places.findings)
}

// Figures implements [stored.Prepared].
func (t *tables) Figures() stored.Counts {
	return stored.Counts{
		Functions: t.overview.Functions, Total: t.overview.Total.String(), Magnitudes: &t.overview.Histogram,
	}
}

// EachName implements [stored.Namer].
func (t *tables) EachName(visit func(pgo []byte)) {
	for i := range uint32(t.Len()) {
		visit(t.NameOf(t.At(i)))
	}
	for _, extra := range t.extra {
		visit(extra.Name)
	}
}

// SourceFiles implements [stored.Sourced].
func (t *tables) SourceFiles() []string { return t.places.files }
