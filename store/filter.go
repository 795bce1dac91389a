package store

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"proflens/analyze"
	"proflens/names"
	"proflens/store/btree"
)

// bitset is a set of ranks, rank 1 as bit 0.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (b bitset) set(i uint32) { b[i/64] |= 1 << (i % 64) }

func (b bitset) has(i uint32) bool { return b[i/64]>>(i%64)&1 != 0 }

func (b bitset) count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}

// ids lists the members, rising.
func (b bitset) ids() []uint32 {
	ids := make([]uint32, 0, b.count())
	for i, word := range b {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, uint32(i*64+bits.TrailingZeros64(word)))
		}
	}
	return ids
}

// hasNumbers reports whether a query filters by anything but names.
func (q *FunctionQuery) hasNumbers() bool {
	return len(q.Classes) > 0 || q.Executed != nil || q.CS != nil || len(q.Quality) > 0 || len(q.Ranges) > 0
}

// hasNames reports whether a query filters by names.
func (q *FunctionQuery) hasNames() bool { return q.hasPatterns() || q.Scope != "" || q.Named != "" }

// hasPatterns reports whether a query filters by the bytes of names.
func (q *FunctionQuery) hasPatterns() bool { return q.Text != "" || q.Regexp != "" || q.Path != "" }

// namesKey and filterKey tell filters apart in the cache.
func (q *FunctionQuery) namesKey() string {
	if q.Path == "" {
		return fmt.Sprintf("names %q %q", q.Text, q.Regexp)
	}
	return fmt.Sprintf("names %q %q %q %q", q.Text, q.Regexp, q.Path, q.Rewrite)
}

func (q *FunctionQuery) filterKey() string {
	var b strings.Builder
	b.WriteString(q.namesKey())
	if q.Scope != "" {
		fmt.Fprintf(&b, " scope %q", q.Scope)
	}
	if q.Named != "" {
		fmt.Fprintf(&b, " named %q %q", q.Named, q.Mode)
	}
	for _, c := range classes {
		if slices.Contains(q.Classes, c) {
			fmt.Fprintf(&b, " class %q", c)
		}
	}
	if q.Executed != nil {
		fmt.Fprint(&b, " executed ", *q.Executed)
	}
	if q.CS != nil {
		fmt.Fprint(&b, " cs ", *q.CS)
	}
	for _, w := range q.Quality {
		fmt.Fprintf(&b, " quality %q", w)
	}
	for _, r := range q.Ranges {
		fmt.Fprint(&b, " ", strconv.Quote(string(r.Column)), " ", r.Min, " ", r.Max)
	}
	return b.String()
}

// matchNumbers finds the rows that pass the filters by anything but names.
func (p *Profile) matchNumbers(ctx context.Context, q *FunctionQuery) (bitset, error) {
	tests, err := p.numberTests(ctx, q)
	if err != nil {
		return nil, err
	}
	matching := newBitset(p.rows)
rows:
	for i := range uint32(p.rows) {
		for _, test := range tests {
			if !test(i) {
				continue rows
			}
		}
		matching.set(i)
	}
	return matching, nil
}

