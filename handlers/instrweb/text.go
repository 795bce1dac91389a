package instrweb

import (
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
)

// textFigures are the numbers of the overview, exact.
func textFigures(t *site.ProfileWriter, o *instrdb.Overview) {
	uint := func(n uint64) string { return strconv.FormatUint(n, 10) }
	list := []site.TextFigure{
		{Label: "functions", Value: strconv.Itoa(o.Functions), Note: strconv.Itoa(o.NeverRan) + " never executed"},
		{Label: "counters", Value: uint(o.Counters), Note: uint(o.Zero) + " are zero"},
		{Label: "total count", Value: o.Total.String(), Note: ""},
		{Label: "maximum counter", Value: uint(o.Max), Note: ""},
	}
	if at := o.MaxAt; at != nil && o.Max > 0 {
		list[3].Note = "in " + site.TextNameOf(at.Name, at.NameRef)
	}
	thresholds := func(t analyze.Thresholds, of string) {
		if t.Hot > 0 {
			list = append(list,
				site.TextFigure{Label: "hot threshold" + of, Value: uint(t.Hot),
					Note: "99 % cutoff, reached by " + model.Amount(t.NumHot, "counter", "counters")},
				site.TextFigure{Label: "cold threshold" + of, Value: uint(t.Cold), Note: "99.9999 % cutoff"})
		}
	}
	thresholds(o.Thresholds, "")
	if o.CSThresholds != nil {
		thresholds(*o.CSThresholds, ", CS")
	}
	t.List(append(list, site.TextFigure{
		Label: "value sites", Value: uint(o.Sites[0] + o.Sites[1] + o.Sites[2]), Note: "",
	}))
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
