package instrweb

import (
	"context"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/figure"
	"proflens/profile/instrdb"
)

// counts are how many there are of something, and where the maximum is.
type counts struct {
	*instrdb.Counts
	FileRecords uint64 `api:"file_records,after=functions"`
	MaxFID      string `api:"max_fid,null,after=max"`
}

// quality is what to know before trusting a profile.
type quality struct {
	*analyze.QualityFigures
	SiteLimit          int     `api:"site_limit" doc:"How many values a run keeps per site by default."`
	NeverExecuted      int     `api:"never_executed" doc:"Functions that never ran."`
	NeverExecutedShare float64 `api:"never_executed_share"`
	Counters99         uint64  `api:"counters_of_99_percent"`
	Counters99Share    float64 `api:"counters_of_99_percent_share" doc:"Their share of all counters."`
}

// inProfile is what the API says of an instrumentation profile.
type inProfile struct {
	Counts  counts  `api:"counts"`
	Quality quality `api:"quality"`
	*instrdb.Overview
}

func whole(_ context.Context, records *instrdb.Profile) (*inProfile, error) {
	o := records.Overview
	object := &inProfile{counts{&o.Counts, o.FileRecords(), ""}, quality{
		&o.Quality, analyze.SiteLimit(&o.Info), o.NeverRan, humanize.Part(o.NeverRan, o.Functions),
		o.Thresholds.NumHot, humanize.Part(o.Thresholds.NumHot, o.Counters),
	}, o}
	if o.MaxAt != nil {
		object.Counts.MaxFID = site.FID(o.MaxAt.Ref)
	}
	return object, nil
}

// change says what a figure's value means for its note.
func (s *handler) change(overview any, w figure.Words, f *figure.Shown) {
	o := overview.(*instrdb.Overview)
	at := o.MaxAt
	if w == figure.Terminal {
		if f.Name == "max" && at != nil && o.Max > 0 {
			f.Note = "in " + site.TextNameOf([]byte(at.PGO), at.Ref)
		}
		return
	}
	switch f.Name {
	case "functions":
		f.Aside = recordsAside(o)
	case "counters":
		f.Note = zeroNote(o)
	case "sites":
		f.Note = sitesNote(o)
	case "max":
		if f.Note = "no counter is above 0"; at != nil && o.Max > 0 {
			name := s.Symbols(names.Full).Name([]byte(at.PGO), at.Ref)
			f.Note, f.Title, f.URL = site.ShortName(name)+", no. "+humanize.Int(at.MaxIndex), name.Full, functionURL("", o, at)
		}
	case "hot", "cold":
		if f.Value.Text == "0" {
			f.Value.Text = "–"
		}
		switch {
		case o.Thresholds.Hot > 0:
		case o.Max == 0:
			f.Note = "no counter is above 0"
		default:
			f.Note = map[string]string{"hot": "0 in the summary, so there are no classes", "cold": "not in use"}[f.Name]
		}
	}
	if o.Functions == 0 {
		f.Note, f.URL = "", ""
	}
}
