package moves

import (
	"bytes"
	"context"
	"strings"

	"proflens/catalog"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/table"
	"proflens/views/page"
)

// Of is two profiles whose moves are all in memory: what most families need to be
// [site.Compared].
type Of[P table.Pair] struct {
	*site.Comparing
	// Open compares, as the request asks for it.
	Open func(ctx context.Context) (*View[P], error)
}

// Words are what a family says and writes of its moves.
type Words[P table.Pair] struct {
	// Sentence says what there is to say, the most important first.
	Sentence func(f *Figures[P]) (lead, rest string)
	// Head adds the switches, notes and parts of the page; nil adds none.
	Head func(ctx context.Context, m *page.Compare) error
	// Members are what the envelope of JSON says besides of both together.
	Members any
}

// open compares, and makes the query that the request asks for.
func (c *Of[P]) open(ctx context.Context) (*View[P], error) {
	v, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	return v, v.Ask()
}

// Ask makes the query that the request asks for. Errors are *site.ParamError.
func (v *View[P]) Ask() error {
	values := &site.Values{Query: v.Request.URL.Query()}
	v.params = lists.ListOf(v.Of).Read(values)
	v.query = table.MoveQuery{
		RowQuery: v.params.Query, Direction: v.Direction, States: ReadStates(values, v.CompareParams.States, v.Of.States),
	}
	v.Whole = v.Whole || len(v.query.Ranges) > 0
	if values.Err != nil {
		return values.Err
	}
	var err error
	v.query.Min, err = v.Unit.Read(&v.CompareParams)
	return err
}

// Open is the rows for scripts; members are more of the envelope of JSON, each after a comma.
func (v *View[P]) Open(source Source[P], members []byte, o table.Options) table.Table {
	find := source.Find(v.query)
	return v.Of.Open(func(ctx context.Context, q table.Query) (table.Page, error) {
		found, err := find(ctx, q)
		found.Members = members
		return found, err
	}, table.Query{RowQuery: v.query.RowQuery}, o, true)
}

// Keys are the parameters of comparisons whose rows are declared: its own, and its ranges.
func Keys(of *table.Declaration, own ...string) []string {
	for _, c := range of.Ranges() {
		own = append(own, string(c))
	}
	site.OrderKeys(own)
	return own
}

// Page implements [site.Compared].
func (c *Of[P]) Page(ctx context.Context, m *page.Compare) error {
	v, err := c.open(ctx)
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
func (c *Of[P]) Lead(ctx context.Context) (string, error) {
	v, err := c.open(ctx)
	if err != nil {
		return "", err
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return "", err
	}
	lead, rest := v.Words.Sentence(f)
	said := "A  " + humanize.Printable(c.Base.Name) + "\nB  " + humanize.Printable(c.Test.Name) + "\n" + lead + " " + rest + "\n"
	return strings.ReplaceAll(said, humanize.NumberSpace, " "), nil
}

// Table implements [site.Compared].
func (c *Of[P]) Table(ctx context.Context, o table.Options) (table.Table, error) {
	v, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	f, err := v.Figures(ctx)
	if err != nil {
		return nil, err
	}
	object := movesObject{
		Family: string(c.Family.Name), Unit: v.Unit.Name, Min: v.query.Min * v.Unit.Scale, Moved: f.Moved,
		States: map[string]moveStateObject{},
		Base:   newMoveSide(c.BasePath, c.Base.Entry), Test: newMoveSide(c.BasePath, c.Test.Entry), Figures: v.Words.Members,
		Links: map[string]string{"page": c.BasePath + site.CompareURL(c.Base.ID, c.Test.ID)},
	}
	if v.query.Min < 0 {
		object.Min = 0
	}
	for bit, state := range v.Of.States {
		p, err := v.Source.Page(ctx, table.MoveQuery{States: 1 << bit, Min: table.AllMoves})
		if err != nil {
			return nil, err
		}
		object.States[state.Word] = moveStateObject{p.Matching, p.Base * v.Unit.Scale, p.Test * v.Unit.Scale}
	}
	members, err := Members(object)
	return v.Open(v.Source, members, o), err
}

// Members is an object of JSON without its braces, each member after a comma.
func Members(object any) ([]byte, error) {
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
