package shipsdb

import (
	"context"

	"proflens/profile/stored"
	"proflens/profile/table"
)

// Ship is a row of the list.
type Ship struct {
	ID     int64  `col:"id" is:"key,script" help:"place in the file, from 1"`
	Name   string `col:"name" head:"Ship" is:"sort,up,words"`
	Weight uint64 `col:"weight" width:"20" head:"Tons" is:"sort,range,bar" help:"what it weighs, in tons"`
}

// Ships is the table of ships.
var Ships = table.Declare[Ship](table.Declaration{
	About: "A ship.", Noun: "ship", Usual: "-weight", Show: "name weight", Text: "weight name",
})

// FindShips finds ships.
func (p *Profile) FindShips(ctx context.Context) (table.Find, error) {
	rows, err := p.rows(ctx)
	return Ships.Within(table.Set{Rows: rows}), err
}

func (p *Profile) rows(ctx context.Context) ([]Ship, error) {
	return stored.Cached(ctx, p.Profile, "ships", func() (list []Ship, size int64, err error) {
		err = p.Walk("ship", func(row *stored.Row) {
			list = append(list, Ship{row.ID, row.String(1), row.Uint(2)})
			size += int64(len(list[len(list)-1].Name)) + 40
		})
		return list, size, err
	})
}
