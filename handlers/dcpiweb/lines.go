package dcpiweb

import (
	"context"
	"fmt"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
)

// compiledTo is an address that a line was compiled to.
func compiledTo(_ context.Context, db *dcpidb.Profile, base string, r *dcpidb.AddressRow) (site.LineThing, error) {
	at := fmt.Sprintf("0x%x", r.Address)
	to := site.NewAddress(base+"/addresses").With("image", db.Overview.ImageKey(r.Image)).With("from", at).With("to", at)
	thing := site.LineThing{
		Name: humanize.Name{Base: at, Full: at}, URL: to.String(), Value: humanize.Count(r.Cells[0].Samples),
	}
	if r.HasProcedure {
		thing.Name.Args = " " + humanize.Printable(r.Procedure) + fmt.Sprintf(" + 0x%x", r.Inside)
	}
	return thing, nil
}
