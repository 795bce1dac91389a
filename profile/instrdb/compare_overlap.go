package instrdb

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/internal/recovery"
	"proflens/profile/btree"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Overlap is what llvm-profdata overlap computes of the two profiles; with cs
// what it computes with --cs, which differs for IR profiles only.
//
// llvm-profdata adds up the records of one sort, plain or context-sensitive,
// and then scores all of them. So the overlap of a profile that has both can
// pass 1. Score is that of the records alone that were added up, and Renamed what those add to
// it whose names builds change: see pairRenamed.
type Overlap struct {
	analyze.Overlap
	Score, Renamed float64
}

// Overlap is the overlap of the two profiles. That of the plain records is there with
// the pairs.
func (c *Comparison) Overlap(ctx context.Context, cs bool) (*Overlap, error) {
	if !cs {
		return c.plain, nil
	}
	return stored.Cached(ctx, c.Base.Profile, fmt.Sprintf("overlap %v %s", cs, c.Test.ID()),
		func() (*Overlap, int64, error) {
			both, err := holdBoth(ctx, c.Base, c.Test, false)
			if err != nil {
				return nil, 0, err
			}
			o, err := c.pairing.overlap(ctx, both, &scorer{cs: cs})
			return o, 512, err
		})
}

// chunkRows is how many ranks are added up apart. Sums of doubles depend on
// their order, so each chunk is one goroutine's and chunks are added in order:
// the same profiles always give the same figures.
const chunkRows = 4096

// eachChunk visits ranks from 1 to rows in chunks, on every core. what is done is said to who waits.
func eachChunk(ctx context.Context, what string, rows int, visit func(chunk, first, last int) error) error {
	g, within := recovery.WithContext(ctx)
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
	held             *held // of p; nil for none
	functions, sites *btree.Cursor
	stored           *btree.Row // what was read last of the file
	last             int        // its rank
	packed           []byte     // its counters
	f                instrprof.Function
	cs               bool
	total            uint64 // of its counters, the low 64 bits
}

func (p *Profile) records() *recordReader {
	return &recordReader{p: p, functions: p.function.Cursor(), sites: p.valueSite.Cursor()}
}

// at reads the record of a rank. What is not held is read quickest in the order of ranks.
func (r *recordReader) at(rank int) (f *instrprof.Function, err error) {
	if c := r.held.chunk(rank); c != nil {
		return &r.f, c.read((rank-1)%chunkRows, r)
	}
	row, err := r.head(rank)
	if err != nil {
		return nil, err
	}
	return &r.f, r.rest(row)
}

// head reads a record but for its numbers.
func (r *recordReader) head(rank int) (*btree.Row, error) {
	row, err := r.find(rank)
	if err != nil {
		return nil, err
	}
	r.f.FuncHash, r.f.Repeats, r.cs = row.Uint(fnFuncHash), row.Uint(fnRepeats), row.Int(fnCS) != 0
	r.total = row.Uint(fnTotal)
	return row, nil
}

// rest reads its counters and value sites.
func (r *recordReader) rest(row *btree.Row) (err error) {
	r.f.Counters = readCounters(row, r.f.Counters)
	r.f.Sites, err = sitesAt(r.sites, row)
	return err
}

// sums reads the record of a rank, and adds it up; its counters only as they are packed where the
// row has their sum.
func (r *recordReader) sums(rank int) (sums analyze.CountSums, err error) {
	row, err := r.head(rank)
	if err != nil {
		return sums, err
	}
	if r.packed, err = row.Bytes(fnCounters), row.Err(); err != nil {
		return sums, err
	}
	if r.p.read(row, sitesColumn) == 0 && row.Int(fnPseudo) == 0 {
		r.f.Sites, sums.Edge = [instrprof.NumValueKinds][]instrprof.ValueSite{}, float64(r.total)
		return sums, nil
	}
	err = r.rest(row)
	return analyze.SumsOf(&r.f), err
}

// find is the row of a rank.
func (r *recordReader) find(rank int) (row *btree.Row, err error) {
	if r.last > 0 && rank == r.last+1 {
		row, err = stored.Next(r.functions, rank)
	} else {
		row, err = stored.Find(r.functions, rank)
	}
	r.stored, r.last = row, rank
	return row, err
}

