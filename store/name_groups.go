package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"

	"proflens/names"
	"proflens/store/btree"
)

// nameGroups numbers the names of the first records as they read in one mode:
// records with the same number have names that read the same. It is immutable.
type nameGroups struct {
	of     []uint32    // by rank, from rank 1 at index 0
	hashes []shownName // by number
}

func (g *nameGroups) bytes() int64 { return int64(len(g.of))*4 + int64(len(g.hashes))*16 }

// shownName stands for a name as it is shown: 128 bits of it. The names
// themselves would take a hundred bytes each.
type shownName [2]uint64

// shownSeeds keep those who write files from choosing names that collide.
var shownSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func newShownName(text string) (n shownName) {
	for i, seed := range shownSeeds {
		n[i] = maphash.String(seed, text)
	}
	return n
}

// shownNameOf is how a record's name reads in a mode. Records without a name
// differ by their MD5, and from every name.
func shownNameOf(pgo []byte, ref uint64, mode names.Mode) shownName {
	if len(pgo) == 0 {
		return newShownName(string(binary.LittleEndian.AppendUint64([]byte{0}, ref)))
	}
	_, linkage := names.Split(pgo)
	return newShownName(names.Demangle(linkage, mode))
}

// groupScan is the making of nameGroups. It lives in the cache until it is done,
// so that the next query goes on.
type groupScan struct {
	turn    chan struct{} // holds one token: who has it may scan, and use what follows
	numbers map[shownName]uint32

	mu  sync.Mutex // guards what others show meanwhile
	now *nameGroups
}

// nameGroups numbers names as they read in a mode. While not all are, it goes on
// until the time is used up.
func (p *Profile) nameGroups(ctx context.Context, mode names.Mode) (*nameGroups, error) {
	done, scanning := fmt.Sprintf("name groups %q", mode), fmt.Sprintf("name groups scan %q", mode)
	if v, ok := p.cache.peek(cacheKey{p.id, done}); ok {
		return v.(*nameGroups), nil
	}
	v, err := p.cached(ctx, scanning, func() (any, int64, error) {
		s := &groupScan{turn: make(chan struct{}, 1), numbers: map[shownName]uint32{}, now: &nameGroups{}}
		s.turn <- struct{}{}
		return s, min(scanBytes, p.cache.limit/2), nil
	})
	if err != nil {
		return nil, err
	}
	s := v.(*groupScan)
	budget, cancel := context.WithTimeout(ctx, p.budget)
	defer cancel()
	if takeTurn(budget, s.turn) {
		err = p.scanGroups(budget, s, mode)
		s.turn <- struct{}{}
	} // else another is at it: show how far that got
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.now.of) == p.rows {
		p.cache.put(cacheKey{p.id, done}, s.now, s.now.bytes())
		p.cache.drop(cacheKey{p.id, scanning})
	}
	return s.now, nil
}

// scanGroups numbers the names not yet numbered until budget ends, at least one
// batch of them. What it appends to is not seen by those who have an earlier
// state.
func (p *Profile) scanGroups(budget context.Context, s *groupScan, mode names.Mode) error {
	now := *s.now
	for len(now.of) < p.rows {
		from := len(now.of)
		to := min(from+scopeBatch, p.rows)
		batch := make([]shownName, to-from)
		err := p.eachRow(context.Background(), from+1, to, func(row *btree.Row) error {
			name, err := row.Bytes(fnName)
			if err != nil {
				return err
			}
			batch[int(row.ID)-1-from] = shownNameOf(name, row.Uint(fnNameRef), mode)
			return nil
		})
		if err != nil {
			return err
		}
		for _, name := range batch {
			number, ok := s.numbers[name]
			if !ok {
				number = uint32(len(now.hashes))
				s.numbers[name] = number
				now.hashes = append(now.hashes, name)
			}
			now.of = append(now.of, number)
		}
		s.mu.Lock()
		s.now = &nameGroups{now.of, now.hashes}
		s.mu.Unlock()
		if budget.Err() != nil {
			break
		}
	}
	return nil
}

// matchShown finds the records whose name reads like this in a mode, among the
// first scanned.
func (p *Profile) matchShown(ctx context.Context, shown string, mode names.Mode) (matching bitset, scanned int, err error) {
	g, err := p.nameGroups(ctx, mode)
	if err != nil {
		return nil, 0, err
	}
	matching = newBitset(p.rows)
	want := newShownName(shown)
	for number, name := range g.hashes {
		if name != want {
			continue
		}
		for i, of := range g.of {
			if of == uint32(number) {
				matching.set(uint32(i))
			}
		}
	}
	return matching, len(g.of), nil
}
