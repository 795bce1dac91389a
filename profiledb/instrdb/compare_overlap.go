package instrdb

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/panics"
	"proflens/profiledb/btree"
	"proflens/profiledb/stored"
)

// Overlap is what llvm-profdata overlap computes of the two profiles; with cs
// what it computes with --cs, which differs for IR profiles only.
//
// llvm-profdata adds up the records of one sort, plain or context-sensitive,
// and then scores all of them. So the overlap of a profile that has both can
// pass 1. Score is that of the records alone that were added up.
type Overlap struct {
	analyze.Overlap
	Score float64
}

// Overlap is the overlap of the two profiles.
func (c *Comparison) Overlap(ctx context.Context, cs bool) (*Overlap, error) {
	return stored.Cached(ctx, c.Base.Profile, fmt.Sprintf("overlap %v %s", cs, c.Test.ID()), func() (*Overlap, int64, error) {
		o, err := c.pairing.overlap(ctx, c.Base, c.Test, cs, false)
		return o, 512, err
	})
}

// chunkRows is how many ranks are added up apart. Sums of doubles depend on
// their order, so each chunk is one goroutine's and chunks are added in order:
// the same profiles always give the same figures.
const chunkRows = 4096

// eachChunk visits ranks from 1 to rows in chunks, on every core. what is done is said to who waits.
func eachChunk(ctx context.Context, what string, rows int, visit func(chunk, first, last int) error) error {
	g, within := panics.WithContext(ctx)
	var done atomic.Int64
	g.SetLimit(runtime.GOMAXPROCS(0))
	for chunk := range chunksOf(rows) {
		g.Go(func() error {
			if err := within.Err(); err != nil {
				return err
			}
			stored.Report(ctx, what, min(int(done.Add(chunkRows)), rows), rows)
			return visit(chunk, chunk*chunkRows+1, min((chunk+1)*chunkRows, rows))
		})
	}
	return g.Wait()
}

func chunksOf(rows int) int { return (rows + chunkRows - 1) / chunkRows }

// recordReader reads counters and value sites of records into one Function
// that it reuses.
type recordReader struct {
	p                *Profile
	functions, sites *btree.Cursor
	f                instrprof.Function
	cs               bool
}

func (p *Profile) records() *recordReader {
	return &recordReader{p: p, functions: p.function.Cursor(), sites: p.valueSite.Cursor()}
}

// at reads the record of a rank. Reading in the order of ranks is quickest.
func (r *recordReader) at(rank int) (*instrprof.Function, error) {
	row, err := stored.Find(r.functions, rank)
	if err != nil {
		return nil, err
	}
	r.f.NameRef, r.f.FuncHash, r.cs = row.Uint(fnNameRef), row.Uint(fnFuncHash), row.Int(fnCS) != 0
	r.f.Repeats = row.Uint(fnRepeats)
	if r.f.Counters, err = readCounters(row, r.f.Counters); err != nil {
		return nil, err
	}
	r.f.Sites, err = sitesAt(r.sites, row)
	return &r.f, err
}

// countSums adds up the records that llvm-profdata adds up: all of a front-end
// profile, of an IR profile those that are context-sensitive, or those that
// are not.
func (p *Profile) countSums(ctx context.Context, cs bool) (analyze.CountSums, error) {
	sums, err := stored.Cached(ctx, p.Profile, "count sums", func() ([2]analyze.CountSums, int64, error) {
		sums, err := p.addUpCounts(ctx)
		return sums, 256, err
	})
	return sums[sortOf(cs && p.Overview.Info.Variant.Has(instrprof.IRProf))], err
}

// addUpCounts are the sums of the plain and of the context-sensitive records.
func (p *Profile) addUpCounts(ctx context.Context) ([2]analyze.CountSums, error) {
	parts := make([][2]analyze.CountSums, chunksOf(p.rows))
	err := eachChunk(ctx, "Adding up counters", p.rows, func(chunk, first, last int) error {
		records := p.records()
		for rank := first; rank <= last; rank++ {
			f, err := records.at(rank)
			if err != nil {
				return err
			}
			parts[chunk][sortOf(records.cs)].AddRecord(analyze.SumsOf(f))
		}
		return nil
	})
	var sums [2]analyze.CountSums
	for i := range parts {
		for cs := range sums {
			sums[cs].Add(parts[i][cs])
		}
	}
	return sums, err
}

// sortOf numbers the sorts of records: plain, context-sensitive.
func sortOf(cs bool) int {
	if cs {
		return 1
	}
	return 0
}

// overlap scores every pair that has a record of the test profile, in the
// order of its ranks. With note it also writes down what it finds of each pair:
// those of another shape become changed ones, and how alike the others are.
func (p *pairing) overlap(ctx context.Context, base, test *Profile, cs, note bool) (*Overlap, error) {
	whole := &Overlap{}
	var err error
	if whole.Base, err = base.countSums(ctx, cs); err != nil {
		return nil, err
	}
	if whole.Test, err = test.countSums(ctx, cs); err != nil {
		return nil, err
	}
	byRank := make([]uint32, test.rows)
	for i := range p.pairs {
		if rank := p.pairs[i].test; rank > 0 {
			byRank[rank-1] = uint32(i)
		}
		if note {
			p.likeness[i] = -1
		}
	}
	scorer := scorer{pairing: p, base: base, test: test, note: note, all: !test.Overview.Info.Variant.Has(instrprof.IRProf), cs: cs}
	parts := make([]Overlap, chunksOf(test.rows))
	err = eachChunk(ctx, "Comparing functions", test.rows, func(chunk, first, last int) error {
		parts[chunk].Base, parts[chunk].Test = whole.Base, whole.Test
		return scorer.score(&parts[chunk], byRank[first-1:last])
	})
	for i := range parts {
		whole.Add(&parts[i].Overlap)
		whole.Score += parts[i].Score
	}
	return whole, err
}

type scorer struct {
	*pairing
	base, test *Profile
	note       bool
	all, cs    bool // which records are added up: all, or those of one sort
}

// score adds the pairs of consecutive ranks of the test profile to o.
func (s *scorer) score(o *Overlap, pairs []uint32) error {
	base, test := s.base.records(), s.test.records()
	for _, i := range pairs {
		p := &s.pairs[i]
		t, err := test.at(int(p.test))
		if err != nil {
			return err
		}
		if p.state == onlyTest {
			o.Unmatched(t)
			continue
		}
		if p.base == 0 {
			o.Mismatched(t)
			continue
		}
		b, err := base.at(int(p.base))
		if err != nil {
			return err
		}
		if b.FuncHash != t.FuncHash {
			o.Mismatched(t)
			continue
		}
		r := o.Compare(b, t)
		if s.all || test.cs == s.cs {
			o.Score += r.Score
		}
		if s.note && r.Mismatch {
			p.state = changed
		}
		if s.note && r.Scored {
			s.likeness[i] = r.Overlap.Edge
		}
	}
	return nil
}
