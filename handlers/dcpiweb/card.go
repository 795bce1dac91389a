package dcpiweb

import (
	"context"

	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/dcpidb"
	"proflens/views/chart"
	"proflens/views/picture"
)

// cardRows is how many procedures the picture of a link has.
const cardRows = 5

// cardChart is the procedures with the most samples of the first event.
func cardChart(ctx context.Context, db *dcpidb.Profile) (*picture.Chart, error) {
	rows, err := db.Procedures(ctx, dcpidb.ProcedureQuery{Limit: cardRows})
	if err != nil || len(rows.Columns) == 0 {
		return nil, err
	}
	c := &picture.Chart{Title: "Procedures by samples of " + humanize.Printable(rows.Columns[0].Name)}
	for i := range rows.Rows {
		r := &rows.Rows[i]
		samples := r.Cells[0].Samples
		if samples == 0 {
			break
		}
		label := names.Demangle(r.Label(), names.Short)
		if label == "" {
			label = "outside known procedures"
		}
		if len(db.Overview.Images) > 1 {
			label += " · " + db.Overview.Images[r.Image].Label
		}
		top := float64(rows.Rows[0].Cells[0].Samples)
		c.Rows = append(c.Rows, picture.Row{
			Label: label, Value: humanize.PartPercent(samples, rows.Columns[0].Total.Samples, 1),
			To: float64(samples) / top, Step: chart.ShareStep(float64(samples), top),
		})
	}
	return c, nil
}
