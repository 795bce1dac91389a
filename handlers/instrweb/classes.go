package instrweb

import (
	"proflens/analyze"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/chart"
	"proflens/views/page"
)

// classOf gives a record's class with the sentence that explains it.
func classOf(o *instrdb.Overview, row *instrdb.Row) page.Class {
	t := o.Thresholds
	if row.CS && o.CSThresholds != nil {
		t = *o.CSThresholds
	}
	switch {
	case row.Pseudo:
		return page.Class{Word: "pseudo", Reason: "profile supplementation wrote a pseudo count in place of counters"}
	case row.Class == analyze.Hot:
		return page.Class{Word: "hot", Reason: "the largest counter reaches the hot threshold, " + humanize.Int(t.Hot)}
	case row.Class == analyze.Warm:
		return page.Class{
			Word: "warm", Reason: humanize.Say("the largest counter is between the cold and the hot threshold, {} and {}",
				t.Cold, t.Hot),
		}
	case row.Class == analyze.Cold:
		return page.Class{
			Word: "cold", Reason: "executed, but no counter exceeds the cold threshold, " + humanize.Int(t.Cold),
		}
	case row.Class == analyze.Never:
		return page.Class{Word: "never", Reason: "every counter is 0"}
	}
	return page.Class{Reason: "no class: the summary has no hot threshold"}
}

// heatOf is the heat scale of a record's counters, by its own summary.
func heatOf(o *instrdb.Overview, cs bool) chart.Heat {
	t := o.Thresholds
	if cs && o.CSThresholds != nil {
		t = *o.CSThresholds
	}
	return chart.NewHeat(t.Cold, t.Hot, o.Max)
}

// legendOf prints the ends of the heat scale.
func legendOf(o *instrdb.Overview) chart.HeatLegend {
	t := o.Thresholds
	if t.Hot == 0 {
		return chart.HeatLegend{Low: "1", High: humanize.Count(o.Max).Text}
	}
	return chart.HeatLegend{Low: "cold ≤ " + humanize.Count(t.Cold).Text, High: "hot ≥ " + humanize.Count(t.Hot).Text}
}

// topShare is the share of the hottest function, the scale of share bars.
func topShare(o *instrdb.Overview) float64 {
	if len(o.Curve) == 0 {
		return 0
	}
	return o.Curve[0].Share
}
