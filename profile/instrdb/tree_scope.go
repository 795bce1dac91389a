package instrdb

import (
	"context"
	"errors"

	"proflens/analyze"
	"proflens/internal/parallel"
	"proflens/names"
	"proflens/profile/query"
	"proflens/profile/stored"
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
		first := &scopes{
			tree: &query.Tree{By: query.ByNamespace, All: p.all, Complete: !p.Storing() && p.rows == 0, Nodes: noNodes,
				Total: p.total}, rows: p.rows,
		}
		return first, adding.grow, nil
	})
}

// addingScopes is the making of that tree.
type addingScopes struct {
	p    *Profile
	tree analyze.PathTree
	refs []analyze.PathRef
}

// errBudget ends the making for now.
var errBudget = errors.New("the time is used up")

// grow adds the records not yet added until budget ends, at least one batch of them.
// Names are demangled on every core, and added up on one.
func (a *addingScopes) grow(budget context.Context, show func(now *scopes)) error {
	rows, from := a.p.rows, len(a.refs)
	err := parallel.Each(context.WithoutCancel(budget), (rows-from+demangleBatch-1)/demangleBatch,
		func(_ context.Context, i int, old scoped) (scoped, error) {
			first := from + i*demangleBatch
			err := a.p.readScoped(first, min(first+demangleBatch, rows), &old)
			return old, err
		}, func(batch scoped) error {
			a.add(&batch)
			stored.Report(budget, "Demangling names", len(a.refs), rows)
			if budget.Err() != nil {
				return errBudget
			}
			return nil
		})
	if err != nil && err != errBudget {
		return err
	}
	nodes, ids := a.tree.Nodes()
	now := &scopes{
		tree: &query.Tree{
			By: query.ByNamespace, All: a.p.all, Scanned: len(a.refs), Complete: !a.p.Storing() && len(a.refs) == rows,
			Crowded: a.tree.Crowded(),
			Nodes:   nodes, Total: a.p.total,
		},
		at: make([]uint32, len(a.refs)), rows: rows,
	}
	for i, ref := range a.refs {
		now.at[i] = uint32(ids[ref])
	}
	show(now)
	return nil
}

// scoped are some records.
type scoped struct {
	keys   []byte // the scopes of all, see [names.AppendScopes]
	ends   []int  // of each record's in keys
	totals []analyze.Totals
}

// readScoped reads rows from to to, counted from 0.
func (p *Profile) readScoped(from, to int, s *scoped) error {
	s.keys, s.ends, s.totals = s.keys[:0], s.ends[:0], s.totals[:0]
	c, next := p.function.Cursor(), stored.Find
	for id := from + 1; id <= to; id++ {
		row, err := next(c, id)
		if err != nil {
			return err
		}
		st := stats(row)
		s.keys = names.AppendScopes(s.keys, row.Bytes(fnName))
		if err := row.Err(); err != nil {
			return err
		}
		s.ends, s.totals = append(s.ends, len(s.keys)), append(s.totals, analyze.TotalsOf(&st))
		next = stored.Next
	}
	return nil
}

func (a *addingScopes) add(s *scoped) {
	start := 0
	for i, end := range s.ends {
		ref := a.tree.AtKey(s.keys[start:end])
		a.tree.AddTo(ref, &s.totals[i])
		a.refs, start = append(a.refs, ref), end
	}
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
