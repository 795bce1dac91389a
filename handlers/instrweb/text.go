package instrweb

import (
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
)

// textFigures are the numbers of the overview, exact.
func textFigures(t *site.ProfileWriter, o *instrdb.Overview) {
	uint := func(n uint64) string { return strconv.FormatUint(n, 10) }
	list := []site.TextFigure{
		{"functions", strconv.Itoa(o.Functions), strconv.Itoa(o.NeverRan) + " never executed"},
		{"counters", uint(o.Counters), uint(o.Zero) + " are zero"},
		{"total count", o.Total.String(), ""},
		{"maximum counter", uint(o.Max), ""},
	}
	if at := o.MaxAt; at != nil && o.Max > 0 {
		list[3].Note = "in " + site.TextNameOf(at.Name, at.NameRef)
	}
	thresholds := func(t analyze.Thresholds, of string) {
		if t.Hot > 0 {
			list = append(list,
				site.TextFigure{"hot threshold" + of, uint(t.Hot), "99 % cutoff, reached by " + uint(t.NumHot) + " counters"},
				site.TextFigure{"cold threshold" + of, uint(t.Cold), "99.9999 % cutoff"})
		}
	}
	thresholds(o.Thresholds, "")
	if o.CSThresholds != nil {
		thresholds(*o.CSThresholds, ", CS")
	}
	t.List(append(list, site.TextFigure{"value sites", uint(o.Sites[0] + o.Sites[1] + o.Sites[2]), ""}))
}

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
		name := site.TextNameOf(r.Name, r.NameRef)
		if r.CS {
			name += " [context-sensitive]"
		}
		t.Line("  %-5s  %*s  %6.2f%%  %s", r.Class, width, r.Total.String(), 100*r.Share, name)
	}
}
