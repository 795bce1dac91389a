package dcpidb

import (
	"context"
	"slices"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// procedures are those of an image, moved by shift bytes.
func (p *Profile) procedures(ctx context.Context, image int, shift int64) (*analyze.ProcedureMap, error) {
	of := &p.Overview.Images[image]
	if of.Symbols == 0 {
		return analyze.NewProcedureMap(nil, 0), nil
	}
	return stored.Cached(ctx, p.Profile, query.CacheKey("dcpi procedure map", image, shift),
		func() (*analyze.ProcedureMap, int64, error) {
			symbols, err := p.symbols(ctx)
			if err != nil {
				return nil, 0, err
			}
			list := slices.Clone(symbols[image])
			for i := range list {
				list[i].Address += uint64(shift)
			}
			end := uint64(0)
			if of.TextSize > 0 {
				end = of.Base + of.TextSize
			}
			return analyze.NewProcedureMap(list, end), int64(len(list)) * 48, nil
		})
}

// symbols are the procedures of each image.
func (p *Profile) symbols(ctx context.Context) ([][]dcpi.Procedure, error) {
	return stored.Cached(ctx, p.Profile, "dcpi symbols", func() ([][]dcpi.Procedure, int64, error) {
		lists := make([][]dcpi.Procedure, len(p.Overview.Images))
		size := int64(0)
		err := p.Walk("symbol", func(row *stored.Row) {
			image, name := row.Int(1)-1, row.String(4)
			switch {
			case row.ID%stored.CheckEvery == 0 && ctx.Err() != nil:
				row.Fail(ctx.Err())
			case image < 0 || image >= int64(len(lists)):
				row.Fail(stored.Damaged("a symbol of image %d", image))
			default:
				lists[image] = append(lists[image], dcpi.Procedure{Address: row.Uint(2), Size: row.Uint(3), Name: name})
				size += int64(len(name)) + 48
			}
		})
		return lists, size, err
	})
}
