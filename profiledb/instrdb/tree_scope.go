package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/names"
	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// scopes is the tree of namespaces as far as it is made, and where in it the
// first records stand. It is immutable.
type scopes struct {
	tree *query.Tree
	at   []uint32 // node of each record by rank, from rank 1 at index 0; tree.Scanned of them
	rows int
}

// Bytes implements [stored.Growing].
func (s *scopes) Bytes() int64 { return s.tree.Bytes() + 4*int64(len(s.at)) }

// Whole implements [stored.Growing].
func (s *scopes) Whole() bool { return len(s.at) == s.rows }

// scopes is the tree of namespaces, as far as it gets.
func (p *Profile) scopes(ctx context.Context) (*scopes, error) {
	return stored.Grown(ctx, p.Profile, "scopes", func() (*scopes, func(context.Context, func(*scopes)) error, error) {
		adding := &addingScopes{p: p}
		first := &scopes{tree: &query.Tree{By: query.ByNamespace, All: p.all, Complete: !p.Storing() && p.rows == 0, Nodes: noNodes, Total: p.total}, rows: p.rows}
		return first, adding.grow, nil
	})
}

// addingScopes is the making of that tree.
type addingScopes struct {
	p    *Profile
	tree analyze.PathTree
	refs []analyze.PathRef
}

// grow adds the records not yet added until budget ends, at least one batch of
// them.
func (a *addingScopes) grow(budget context.Context, show func(now *scopes)) error {
	rows := a.p.rows
	for len(a.refs) < rows {
		from := len(a.refs)
		if err := a.add(from, min(from+demangleBatch, rows)); err != nil {
			return err
		}
		stored.Report(budget, "Demangling names", len(a.refs), rows)
		if budget.Err() != nil {
			break
		}
	}
	nodes, ids := a.tree.Nodes()
	now := &scopes{
		tree: &query.Tree{
			By: query.ByNamespace, All: a.p.all, Scanned: len(a.refs), Complete: !a.p.Storing() && len(a.refs) == rows, Crowded: a.tree.Crowded(),
			Nodes: nodes, Total: a.p.total,
		},
		at: make([]uint32, len(a.refs)), rows: rows,
	}
	for i, ref := range a.refs {
		now.at[i] = uint32(ids[ref])
	}
	show(now)
	return nil
}

// add adds rows from to to, counted from 0. Demangling is done on every core,
// adding up on one.
func (a *addingScopes) add(from, to int) error {
	type found struct {
		scopes []string
		totals analyze.Totals
	}
	batch := make([]found, to-from)
	err := a.p.eachRow(context.Background(), from+1, to, func(row *btree.Row) error {
		name, err := row.Bytes(fnName)
		if err != nil {
			return err
		}
		st := stats(row)
		batch[int(row.ID)-1-from] = found{names.Scopes(name), analyze.TotalsOf(&st)}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range batch {
		a.refs = append(a.refs, a.tree.AddAt(batch[i].scopes, &batch[i].totals))
	}
	return nil
}

// matchScope finds the records of a scope among the first scanned.
func (p *Profile) matchScope(ctx context.Context, scope string) (*query.Found, error) {
	s, err := p.scopes(ctx)
	if err != nil {
		return nil, err
	}
	within := s.tree.Within(scope)
	return query.FoundBy(p.rows, len(s.at), func(i uint32) bool { return within(s.at[i]) }), nil
}
