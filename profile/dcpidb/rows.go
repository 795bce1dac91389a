package dcpidb

import (
	"context"
	"errors"
	"math"

	"proflens/profile/stored"
)

// sampleRows adds the counts of all profiles as rows, with the procedure that
// covers each.
func sampleRows(ctx context.Context, of *stored.Profile, r *stored.Record, add func()) error {
	p, err := Of(of)
	if errors.Is(err, stored.ErrNoPart) {
		return nil
	}
	if err != nil {
		return err
	}
	images := p.Overview.Images
	before := make([]int, len(images)) // symbols of the images before
	for i := 1; i < len(before); i++ {
		before[i] = before[i-1] + images[i-1].Symbols
	}
	for n := range p.Overview.Profiles {
		f := &p.Overview.Profiles[n]
		symbols, err := p.procedures(ctx, f.Image, 0)
		if err != nil {
			return err
		}
		err = p.eachCount(ctx, f, 0, math.MaxUint64, func(offset uint64, count uint32) {
			address := images[f.Image].Base + offset
			r.Ints(n + 1)
			r.Uints(address, uint64(count))
			if i, ok := symbols.Find(address); ok {
				r.Ints(before[f.Image] + i + 1)
			} else {
				r.Null()
			}
			add()
		})
		if err != nil {
			return err
		}
	}
	return nil
}
