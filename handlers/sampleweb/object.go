package sampleweb

import (
	"context"

	"proflens/analyze/sample"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/figure"
	"proflens/profile/sampledb"
)

// inProfile is the overview of a sample profile, with the function that has the largest count.
type inProfile struct {
	*sampledb.Overview
	MaxFID string  `api:"max_fid,null,after=max" is:"fid" doc:"Function with the largest count."`
	Shown  summary `api:"summary,after=places"`
}

// summary is without its cutoffs, which are a table.
type summary struct {
	InFile bool `api:"in_file"`
	sampleprof.Summary
}

func whole(_ context.Context, m *sampledb.Profile) (*inProfile, error) {
	o := &inProfile{Overview: m.Overview, Shown: summary{m.Overview.OwnSummary, m.Overview.Summary}}
	largest, err := m.Largest() // all names may be too much
	if largest != nil {
		o.MaxFID = site.FID(largest.GUID)
	}
	return o, err
}

// change says of how many contexts the functions are, and how many places are hot.
func change(overview any, w figure.Words, s *figure.Shown) {
	o := overview.(*sampledb.Overview)
	switch {
	case s.Name == "functions" && o.Has(sampleprof.FullContexts):
		contexts := "in " + humanize.Plural(o.Entries, "context")
		if s.Aside = contexts; w == figure.Terminal {
			s.Note = contexts
		}
	case s.Name == "hot" && w == figure.Page:
		for _, e := range o.Summary.Entries {
			if e.Cutoff == sample.HotCutoff {
				s.Note += ", " + humanize.Plural(e.Counts, "place")
			}
		}
	}
}
