package dcpiweb

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"proflens/decode/model"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/profile/table"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
	"proflens/say"
	"proflens/tables"
	"proflens/views/page"
)

type sampleMove = query.Move[dcpidb.ComparedRow]

// comparer compares databases: the shares of procedures, or of the addresses of one.
func (s *room) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: []string{"event", "image", "procedure"},
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			q := dcpidb.CompareQuery{Event: v.One("event"), Image: v.One("image"), Procedure: v.One("procedure")}
			if q.Procedure != "" && q.Image == "" {
				v.Fail("procedure", "give its image too")
			}
			return &moves.Of[dcpidb.ComparedRow]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[dcpidb.ComparedRow], error) {
					return compareView(ctx, c, q)
				}}, nil
		},
	}
}

func openCompared(ctx context.Context, c *site.Comparing, q dcpidb.CompareQuery) (*dcpidb.Comparison, error) {
	base, err := dcpidb.Of(c.Base.Profile)
	if err != nil {
		return nil, err
	}
	test, err := dcpidb.Of(c.Test.Profile)
	if err != nil {
		return nil, err
	}
	compared, err := dcpidb.Compare(ctx, base, test, q)
	if !errors.Is(err, stored.ErrNoPart) {
		return compared, err
	}
	if whole, err := dcpidb.Compare(ctx, base, test, dcpidb.CompareQuery{}); err == nil {
		for _, event := range whole.Events {
			if event == q.Event || q.Event == "" {
				return nil, &site.Absent{Title: "Nothing there", Detail: "neither database has samples in this image and procedure"}
			}
		}
		return nil, unknownValue("event", q.Event, whole.Events)
	}
	return nil, &site.Problem{Status: http.StatusUnprocessableEntity, Kind: string(model.KindIncompatible),
		Title: "Cannot be compared", ID: c.Test.ID,
		Detail: fmt.Sprintf("no common event: A has %s, B has %s", site.JoinWords(base.Overview.Events),
			site.JoinWords(test.Overview.Events))}
}

func compareView(ctx context.Context, c *site.Comparing, q dcpidb.CompareQuery) (*moves.View[dcpidb.ComparedRow],
	error) {
	compared, err := openCompared(ctx, c, q)
	if err != nil {
		return nil, err
	}
	v := &moves.View[dcpidb.ComparedRow]{
		Comparing: c, Source: compared, Unit: moves.Points(&c.CompareParams),
		Thing: "procedure", Things: "procedures", Measure: "share of samples of " + say.Printable(compared.Event),
		How:    page.HowDCPICompared,
		States: slices.Clone(moves.States), Filters: []string{"image", "procedure"}, Unmangled: true,
		Name: func(m *sampleMove) (say.Name, string) { return compareName(c, &q, compared, m) },
		Note: func(m *sampleMove) string { return say.Printable(m.Row.Image) },
	}
	v.States[1].Label, v.States[1].Tag = "size changed",
		&page.Tag{Text: "size changed", Tone: page.Neutral, Title: "the procedure's size in bytes differs"}
	samples := func(m *sampleMove, test bool) say.Number {
		absentBase, absentTest := m.Absent()
		switch {
		case test && absentTest, !test && absentBase:
			return say.Number{Text: "–"}
		case test:
			return say.Count(m.Row.Test.Samples)
		}
		return say.Count(m.Row.Base.Samples)
	}
	v.Columns = []moves.Column[dcpidb.ComparedRow]{
		{
			Key: "a-share", Label: "Share in A", Title: "of the total of A", Sort: query.MoveBase,
			Cell: func(m *sampleMove) say.Number { return v.Side(m, false) },
		},
		{
			Key: "b-share", Label: "Share in B", Title: "of the total of B", Sort: query.MoveTest,
			Cell: func(m *sampleMove) say.Number { return v.Side(m, true) },
		},
		{Key: "a-samples", Label: "Samples in A", Cell: func(m *sampleMove) say.Number { return samples(m, false) }},
		{Key: "b-samples", Label: "Samples in B", Cell: func(m *sampleMove) say.Number { return samples(m, true) }},
	}
	figure := func(m *sampleMove) string { return v.Unit.Value(max(m.Base, m.Test)) }
	hold := func(side string, held func(p *query.MovePage[dcpidb.ComparedRow]) float64) func(p *query.MovePage[dcpidb.ComparedRow]) string {
		return func(p *query.MovePage[dcpidb.ComparedRow]) string {
			return say.Plural(p.Matching, v.Thing, v.Things) + ", " + say.Percent(held(p), 2) + " of " + side
		}
	}
	inA := hold("A", func(p *query.MovePage[dcpidb.ComparedRow]) float64 { return p.Base })
	inB := hold("B", func(p *query.MovePage[dcpidb.ComparedRow]) float64 { return p.Test })
	byBase, byTest := []query.Key{{Column: query.MoveBase, Desc: true}}, []query.Key{{Column: query.MoveTest, Desc: true}}
	v.Lists = []moves.ListOf[dcpidb.ComparedRow]{
		{ID: "lost", Title: "Lost", State: query.MoveOnlyBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "new", Title: "New", State: query.MoveOnlyTest, Says: inB, Figure: figure, Sort: byTest},
		{ID: "changed", Title: "Size changed", State: query.MoveChanged, Says: inA, Figure: figure, Sort: byBase},
	}
	if q.Image != "" {
		v.Thing, v.Things, v.Note, v.Lists = "address", "addresses", nil, nil
	}
	v.Words = compareWords(c, &q, compared, v)
	return v, v.Ask(compared.Sorts())
}