// numberTests makes a test of each filter.
func (p *Profile) numberTests(ctx context.Context, q *FunctionQuery) ([]func(i uint32) bool, error) {
	ids := []columnID{traitsColumn}
	for _, r := range q.Ranges {
		need, err := columnsOf(r.Column)
		if err != nil {
			return nil, err
		}
		if r.Column == ColName {
			return nil, &ColumnError{r.Column}
		}
		ids = append(ids, need...)
	}
	columns, err := p.columns(ctx, ids...)
	if err != nil {
		return nil, err
	}
	traits := columns[traitsColumn]
	var tests []func(i uint32) bool
	if len(q.Classes) > 0 {
		var wanted [len(classes)]bool
		for i, c := range classes {
			wanted[i] = slices.Contains(q.Classes, c)
		}
		tests = append(tests, func(i uint32) bool { return wanted[traits.at(i)&traitClass] })
	}
	if q.Executed != nil {
		tests = append(tests, func(i uint32) bool { return traits.at(i)&traitExecuted != 0 == *q.Executed })
	}
	if q.CS != nil {
		tests = append(tests, func(i uint32) bool { return traits.at(i)&traitCS != 0 == *q.CS })
	}
	if len(q.Quality) > 0 {
		test, err := p.qualityTest(ctx, q.Quality, traits)
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	for _, r := range q.Ranges {
		tests = append(tests, p.rangeTest(r, columns))
	}
	return tests, nil
}

// rangeTest tests one column. A total above 2^64 lies in a range that has no
// upper end, which is what the largest uint64 says.
func (p *Profile) rangeTest(r Range, columns map[columnID]*column) func(i uint32) bool {
	switch r.Column {
	case ColRank:
		return func(i uint32) bool { return uint64(i)+1 >= r.Min && uint64(i)+1 <= r.Max }
	case ColTotal:
		low, high := columns[totalColumn], columns[totalHighColumn]
		return func(i uint32) bool {
			if high.at(i) != 0 {
				return r.Max == 1<<64-1
			}
			return low.at(i) >= r.Min && low.at(i) <= r.Max
		}
	}
	c := columns[sortColumn[r.Column]]
	return func(i uint32) bool { return c.at(i) >= r.Min && c.at(i) <= r.Max }
}

// nameFilter is the state of a filter by name: how far it has looked, and what
// it found. It lives in the cache, so that the next query goes on.
type nameFilter struct {
	matcher *names.Matcher // nil matches all
	path    pathPrefix

	turn     chan struct{} // holds one token: who has it may scan
	mu       sync.Mutex    // guards what follows
	matching bitset
	scanned  int // ranks looked at, from the first
}

// nameBudget is how long a query looks for names before it answers with what
// it has.
const nameBudget = 2 * time.Second

// nameBatch is how many rows are looked at between two looks at the clock; a
// multiple of 64, so that batches share no word of a bitset.
const nameBatch = 8192

// matchNames goes on with a filter by name until it is complete or the time is
// used up. It returns a copy of what matches among the first scanned rows.
func (p *Profile) matchNames(ctx context.Context, q *FunctionQuery) (matching bitset, scanned int, err error) {
	for _, filter := range []struct {
		given bool
		match func() (bitset, int, error)
	}{
		{q.hasPatterns(), func() (bitset, int, error) { return p.matchPatterns(ctx, q) }},
		{q.Scope != "", func() (bitset, int, error) { return p.matchScope(ctx, q.Scope) }},
		{q.Named != "", func() (bitset, int, error) { return p.matchShown(ctx, q.Named, q.Mode) }},
	} {
		if !filter.given {
			continue
		}
		found, looked, err := filter.match()
		if err != nil {
			return nil, 0, err
		}
		if matching == nil {
			matching, scanned = found, looked
			continue
		}
		for i := range matching {
			matching[i] &= found[i]
		}
		scanned = min(scanned, looked)
	}
	return matching, scanned, nil
}

// matchPatterns is matchNames for what the bytes of a name decide.
func (p *Profile) matchPatterns(ctx context.Context, q *FunctionQuery) (matching bitset, scanned int, err error) {
	v, err := p.cached(ctx, q.namesKey(), func() (any, int64, error) {
		f := &nameFilter{path: newPathPrefix(q.Path, q.Rewrite), turn: make(chan struct{}, 1), matching: newBitset(p.rows)}
		if q.Text != "" || q.Regexp != "" {
			var err error
			if f.matcher, err = names.NewMatcher(q.Text, q.Regexp); err != nil {
				return nil, 0, err
			}
		}
		f.turn <- struct{}{}
		return f, int64(len(f.matching))*8 + 1024, nil
	})
	if err != nil {
		return nil, 0, err
	}
	f := v.(*nameFilter)
	return p.goOn(ctx, f, p.rows, func(from, to int, found bitset) error { return p.eachBatch(from, to, found, f.match) })
}

// goOn looks on with a filter over so many rows, batch after batch, until it is
// complete or the time is used up.
func (p *Profile) goOn(ctx context.Context, f *nameFilter, rows int, batch func(from, to int, found bitset) error) (matching bitset, scanned int, err error) {
	budget, cancel := context.WithTimeout(ctx, p.budget)
	defer cancel()
	if takeTurn(budget, f.turn) {
		err = scanNames(budget, f, rows, batch)
		f.turn <- struct{}{}
	} // else another is at it: show how far that got
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, 0, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.matching), f.scanned, nil
}

// takeTurn takes the turn to scan, waiting for it until ctx ends.
func takeTurn(ctx context.Context, turn chan struct{}) bool {
	select {
	case <-turn:
		return true
	default:
	}
	select {
	case <-turn:
		return true
	case <-ctx.Done():
		return false
	}
}

// scanNames looks at the names not yet looked at until budget ends, at least at
// one batch.
func scanNames(budget context.Context, f *nameFilter, rows int, batch func(from, to int, found bitset) error) error {
	for f.scanned < rows {
		from := f.scanned
		to := min(from+nameBatch, rows)
		found := newBitset(to - from)
		err := batch(from, to, found)
		if err != nil {
			return err
		}
		f.mu.Lock()
		copy(f.matching[from/64:], found)
		f.scanned = to
		f.mu.Unlock()
		if budget.Err() != nil {
			return nil
		}
	}
	return nil
}

// eachBatch matches the names of rows from to to, counted from 0, into found.
func (p *Profile) eachBatch(from, to int, found bitset, match func(name []byte) bool) error {
	var mu sync.Mutex
	return p.eachRow(context.Background(), from+1, to, func(row *btree.Row) error {
		name, err := row.Bytes(fnName)
		if err != nil {
			return err
		}
		if match(name) {
			mu.Lock()
			found.set(uint32(int(row.ID) - 1 - from))
			mu.Unlock()
		}
		return nil
	})
}

// match reports whether a name passes.
func (f *nameFilter) match(name []byte) bool {
	return f.path.match(name) && (f.matcher == nil || f.matcher.Match(name))
}

// sumOf adds up the totals of rows.
func sumOf(ids []uint32, low, high *column) (total analyze.Sum) {
	for _, i := range ids {
		total.AddSum(analyze.Sum{Hi: high.at(i), Lo: low.at(i)})
	}
	return total
}
