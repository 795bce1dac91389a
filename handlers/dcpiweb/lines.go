package dcpiweb

import (
	"context"
	"fmt"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/profile/stored"
)

// atLine are the addresses that a line was compiled to.
func atLine(ctx context.Context, p *stored.Profile, base, file string, line uint32,
	limit int) (site.LineThings, error) {
	things := site.LineThings{Title: "Addresses"}
	db, err := dcpidb.Of(p)
	if err != nil {
		return things, err
	}
	rows, all, err := db.AtLine(ctx, file, line, limit)
	if err != nil {
		return things, err
	}
	things.All = all
	for i := range rows {
		r := &rows[i]
		at := fmt.Sprintf("0x%x", r.Address)
		to := site.NewAddress(base+"/addresses").With("image", db.Overview.ImageKey(r.Image)).With("from", at).With("to", at)
		thing := site.LineThing{
			Name: humanize.Name{Base: at, Full: at}, URL: to.String(), Value: humanize.Count(r.Cells[0].Samples),
		}
		if r.HasProcedure {
			thing.Name.Args = " " + humanize.Printable(r.Procedure) + fmt.Sprintf(" + 0x%x", r.Inside)
		}
		things.List = append(things.List, thing)
	}
	return things, nil
}
