package dcpiweb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"proflens/decode/model"
	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
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
			base, test, err := site.Both(c, dcpidb.Of)
			if err != nil {
				return nil, err
			}
			switch events := dcpidb.CommonEvents(base, test); {
			case len(events) == 0:
				return nil, &site.Problem{
					Status: http.StatusUnprocessableEntity, Kind: string(model.KindIncompatible), Title: "Cannot be compared",
					ID: c.Test.ID, Detail: fmt.Sprintf("no common event: A has %s, B has %s",
						site.JoinWords(base.Overview.Events), site.JoinWords(test.Overview.Events)),
				}
			case q.Event != "" && !slices.Contains(events, q.Event):
				return nil, unknownValue("event", q.Event, events)
			}
			return moves.Read(c, v, &moves.View[*dcpidb.ComparedRow]{
				Of: q.Declared(), Unit: moves.Points(), Filters: []string{"image", "procedure"}, Unmangled: true,
				Open: func(ctx context.Context, v *moves.View[*dcpidb.ComparedRow]) error {
					compared, err := dcpidb.Compare(ctx, base, test, q)
					if errors.Is(err, stored.ErrNoPart) {
						return &site.Absent{Title: "Nothing there", Detail: "neither database has samples" + within(&q)}
					}
					if err == nil {
						showCompared(v, &q, compared)
					}
					return err
				},
			})
		},
	}
}

// within is what of the databases is compared, empty for all of it.
func within(q *dcpidb.CompareQuery) string {
	switch {
	case q.Procedure != "":
		return " in this procedure"
	case q.Image != "":
		return " in this image"
	}
	return ""
}

// showCompared says how databases are shown side by side.
func showCompared(v *moves.View[*dcpidb.ComparedRow], q *dcpidb.CompareQuery, compared *dcpidb.Comparison) {
	v.Source, v.How = compared, page.HowDCPICompared
	v.Measure = "share of samples of " + humanize.Printable(compared.Event)
	v.Name = func(m *dcpidb.ComparedRow) (humanize.Name, string) { return compareName(v.Comparing, q, compared, m) }
	if q.Image == "" {
		v.Lists = []moves.ListOf[*dcpidb.ComparedRow]{
			{ID: "lost", Title: "Lost", State: table.OnlyBase}, {ID: "new", Title: "New", State: table.OnlyTest, Test: true},
			{ID: "changed", Title: "Size changed", State: table.Changed},
		}
	}
	v.Words = moves.Words[*dcpidb.ComparedRow]{
		Sentence: func(f *moves.Figures[*dcpidb.ComparedRow]) (lead, rest string) {
			percent := func(share float64) string { return humanize.Percent(share, 1) }
			lead = percent(compared.Overlap) + " overlap of " + humanize.Printable(compared.Event) + "."
			if q.Image != "" {
				where := humanize.Printable(cmp.Or(q.Procedure, q.Image))
				base, test := 0.0, 0.0
				compared.Each(func(m *dcpidb.ComparedRow) { base, test = base+m.InBase, test+m.InTest })
				lead = where + ": " + v.Unit.Value(base) + " of A, " + v.Unit.Value(test) + " of B."
			}
			return lead, f.Apart(percent) + f.Says()
		},
		Head: func(m *page.Compare) {
			if len(compared.Events) > 1 {
				var ways []site.Way
				for _, event := range compared.Events {
					ways = append(ways, site.Way{event, humanize.Printable(event), ""})
				}
				m.Measures = append(m.Measures, v.Choice("Event", "event", compared.Event, ways))
			}
			if q.Image != "" {
				m.Views = []page.Segment{
					{Label: "Procedures", URL: v.Plain().With("event", q.Event).String()},
					{Label: "Addresses", URL: v.Address.String(), Current: true},
				}
			}
			if compared.Unit == dcpidb.UnitEvents {
				m.Notes = append(m.Notes, "Periods differ within a database, so shares are based on events (samples × period).")
			}
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
	m *dcpidb.ComparedRow) (humanize.Name, string) {
	if q.Image == "" {
		if m.Kind == dcpidb.RowNone {
			return humanize.Name{Base: "(no symbol)", Full: "samples outside known procedures", Missing: true}, ""
		}
		name := c.Symbols.Name([]byte(m.Name), 0)
		name.Full += " in " + humanize.Printable(m.Image)
		a := c.Plain().With("event", q.Event).With("image", m.Image)
		if m.Kind == dcpidb.RowProcedure {
			a = a.With("procedure", string(m.Name))
		}
		return name, a.String()
	}
	cell := m.Any()
	text := fmt.Sprintf("0x%x", cell.Offset)
	name := humanize.Name{Base: text, Full: fmt.Sprintf("address 0x%x", cell.Address)}
	if q.Procedure != "" {
		name.Namespace, name.Base = humanize.Printable(q.Procedure), "+"+text
	} else if m.Name != "" {
		name.Args = " " + humanize.Printable(string(m.Name))
	}
	address := fmt.Sprintf("0x%x", cell.Address)
	a := site.NewAddress(site.PageOf(c.Having(m.Base != nil).ID)+"/addresses").With("event", compared.Event)
	a = a.With("from", address).With("to", address)
	return name, a.String()
}
