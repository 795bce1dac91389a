package dcpiweb

import (
	"context"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/dcpidb"
)

// textEvents is how many events the summary for a terminal has.
const textEvents = 8

// events are the numbers of each event for a terminal, exact.
func events(o *dcpidb.Overview) (list []site.TextFigure) {
	for _, e := range o.Counted[:min(len(o.Counted), textEvents)] {
		periods := make([]string, len(e.Periods))
		for i, p := range e.Periods {
			periods[i] = strconv.FormatUint(p, 10)
		}
		note := "one every " + strings.Join(periods[:min(len(periods), 4)], ", ")
		if len(periods) > 4 {
			note += " …"
		}
		list = append(list, site.TextFigure{Label: "  " + site.TextWord(e.Event), Value: e.Samples.String(), Note: note})
	}
	if more := len(o.Events) - textEvents; more > 0 {
		list = append(list, site.TextFigure{Label: "  other events", Value: strconv.Itoa(more)})
	}
	return list
}

// procedures are those with the most samples of the first event; images whose
// procedures are not known have ranges of addresses.
func procedures(t *site.ProfileWriter, o *dcpidb.Overview, page *dcpidb.ProcedurePage) {
	if len(page.Rows) == 0 || len(page.Columns) == 0 {
		return
	}
	total := float64(page.Columns[0].Total.Samples)
	width := len(strconv.FormatUint(page.Rows[0].Cells[0].Samples, 10))
	t.Line("\nprocedures, by samples of %s", site.TextWord(page.Columns[0].Name))
	for i := range page.Rows {
		r := &page.Rows[i]
		samples := r.Cells[0].Samples
		if samples == 0 { // of other events alone
			continue
		}
		name := site.TextWord(names.Demangle(r.Label(), names.Short))
		if r.Kind == dcpidb.RowNone {
			name = "<no procedure>"
		}
		t.Line("  %*d  %6.2f%%  %s  %s", width, samples, 100*humanize.Part(float64(samples), total), name,
			site.TextWord(o.Images[r.Image].Label))
	}
}

// dcpiCommands are what can be asked of samples.
func dcpiCommands(ctx context.Context, db *dcpidb.Profile) ([]site.Command, error) {
	list := []site.Command{
		"all procedures: /procedures?format=text",
		"samples by address: /samples?format=text&sort=-samples",
		"by image: /images?format=text",
		"by epoch: /epochs?format=text",
	}
	if len(db.Overview.Epochs) > 1 {
		list = append(list, "what changed over time: /diff?format=text")
	}
	return append(list,
		"along the addresses: /heat?format=text",
		"for go tool pprof: -OJ /export/pprof"), nil
}
