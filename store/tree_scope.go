package store

import (
	"context"
	"errors"
	"strings"
	"sync"

	"proflens/analyze"
	"proflens/names"
	"proflens/store/btree"
)

// scopes is the tree of namespaces as far as it is made, and where in it the
// first records stand.
type scopes struct {
	tree *Tree
	at   []uint32 // node of each record by rank, from rank 1 at index 0; tree.Scanned of them
}

// scopeScan is the making of that tree. It lives in the cache until it is done,
// so that the next query goes on.
type scopeScan struct {
	turn   chan struct{} // holds one token: who has it may scan, and use what follows
	adding analyze.PathTree
	refs   []analyze.PathRef

	mu  sync.Mutex // guards what others show meanwhile
	now *scopes
}

// scanBytes is what the cache counts for a scan: as much as a full tree takes.
const scanBytes = 64 << 20

// scopes returns the tree of namespaces. While it is not complete, it is made
// further until the time is used up.
func (p *Profile) scopes(ctx context.Context) (*scopes, error) {
	const done, scanning = "scopes", "scopes scan"
	if v, ok := p.cache.peek(cacheKey{p.id, done}); ok {
		return v.(*scopes), nil
	}
	v, err := p.cached(ctx, scanning, func() (any, int64, error) {
		s := &scopeScan{turn: make(chan struct{}, 1), now: &scopes{tree: p.scopeTree(nil)}}
		s.turn <- struct{}{}
		return s, min(scanBytes, p.cache.limit/2), nil
	})
	if err != nil {
		return nil, err
	}
	s := v.(*scopeScan)
	budget, cancel := context.WithTimeout(ctx, p.budget)
	defer cancel()
	if takeTurn(budget, s.turn) {
		err = p.scanScopes(budget, s)
		s.turn <- struct{}{}
	} // else another is at it: show how far that got
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now.tree.Scanned == p.rows {
		p.cache.put(cacheKey{p.id, done}, s.now, treeBytes(s.now.tree.nodes)+4*int64(len(s.now.at)))
		p.cache.drop(cacheKey{p.id, scanning})
	}
	return s.now, nil
}

// scopeTree is a tree of namespaces with these nodes, or none yet.
func (p *Profile) scopeTree(nodes []analyze.PathNode) *Tree {
	if nodes == nil {
		nodes = []analyze.PathNode{{Parent: -1}}
	}
	return &Tree{By: ByNamespace, All: p.all, nodes: nodes, total: p.total}
}

// scanScopes adds the records not yet added until budget ends, at least one
// batch of them.
func (p *Profile) scanScopes(budget context.Context, s *scopeScan) error {
	if len(s.refs) == p.rows && s.now.tree.Complete {
		return nil
	}
	for len(s.refs) < p.rows {
		from := len(s.refs)
		if err := p.scanScopeBatch(s, from, min(from+scopeBatch, p.rows)); err != nil {
			return err
		}
		if budget.Err() != nil {
			break
		}
	}
	nodes, ids := s.adding.Nodes()
	now := &scopes{tree: p.scopeTree(nodes), at: make([]uint32, len(s.refs))}
	now.tree.Scanned, now.tree.Crowded = len(s.refs), s.adding.Crowded()
	now.tree.Complete = !p.storing && len(s.refs) == p.rows
	for i, ref := range s.refs {
		now.at[i] = uint32(ids[ref])
	}
	s.mu.Lock()
	s.now = now
	s.mu.Unlock()
	return nil
}

// scopeBatch is how many records are demangled between two looks at the clock:
// few, since hostile names take long.
const scopeBatch = 2048

// scanScopeBatch adds rows from to to, counted from 0. Demangling is done on
// every core, adding up on one.
func (p *Profile) scanScopeBatch(s *scopeScan, from, to int) error {
	type found struct {
		scopes []string
		totals analyze.Totals
	}
	batch := make([]found, to-from)
	err := p.eachRow(context.Background(), from+1, to, func(row *btree.Row) error {
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
		s.refs = append(s.refs, s.adding.AddAt(batch[i].scopes, &batch[i].totals))
	}
	return nil
}

// matchScope finds the records of a scope among the first scanned.
func (p *Profile) matchScope(ctx context.Context, scope string) (matching bitset, scanned int, err error) {
	s, err := p.scopes(ctx)
	if err != nil {
		return nil, 0, err
	}
	matching = newBitset(p.rows)
	node, _, ok := s.tree.Find(scope)
	if !ok {
		return matching, s.tree.Scanned, nil
	}
	first, last := uint32(node.at), uint32(s.tree.nodes[node.at].Last)
	if strings.HasSuffix(scope, scopeSeparator) {
		last = first
	}
	for i, at := range s.at {
		if first <= at && at <= last {
			matching.set(uint32(i))
		}
	}
	return matching, s.tree.Scanned, nil
}
