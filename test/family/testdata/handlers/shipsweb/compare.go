package shipsweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/handlers/moves"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/shipsdb"
	"proflens/profile/table"
)

// comparer compares the weights of ships.
func (s *handler) comparer() *site.Comparer {
	return &site.Comparer{
		Keys: moves.Keys(shipsdb.Compared), Declared: lists.Says(shipsdb.Compared),
		Read: func(c *site.Comparing, v *site.Values) (site.Compared, error) {
			return moves.Read(c, v, &moves.View[*shipsdb.ComparedShip]{
				Of: shipsdb.Compared, Unit: moves.Amount("tons"), Measure: "weight", Unmangled: true, Open: compare,
			})
		},
	}
}

func compare(ctx context.Context, v *moves.View[*shipsdb.ComparedShip]) error {
	base, test, err := site.Both(v.Comparing, shipsdb.Of)
	if err != nil {
		return err
	}
	v.Source, err = shipsdb.Compare(ctx, base, test)
	v.Name = func(row *shipsdb.ComparedShip) (humanize.Name, string) {
		name := humanize.Printable(row.Name)
		return humanize.Name{Base: name, Full: name}, site.PageOf(v.Having(row.Base != nil).ID) + "/ships"
	}
	v.Lists = []moves.ListOf[*shipsdb.ComparedShip]{
		{ID: "lost", Title: "Lost", State: table.OnlyBase}, {ID: "new", Title: "New", State: table.OnlyTest, Test: true},
	}
	v.Words.Sentence = func(f *moves.Figures[*shipsdb.ComparedShip]) (lead, rest string) { return f.Says(), "" }
	return err
}
