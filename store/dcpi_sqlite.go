package store

import (
	"cmp"
	"context"
	"math"

	"proflens/analyze"
	"proflens/store/btree"
)

// sampleRows adds the counts of all profiles as rows, with the procedure that
// covers each.
func (p *Profile) sampleRows(r *btree.Record, add func() error) error {
	ctx := context.Background()
	o, err := p.Overview(ctx)
	if err != nil || o.DCPI == nil {
		return err
	}
	before := make([]int64, len(o.DCPI.Images)) // symbols of the images before
	for i := 1; i < len(before); i++ {
		before[i] = before[i-1] + int64(o.DCPI.Images[i-1].Symbols)
	}
	for n := range o.DCPI.Profiles {
		f := &o.DCPI.Profiles[n]
		symbols, err := p.procedures(ctx, o.DCPI, f.Image, 0)
		if err != nil {
			return err
		}
		rows := sampleWriter{r, add, int64(n) + 1, o.DCPI.Images[f.Image].Base, before[f.Image], symbols}
		var failed error
		err = p.eachCount(ctx, f, 0, math.MaxUint64, func(offset uint64, count uint32) {
			if failed == nil {
				failed = rows.row(offset, count)
			}
		})
		if err != nil || failed != nil {
			return cmp.Or(failed, err)
		}
	}
	return nil
}

type sampleWriter struct {
	r       *btree.Record
	add     func() error
	profile int64
	base    uint64
	before  int64 // symbols of the images before
	symbols *analyze.ProcedureMap
}

func (w *sampleWriter) row(offset uint64, count uint32) error {
	w.r.Int(w.profile)
	w.r.Uint(w.base + offset)
	w.r.Int(int64(count))
	if i, ok := w.symbols.Find(w.base + offset); ok {
		w.r.Int(w.before + int64(i) + 1)
	} else {
		w.r.Null()
	}
	return w.add()
}
