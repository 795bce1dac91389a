package instrdb

import (
	"proflens/analyze"
	"proflens/profile/instrdb/collected"
)

// overview is what is known of the records before they are ranked.
func overview(c *collected.Collection) *Overview {
	f := &c.Sums
	o := thresholds(c)
	o.Counts = Counts{
		Functions: c.Len(), Names: f.Quality.Names(), Classes: Classes{}, Counters: f.Counters, Zero: f.Zero,
		Total: f.Total, Max: f.Max, Sites: f.Sites, BitmapBytes: f.BitmapBytes, Traces: len(c.Traces),
	}
	o.Repeats, o.Histogram, o.Quality = f.Repeats, f.Histogram, f.Quality.Figures()
	f.Findings, f.Quality = f.Quality.Findings(), nil
	var totals analyze.RecordTotals
	totals.Grow(c.Len())
	f.Plain, f.CS = analyze.Summarizer{}, analyze.Summarizer{} // what they hold is not needed again
	for r := range c.All() {
		totals.Add(r.Total)
		stats := r.Stats()
		class := o.Classify(&stats)
		o.Classes[class]++
		if class == analyze.Never {
			o.NeverRan++
		}
	}
	curve := totals.Curve()
	o.Curve, o.Hot90, o.Hot99 = curve.Points, curve.Hot90, curve.Hot99
	return o
}

// thresholds is an overview that knows nothing but the classes of records.
func thresholds(c *collected.Collection) *Overview {
	f := &c.Sums
	o := &Overview{Info: *c.Info, Summary: *f.Plain.Summary()}
	o.Thresholds = analyze.ThresholdsOf(&o.Summary)
	if f.AnyCS {
		o.CSSummary = f.CS.Summary()
		o.CSThresholds = new(analyze.ThresholdsOf(o.CSSummary))
	}
	return o
}
