package dcpiweb

import (
	"strings"

	"proflens/handlers/lists"
	"proflens/internal/humanize"
	"proflens/profile/dcpidb"
	"proflens/views/chart"
)

// procedureSeries draws the procedures of a page over epochs or hosts.
func (d *dcpiPage) procedureSeries(rows []dcpidb.ProcedureRow, columns []dcpidb.Column) *chart.SeriesChart {
	var lines []chart.Series
	for i := range rows[:min(len(rows), chart.MaxSeries)] {
		row := &rows[i]
		name := d.short(row.Row)
		if row.Kind == dcpidb.RowNone {
			name = "(no symbol)"
		}
		if len(d.db.Images) > 1 {
			name += " in " + humanize.Printable(row.In.Label)
		}
		lines = append(lines, chart.Series{Name: name, Values: valuesOf(columns, row.Cells)})
	}
	return d.series("procedures", columns, lines)
}

// totalSeries draws what a page of totals shows: images over epochs or hosts, where
// those make the columns; and the events of epochs or hosts, which are the rows, in
// per cent of their totals, for events of different periods have no common scale.
func (d *dcpiPage) totalSeries(v *lists.Request, columns []dcpidb.Column) *chart.SeriesChart {
	var lines []chart.Series
	var rows []dcpidb.Figured
	var heads []string
	by := dcpidb.ByEpoch
	for i := range v.Found.Len() {
		switch t := v.Found.Row(i).Addr().Interface().(type) {
		case *dcpidb.ImageTotal:
			if i < chart.MaxSeries {
				lines = append(lines, chart.Series{Name: humanize.Printable(t.Label), Values: valuesOf(columns, t.Cells)})
			}
		case *dcpidb.PlatformTotal:
			by, rows, heads = dcpidb.ByPlatform, append(rows, t), append(heads, humanize.Printable(t.Host))
		case *dcpidb.EpochTotal:
			rows, heads = append(rows, t), append(heads, dcpidb.Label(by, t.Epoch))
		}
	}
	switch {
	case rows != nil:
	case d.By == dcpidb.ByEpoch || d.By == dcpidb.ByPlatform:
		return d.series("images", columns, lines)
	default: // events have no common scale
		return nil
	}
	for i := range columns[:min(len(columns), chart.MaxSeries)] {
		line := chart.Series{Name: humanize.Printable(columns[i].Name), Values: make([]float64, len(rows))}
		for n := range rows {
			line.Values[n] = columns[i].Share(&rows[n].Figures()[i])
		}
		lines = append(lines, line)
	}
	return chart.NewSeriesChart("Share of the samples of each event in each "+setWord(by)+": "+lineNames(lines)+
		"; the table below has the figures",
		heads, lines, by == dcpidb.ByEpoch, func(v float64) string { return humanize.Percent(v, 1) })
}

// series draws lines over the columns.
func (d *dcpiPage) series(of string, columns []dcpidb.Column, lines []chart.Series) *chart.SeriesChart {
	if len(columns) == 0 {
		return nil
	}
	heads := make([]string, len(columns))
	for i := range columns {
		heads[i] = columns[i].Label()
	}
	unit := columns[0].Unit
	label := strings.ToUpper(string(unit[:1])) + string(unit[1:]) + " of " + humanize.Printable(columns[0].Event) +
		" in each " + setWord(d.By) + ", of the " + of + " " + lineNames(lines) + "; the table below has the figures"
	return chart.NewSeriesChart(label, heads, lines, d.By == dcpidb.ByEpoch, func(v float64) string {
		if unit == dcpidb.UnitSeconds {
			return dcpiNumber(v, unit)
		}
		return humanize.AxisCount(rounded(v))
	})
}

func setWord(by dcpidb.Dimension) string {
	if by == dcpidb.ByPlatform {
		return "host"
	}
	return "epoch"
}

func lineNames(lines []chart.Series) string {
	names := make([]string, len(lines))
	for i := range lines {
		names[i] = lines[i].Name
	}
	return strings.Join(names, ", ")
}

// valuesOf are a row's figures in the units of their columns.
func valuesOf(columns []dcpidb.Column, cells []dcpidb.Cell) []float64 {
	values := make([]float64, len(columns))
	for i := range columns {
		if !columns[i].NoTime {
			values[i] = cells[i].Value(columns[i].Unit)
		}
	}
	return values
}
