package dcpiweb

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"proflens/decode/model"
	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/views/page"
)

// comparer compares databases: the shares of procedures, or of the addresses of one.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: moves.Keys(dcpidb.Compared, "event", "image", "procedure"), Declared: lists.Says(dcpidb.Compared),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			q := dcpidb.CompareQuery{Event: v.One("event"), Image: v.One("image"), Procedure: v.One("procedure")}
			if q.Procedure != "" && q.Image == "" {
				v.Fail("procedure", "give its image too")
			}
			return &moves.Of[*dcpidb.ComparedRow]{Comparing: c,
				Open: func(ctx context.Context) (*moves.View[*dcpidb.ComparedRow], error) {
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

func compareView(ctx context.Context, c *site.Comparing, q dcpidb.CompareQuery) (*moves.View[*dcpidb.ComparedRow],
	error) {
	compared, err := openCompared(ctx, c, q)
	if err != nil {
		return nil, err
	}
	v := &moves.View[*dcpidb.ComparedRow]{
		Comparing: c, Of: q.Declared(), Source: compared, Unit: moves.Points(&c.CompareParams),
		Measure: "share of samples of " + humanize.Printable(compared.Event), How: page.HowDCPICompared,
		Filters: []string{"image", "procedure"}, Unmangled: true,
		Name: func(m *dcpidb.ComparedRow) (humanize.Name, string) { return compareName(c, &q, compared, m) },
	}
	figure := func(m *dcpidb.ComparedRow) string { return v.Unit.Value(max(m.InBase, m.InTest)) }
	hold := func(side string, held func(p *table.MovePage[*dcpidb.ComparedRow]) float64) func(p *table.MovePage[*dcpidb.ComparedRow]) string {
		return func(p *table.MovePage[*dcpidb.ComparedRow]) string {
			return humanize.Plural(p.Matching, v.Of.Noun[0], v.Of.Noun[1]) + ", " + humanize.Percent(held(p), 2) + " of " + side
		}
	}
	inA := hold("A", func(p *table.MovePage[*dcpidb.ComparedRow]) float64 { return p.Base })
	inB := hold("B", func(p *table.MovePage[*dcpidb.ComparedRow]) float64 { return p.Test })
	byBase, byTest := []query.Key{{Column: table.MoveBase, Desc: true}}, []query.Key{{Column: table.MoveTest, Desc: true}}
	v.Lists = []moves.ListOf[*dcpidb.ComparedRow]{
		{ID: "lost", Title: "Lost", State: table.OnlyBase, Says: inA, Figure: figure, Sort: byBase},
		{ID: "new", Title: "New", State: table.OnlyTest, Says: inB, Figure: figure, Sort: byTest},
		{ID: "changed", Title: "Size changed", State: table.Changed, Says: inA, Figure: figure, Sort: byBase},
	}
	if q.Image != "" {
		v.Lists = nil
	}
	v.Words = compareWords(c, &q, compared, v)
	return v, nil
}

// compareWords are what the page and the API say of databases.
func compareWords(c *site.Comparing, q *dcpidb.CompareQuery, compared *dcpidb.Comparison,
	v *moves.View[*dcpidb.ComparedRow]) moves.Words[*dcpidb.ComparedRow] {
	return moves.Words[*dcpidb.ComparedRow]{
		Sentence: func(f *moves.Figures[*dcpidb.ComparedRow]) (lead, rest string) {
			percent := func(share float64) string { return humanize.Percent(share, 1) }
			lead = humanize.Percent(compared.Overlap, 1) + " overlap of " + humanize.Printable(compared.Event) + "."
			if q.Image != "" {
				where := humanize.Printable(q.Image)
				if q.Procedure != "" {
					where = humanize.Printable(q.Procedure)
				}
				base, test := 0.0, 0.0
				compared.Each(func(m *dcpidb.ComparedRow) { base, test = base+m.InBase, test+m.InTest })
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
						Label: humanize.Printable(event), URL: a.String(), Current: event == compared.Event,
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
func compareName(c *site.Comparing, q *dcpidb.CompareQuery, compared *dcpidb.Comparison,
	m *dcpidb.ComparedRow) (humanize.Name,
	string) {
	if q.Image == "" {
		if m.Kind == dcpidb.RowNone {
			return humanize.Name{Base: "(no symbol)", Full: "samples outside known known procedures", Missing: true}, ""
		}
		name := humanize.Printable(string(m.Name))
		a := c.Plain().With("event", q.Event).With("image", m.Image)
		if m.Kind == dcpidb.RowProcedure {
			a = a.With("procedure", string(m.Name))
		}
		return humanize.Name{Base: name, Full: name + " in " + humanize.Printable(m.Image)}, a.String()
	}
	id, cell := c.Base.ID, m.Any()
	if m.Base == nil {
		id = c.Test.ID
	}
	text := fmt.Sprintf("0x%x", cell.Offset)
	name := humanize.Name{Base: text, Full: fmt.Sprintf("address 0x%x", cell.Address)}
	if q.Procedure != "" {
		name.Namespace, name.Base = humanize.Printable(q.Procedure), "+"+text
	} else if m.Name != "" {
		name.Args = " " + humanize.Printable(string(m.Name))
	}
	address := fmt.Sprintf("0x%x", cell.Address)
	a := site.Address{
		Path:  site.PageOf(id) + "/addresses",
		Query: map[string][]string{"event": {compared.Event}, "from": {address}, "to": {address}},
	}
	return name, a.String()
}
