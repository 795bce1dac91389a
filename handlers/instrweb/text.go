package instrweb

import (
	"slices"

	"proflens/handlers/site"
	"proflens/profile/instrdb"
)

// textHottestFunctions are the functions that hold most of the total.
func textHottestFunctions(t *site.ProfileWriter, rows []instrdb.Row) {
	rows = slices.DeleteFunc(rows, func(r instrdb.Row) bool { return r.Total.IsZero() })
	if len(rows) == 0 {
		return
	}
	width := len(rows[0].Total.String())
	t.Line("\nhottest functions, by total")
	for i := range rows {
		r := &rows[i]
		name := site.TextNameOf([]byte(r.PGO), r.Ref)
		if r.CS {
			name += " [context-sensitive]"
		}
		t.Line("  %-5s  %*s  %6.2f%%  %s", r.Class, width, r.Total.String(), 100*r.Share, name)
	}
}
