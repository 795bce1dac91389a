package moves

import (
	"bytes"
	"context"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/profile/table"
)

// Table implements [site.Compared]. Nothing is compared before the first rows are read.
func (v *View[P]) Table(o table.Options) table.Table {
	var find table.Find
	var members []byte
	return v.Of.Open(func(ctx context.Context, q table.Query) (table.Page, error) {
		if find == nil {
			err := v.open(ctx)
			if err == nil && v.Wanted(v.Request) == table.FormatJSON { // which alone has members
				members, err = v.members(ctx)
			}
			if err != nil {
				return table.Page{}, err
			}
			find = v.find()
		}
		found, err := find(ctx, q)
		found.Members = members
		return found, err
	}, table.Query{RowQuery: v.params.Query}, o, true)
}

// members are what the envelope of JSON says, each member after a comma.
func (v *View[P]) members(ctx context.Context) ([]byte, error) {
	var object any
	if v.Words.Envelope != nil {
		object = v.Words.Envelope()
	} else {
		_, moved, err := v.rows(ctx, table.MoveQuery{Min: v.least()}, 0)
		if err != nil {
			return nil, err
		}
		o := movesObject{
			Family: string(v.Family.Name), Unit: v.Unit.Name, Min: max(v.query.Min*v.Unit.Scale, 0),
			Moved: moved.Matching, States: map[string]moveStateObject{},
			Base: newMoveSide(v.BasePath, v.Base.Entry), Test: newMoveSide(v.BasePath, v.Test.Entry),
			Figures: v.Words.Members,
			Links:   map[string]string{"page": v.BasePath + site.CompareURL(v.Base.ID, v.Test.ID)},
		}
		for bit, state := range v.Of.States {
			held := v.Source.Held(1 << bit)
			o.States[state.Word] = moveStateObject{held.Rows, held.Base * v.Unit.Scale, held.Test * v.Unit.Scale}
		}
		object = o
	}
	b, err := site.Marshal(object)
	if err != nil {
		return nil, err
	}
	b = bytes.TrimSpace(b)
	return append([]byte{','}, b[1:len(b)-1]...), nil
}

// Objects are the structs of its objects by the names that the API's document has.
var Objects = map[string]any{"MoveList": movesObject{}}

// movesObject is what a comparison says of the two profiles as a whole: members of the
// envelope beside the list of rows.
type movesObject struct {
	Family  string                     `json:"family"`
	Unit    string                     `json:"unit"`
	Min     float64                    `json:"min" is:"0.." doc:"Threshold of the rows."`
	Moved   int                        `json:"moved" doc:"Rows that moved by the threshold or more."`
	Base    moveSideObject             `json:"base"`
	Test    moveSideObject             `json:"test"`
	States  map[string]moveStateObject `json:"states"`
	Figures any                        `json:"figures" doc:"The family's figures for both profiles together."`
	Links   map[string]string          `json:"links"`
}

type moveSideObject struct {
	ID       string            `json:"id"`
	Name     string            `json:"name"`
	Describe string            `json:"describe"`
	Digest   string            `json:"digest"`
	Links    map[string]string `json:"links"`
}

type moveStateObject struct {
	Rows int     `json:"rows"`
	Base float64 `json:"base"` // what they come to, in the unit
	Test float64 `json:"test"`
}

func newMoveSide(root string, e *catalog.Entry) moveSideObject {
	return moveSideObject{
		e.ID, e.Name, e.Describe, e.Digest,
		map[string]string{"self": root + site.APIOf(e.ID), "page": root + site.PageOf(e.ID)},
	}
}