// sortOf numbers the sorts of records: plain, context-sensitive.
func sortOf(cs bool) int {
	if cs {
		return 1
	}
	return 0
}

// bothHeld is two profiles whose records are held.
type bothHeld struct{ base, test *held }

// overlap scores every pair that has a record of the test profile, as s says.
func (p *pairing) overlap(ctx context.Context, both bothHeld, s *scorer) (*Overlap, error) {
	whole := &Overlap{}
	whole.Base, whole.Test = both.base.addedUp(s.cs), both.test.addedUp(s.cs)
	s.pairing, s.bothHeld = p, both
	s.all = !both.test.p.Overview.Info.Variant.Has(instrprof.IRProf)
	parts := make([]Overlap, chunksOf(len(p.pairs)))
	err := eachChunk(ctx, "Comparing functions", len(p.pairs), func(chunk, first, last int) error {
		parts[chunk].Base, parts[chunk].Test, parts[chunk].ProfilesOnly = whole.Base, whole.Test, s.likeness == nil
		return s.score(&parts[chunk], chunk, first-1, last)
	})
	for i := range parts {
		whole.Add(&parts[i].Overlap)
		whole.Score += parts[i].Score
		whole.Renamed += parts[i].Renamed
	}
	return whole, err
}

type scorer struct {
	*pairing
	bothHeld
	all, cs  bool       // which records are added up: all, or those of one sort
	changed  bool       // pairs of another shape become changed ones
	likeness []float64  // how alike the records of a pair are, -1 for not at all; nil if nobody asks
	measures *measuring // of pairs whose states are known; nil if nobody asks
}

// score adds the pairs from..to, a chunk, to whole.
func (s *scorer) score(whole *Overlap, chunk, from, to int) error {
	base, test := s.base.records(), s.test.records()
	for i := from; i < to; i++ {
		if (i-from)%fetched == 0 {
			s.test.fetch(s.pairs[i:to])
		}
		r, err := s.scorePair(whole, &s.pairs[i], base, test)
		if err != nil {
			return err
		}
		if s.likeness != nil {
			s.likeness[i] = -1
			if r.Scored {
				s.likeness[i] = r.Overlap.Edge
			}
		}
		if s.measures != nil {
			s.measures.add(chunk, i, test.total)
		}
	}
	return nil
}

// scorePair adds a pair to whole. It leaves the record of the test profile in its reader.
func (s *scorer) scorePair(o *Overlap, p *pair, base, test *recordReader) (r analyze.RecordOverlap, err error) {
	if p.test == 0 {
		return r, nil
	}
	t, err := test.at(int(p.test))
	if err != nil {
		return r, err
	}
	if p.state == table.OnlyTest {
		o.Unmatched(t)
		return r, nil
	}
	whole := o
	if p.renamed { // LLVM knows names alone, so only Renamed has it
		o.Unmatched(t)
		o = &Overlap{}
		o.Base, o.Test, o.ProfilesOnly = whole.Base, whole.Test, whole.ProfilesOnly
	}
	if p.base == 0 {
		o.Mismatched(t)
		return r, nil
	}
	b, err := base.at(int(p.base))
	if err != nil {
		return r, err
	}
	if b.FuncHash != t.FuncHash {
		o.Mismatched(t)
		r.Mismatch = true
	} else {
		r = o.Compare(b, t)
	}
	if s.changed && r.Mismatch {
		p.state = table.Changed
	}
	switch {
	case !s.all && test.cs != s.cs:
	case p.renamed:
		whole.Renamed += r.Score
	default:
		whole.Score += r.Score
	}
	return r, nil
}

// likeness is how alike the records of each pair are: the score of their counters by their own
// sums; -1 where there is none. The error is the context's, or about the files.
func (c *Comparison) likeness(ctx context.Context) ([]float64, error) {
	return stored.Cached(ctx, c.Base.Profile, "likeness "+c.Test.ID(), func() ([]float64, int64, error) {
		both, err := holdBoth(ctx, c.Base, c.Test, false)
		if err != nil {
			return nil, 0, err
		}
		likeness := make([]float64, len(c.pairs))
		_, err = c.pairing.overlap(ctx, both, &scorer{likeness: likeness})
		return likeness, int64(len(likeness)) * 8, err
	})
}
