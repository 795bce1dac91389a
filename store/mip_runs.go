package store

import (
	"context"
	"encoding/binary"

	"proflens/analyze"
	"proflens/store/btree"
)

// MIPRun is one raw file: what it executed, what only it did, and what the runs
// up to and with it did, which is how coverage grows.
type MIPRun struct {
	Run       int // from 1, in the order given
	File      string
	DataBytes uint64
	analyze.MIPRunFigures
}

// MIPRuns lists the raw files of a Machine IR Profile; of a .mip, which does not
// tell its runs apart, none.
func (p *Profile) MIPRuns(context.Context) ([]MIPRun, error) {
	runs := []MIPRun{}
	err := walk(p.r, "mip_run", func(row *rowReader) {
		runs = append(runs, MIPRun{
			Run: int(row.ID), File: row.text(1), DataBytes: row.Uint(2), MIPRunFigures: analyze.MIPRunFigures{
				Functions: row.Uint(3), Bytes: row.Uint(4), Blocks: row.Uint(5), OnlyFunctions: row.Uint(6), OnlyBytes: row.Uint(7),
				SumFunctions: row.Uint(8), SumBytes: row.Uint(9), SumBlocks: row.Uint(10),
			},
		})
	})
	return runs, err
}

// mipRunSets is which functions each run executed, and which several did.
type mipRunSets struct {
	executed []bitset
	several  bitset
}

func (p *Profile) mipRunSets(ctx context.Context) (*mipRunSets, error) {
	v, err := p.cached(ctx, "mip run sets", func() (any, int64, error) {
		_, o, err := p.mipTable(ctx)
		if err != nil {
			return nil, 0, err
		}
		table, err := p.r.Table("mip_run")
		if err != nil {
			return nil, 0, err
		}
		n := int(o.Functions)
		s := &mipRunSets{several: newBitset(n)}
		once := newBitset(n)
		err = eachRow(table, func(row *btree.Row) error {
			packed, err := row.Bytes(11)
			if err != nil {
				return err
			}
			set := newBitset(n)
			if len(packed) != 8*len(set) {
				return errOr(nil, "run %d has %d bytes of functions, expected %d", row.ID, len(packed), 8*len(set))
			}
			for w := range set {
				set[w] = binary.LittleEndian.Uint64(packed[8*w:])
				s.several[w] |= once[w] & set[w]
				once[w] |= set[w]
			}
			s.executed = append(s.executed, set)
			return nil
		})
		return s, int64(len(s.executed)+2) * int64(n/8), err
	})
	if err != nil {
		return nil, err
	}
	return v.(*mipRunSets), nil
}
