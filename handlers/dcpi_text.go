package handlers

import (
	"strconv"
	"strings"

	"proflens/profiledb/dcpidb"
	"proflens/tables"
)

// textEvents is how many events the summary for a terminal has.
const textEvents = 8

// dcpiFigures are the numbers of a database of samples for a terminal, exact.
func dcpiFigures(t *profileWriter, o *dcpidb.Overview) {
	count := strconv.Itoa
	list := []textFigure{{"samples", o.Samples.String(), "of all events"}}
	events := dcpiEvents(o)
	for _, e := range events[:min(len(events), textEvents)] {
		periods := make([]string, len(e.periods))
		for i, p := range e.periods {
			periods[i] = strconv.FormatUint(p, 10)
		}
		note := "one every " + strings.Join(periods[:min(len(periods), 4)], ", ")
		if len(periods) > 4 {
			note += " …"
		}
		list = append(list, textFigure{"  " + textWord(e.name), e.samples.String(), note})
	}
	if more := len(o.Events) - textEvents; more > 0 {
		list = append(list, textFigure{"  other events", count(more), ""})
	}
	t.epochs = len(o.Epochs) > 1
	epochs := tables.Printable(o.Epochs[0])
	if t.epochs {
		epochs += " to " + tables.Printable(o.Epochs[len(o.Epochs)-1])
	}
	t.list(append(list,
		textFigure{"images", count(len(o.Images)), count(knownProcedures(o)) + " procedures known"},
		textFigure{"epochs", count(len(o.Epochs)), epochs},
		textFigure{"hosts", count(len(o.Platforms)), textWord(strings.Join(o.Platforms[:min(len(o.Platforms), 4)], ", "))},
		textFigure{"profiles", count(len(o.Profiles)), "an event of an image in an epoch on a host each"}))
}

// procedures are those with the most samples of the first event; images whose
// procedures are not known have ranges of addresses.
func procedures(t *profileWriter, o *dcpidb.Overview, page *dcpidb.ProcedurePage) {
	if len(page.Rows) == 0 || len(page.Columns) == 0 {
		return
	}
	total := float64(page.Columns[0].Total.Samples)
	width := len(strconv.FormatUint(page.Rows[0].Cells[0].Samples, 10))
	t.line("\nprocedures, by samples of %s", textWord(page.Columns[0].Name))
	for i := range page.Rows {
		r := &page.Rows[i]
		samples := r.Cells[0].Samples
		if samples == 0 { // of other events alone
			continue
		}
		name := textWord(r.Label())
		if r.Kind == dcpidb.RowNone {
			name = "<no procedure>"
		}
		t.line("  %*d  %6.2f%%  %s  %s", width, samples, 100*part(float64(samples), total), name, textWord(o.Images[r.Image].Label))
	}
}

// dcpiCommands are what can be asked of samples.
func dcpiCommands(t *profileWriter, next func(does, call string)) {
	next("all procedures", quoted(t.api, "/procedures?format=text"))
	next("samples by address", quoted(t.api, "/samples?format=text&sort=-samples"))
	next("by image", quoted(t.api, "/images?format=text"))
	next("by epoch", quoted(t.api, "/epochs?format=text"))
	if t.epochs {
		next("what changed over time", quoted(t.api, "/diff?format=text"))
	}
	next("along the addresses", quoted(t.api, "/heat?format=text"))
	next("for go tool pprof", "-OJ "+quoted(t.api, "/export/pprof"))
}
