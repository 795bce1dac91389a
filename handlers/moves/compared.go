package moves

import (
	"bytes"
	"context"
	"strings"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/query"
	"proflens/say"
	"proflens/views/page"
)

// Of is two profiles whose moves are all in memory: what most families need to be
// [site.Compared].
type Of[T any] struct {
	*site.Comparing
	// Open compares, as the request asks for it.
	Open func(ctx context.Context) (*View[T], error)
}

// Words are what a family says and writes of its moves.
type Words[T any] struct {
	// Sentence says what there is to say, the most important first.
	Sentence func(f *Figures[T]) (lead, rest string)
	// Head adds the switches, notes and parts of the page; nil adds none.
	Head func(ctx context.Context, m *page.Compare) error
	// Table is the rows for scripts; words are the states, by bit.
	Table func(q query.MoveQuery, words []string, o table.Options, members []byte) table.Table
	// Members are what the envelope of JSON says besides of both together.
	Members any
}

// Ask makes the query that a request asks for; states and unit are the family's,
// sorts what it can be sorted by.
func (v *View[T]) Ask(sorts []query.Column) error {
	values := &site.Values{Query: v.Request.URL.Query()}
	v.CompareParams.Known(values, sorts...)
	v.Query = query.MoveQuery{
		Text: v.Text, Regexp: v.Regexp, Direction: v.Direction, States: ReadStates(values, v.CompareParams.States, v.States),
		Sort: v.Sort, Offset: v.Offset, Limit: v.Limit,
	}
	if values.Err != nil {
		return values.Err
	}
	var err error
	v.Query.Min, err = v.Unit.Read(&v.CompareParams)
	return err
}

// Page implements [site.Compared].
func (c *Of[T]) Page(ctx context.Context, m *page.Compare) error {
	v, err := c.Open(ctx)
	if err != nil {
		return err
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return err
	}
	m.Lead, m.Sentence = v.Words.Sentence(f)
	if v.Words.Head != nil {
		if err := v.Words.Head(ctx, m); err != nil {
			return err
		}
	}
	return v.Fill(ctx, m)
}

// Lead implements [site.Compared].
func (c *Of[T]) Lead(ctx context.Context) (string, error) {
	v, err := c.Open(ctx)
	if err != nil {
		return "", err
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return "", err
	}
	lead, rest := v.Words.Sentence(f)
	said := "A  " + say.Printable(c.Base.Name) + "\nB  " + say.Printable(c.Test.Name) + "\n" + lead + " " + rest + "\n"
	return strings.ReplaceAll(said, say.NumberSpace, " "), nil
}

// Table implements [site.Compared].
func (c *Of[T]) Table(ctx context.Context, o table.Options) (table.Table, error) {
	v, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return nil, err
	}
	words := make([]string, len(v.States))
	object := movesObject{
		Family: string(c.Family.Name), Unit: v.Unit.Name, Min: v.Query.Min * v.Unit.Scale, Moved: f.Moved,
		States: map[string]moveStateObject{},
		Base:   newMoveSide(c.BasePath, c.Base.Entry), Test: newMoveSide(c.BasePath, c.Test.Entry), Figures: v.Words.Members,
		Links: map[string]string{"page": c.BasePath + site.CompareURL(c.Base.ID, c.Test.ID)},
	}
	if v.Query.Min < 0 {
		object.Min = 0
	}
	for bit, state := range v.States {
		words[bit] = state.Word
		p, err := v.Source.Page(ctx, query.MoveQuery{States: 1 << bit, Min: query.AllMoves})
		if err != nil {
			return nil, err
		}
		object.States[state.Word] = moveStateObject{p.Matching, p.Base * v.Unit.Scale, p.Test * v.Unit.Scale}
	}
	members, err := site.Marshal(object)
	if err != nil {
		return nil, err
	}
	members = bytes.TrimSpace(members)
	return v.Words.Table(v.Query, words, o, append([]byte{','}, members[1:len(members)-1]...)), nil
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
