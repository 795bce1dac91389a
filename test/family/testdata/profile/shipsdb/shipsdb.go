// Package shipsdb keeps lists of ships.
package shipsdb

import (
	"context"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/decode/ships"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// Family is how lists of ships are kept.
var Family = stored.Family{Name: ships.Family, Called: "ship", Prepare: prepare}

// Profile is the ships of an open profile. It is shared by all who have the profile open.
type Profile struct {
	*stored.Profile
	Overview *Overview
}

// Overview is what the ships come to.
type Overview struct {
	Ships  uint64      `api:"ships,exact"`
	Weight analyze.Sum `api:"weight,exact" doc:"Tons of all ships."`
}

// Figures are those of a list of ships.
var Figures = figure.Declare(figure.List{
	Object:    "ships",
	Overview:  figure.Overview(Of),
	Tiles:     "ships weight",
	Text:      "ships weight",
	Card:      "weight",
	Functions: `one:"ship" many:"ships"`,
	Total:     `one:"ton" many:"tons" unit:"count"`,
	Figures: []string{
		`name:"ships" label:"Ships" of:"Ships" url:"/ships" note:"by weight" measure:"ships" counts:"ships"`,
		`name:"weight" label:"Tons" one:"ton" of:"Weight" unit:"count" note:"of all ships" measure:"weight" counts:"tons"`,
	},
})

// Of is the ships of an open profile; stored.ErrNoPart when it has none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, ships.Family, func(p *stored.Profile) (*Profile, error) {
		own := &Profile{Profile: p}
		err := p.Walk("ship_total", func(row *stored.Row) {
			own.Overview = &Overview{Ships: row.Uint(1), Weight: analyze.Sum{Lo: row.Uint(2), Hi: row.Uint(3)}}
		})
		if err == nil && own.Overview == nil {
			err = stored.Damaged("ship_total has no row")
		}
		return own, err
	})
}

// tables are ships on their way into a file.
type tables struct {
	ships    []ships.Ship
	overview Overview
}

func prepare(ctx context.Context, in *stored.Preparing) (stored.Prepared, error) {
	t := &tables{ships: in.Records.(*ships.Profile).Ships}
	t.overview.Ships = uint64(len(t.ships))
	for i := range t.ships {
		t.overview.Weight.Add(t.ships[i].Weight)
	}
	return t, ctx.Err()
}

// Write implements [stored.Prepared].
func (t *tables) Write(_ context.Context, w *stored.Writer) error {
	err := w.Rows("ship_total", 1, func(r *stored.Record, _ int) {
		r.Uints(t.overview.Ships)
		r.Sum(t.overview.Weight)
	})
	if err != nil {
		return err
	}
	return w.Rows("ship", len(t.ships), func(r *stored.Record, i int) {
		r.Name(t.ships[i].Name)
		r.Uints(t.ships[i].Weight)
	})
}

// Meta implements [stored.Prepared].
func (t *tables) Meta(*stored.MetaWriter) {}

// Findings implements [stored.Prepared].
func (t *tables) Findings() []model.Finding { return nil }

// Figures implements [stored.Prepared].
func (t *tables) Figures() stored.Counts {
	return stored.Counts{Functions: len(t.ships), Total: t.overview.Weight.String()}
}