// compareWords are what the page and the API say of databases.
func compareWords(c *site.Comparing, q *dcpidb.CompareQuery, compared *dcpidb.Comparison,
	v *moves.View[dcpidb.ComparedRow]) moves.Words[dcpidb.ComparedRow] {
	return moves.Words[dcpidb.ComparedRow]{
		Sentence: func(f *moves.Figures[dcpidb.ComparedRow]) (lead, rest string) {
			percent := func(share float64) string { return say.Percent(share, 1) }
			lead = say.Percent(compared.Overlap, 1) + " overlap of " + say.Printable(compared.Event) + "."
			if q.Image != "" {
				where := say.Printable(q.Image)
				if q.Procedure != "" {
					where = say.Printable(q.Procedure)
				}
				base, test := 0.0, 0.0
				compared.Each(func(m *sampleMove) { base, test = base+m.Base, test+m.Test })
				lead = where + ": " + v.Unit.Value(base) + " of A, " + v.Unit.Value(test) + " of B."
			}
			return lead, f.Apart(percent) + f.Says()
		},
		Head: func(_ context.Context, m *page.Compare) error {
			if len(compared.Events) > 1 {
				choice := page.Choice{Label: "Event"}
				for i, event := range compared.Events {
					a := c.Address.Without("page", "cursor").With("event", event)
					if i == 0 {
						a = a.Without("event")
					}
					choice.Segments = append(choice.Segments, page.Segment{
						Label: say.Printable(event), URL: a.String(), Current: event == compared.Event,
					})
				}
				m.Measures = append(m.Measures, choice)
			}
			if q.Image != "" {
				m.Views = []page.Segment{
					{Label: "Procedures", URL: c.Plain().With("event", q.Event).String()},
					{Label: "Addresses", URL: c.Address.String(), Current: true},
				}
			}
			if compared.Unit == dcpidb.UnitEvents {
				m.Notes = append(m.Notes, "Periods differ within a database, so shares are based on events (samples × period).")
			}
			return nil
		},
		Table: func(q query.MoveQuery, words []string, o table.Options, members []byte) table.Table {
			return tables.ComparedSamples(compared, q, words, o, members)
		},
		Members: struct {
			Event   string   `json:"event"`
			Events  []string `json:"events"` // that both have
			Unit    string   `json:"unit"`   // that shares are of
			Base    uint64   `json:"base_samples"`
			Test    uint64   `json:"test_samples"`
			Overlap float64  `json:"overlap"`
		}{
			compared.Event, compared.Events, string(compared.Unit), compared.Base.Samples, compared.Test.Samples,
			compared.Overlap,
		},
	}
}

// compareName names a procedure, which leads to its addresses, or an address, which
// leads to itself in the profile that has it.
func compareName(c *site.Comparing, q *dcpidb.CompareQuery, compared *dcpidb.Comparison, m *sampleMove) (say.Name,
	string) {
	if q.Image == "" {
		if m.Row.Kind == dcpidb.RowNone {
			return say.Name{Base: "(no symbol)", Full: "samples outside known known procedures", Missing: true}, ""
		}
		name := say.Printable(m.Row.Name)
		a := c.Plain().With("event", q.Event).With("image", m.Row.Image)
		if m.Row.Kind == dcpidb.RowProcedure {
			a = a.With("procedure", m.Row.Name)
		}
		return say.Name{Base: name, Full: name + " in " + say.Printable(m.Row.Image)}, a.String()
	}
	id, cell := c.Base.ID, &m.Row.Base
	if absent, _ := m.Absent(); absent {
		id, cell = c.Test.ID, &m.Row.Test
	}
	text := fmt.Sprintf("0x%x", cell.Offset)
	name := say.Name{Base: text, Full: fmt.Sprintf("address 0x%x", cell.Address)}
	if q.Procedure != "" {
		name.Namespace, name.Base = say.Printable(q.Procedure), "+"+text
	} else if m.Row.Name != "" {
		name.Args = " " + say.Printable(m.Row.Name)
	}
	address := fmt.Sprintf("0x%x", cell.Address)
	a := site.Address{
		Path:  site.PageOf(id) + "/addresses",
		Query: map[string][]string{"event": {compared.Event}, "from": {address}, "to": {address}},
	}
	return name, a.String()
}
