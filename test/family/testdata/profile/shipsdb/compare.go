package shipsdb

import (
	"context"
	"hash/maphash"

	"proflens/analyze"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// ComparedShip is a ship in two lists.
type ComparedShip struct {
	table.State       `col:"state" width:"12" head:"What changed"`
	Name              string `col:"name" head:"Ship" is:"sort,up,words,key"`
	table.Move        `col:"change" width:"9"`
	table.Sides[Ship] `pair:"weight:20"`
}

// Compared is the table of ships in two lists.
var Compared = table.Declare[ComparedShip](table.Declaration{
	About: "A ship in two lists.", Noun: "ship", All: true, Usual: "-abs_change",
	Show: "name change base_weight test_weight state", States: table.States,
})

var seed = maphash.MakeSeed()

// Compare pairs the ships of two profiles by name.
func Compare(ctx context.Context, base, test *Profile) (*table.Moves[*ComparedShip], error) {
	return stored.Cached(ctx, base.Profile, "ships compared "+test.ID(),
		func() (*table.Moves[*ComparedShip], int64, error) {
			var sides [2][]Ship
			for i, p := range []*Profile{base, test} {
				rows, err := p.rows(ctx)
				if err != nil {
					return nil, 0, err
				}
				sides[i] = rows
			}
			rows := table.Pairs(sides[0], sides[1],
				func(s *Ship) analyze.Keyed { return analyze.Keyed{Key: maphash.String(seed, s.Name)} },
				func(both table.Sides[Ship]) *ComparedShip {
					return &ComparedShip{
						both.State(), both.Any().Name, both.Move(func(s *Ship) float64 { return float64(s.Weight) }), both,
					}
				})
			return table.NewMoves(Compared, rows), int64(len(rows)) * 120, nil
		})
}
