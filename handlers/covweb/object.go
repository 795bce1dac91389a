package covweb

import (
	"context"
	"fmt"
	"strconv"

	"proflens/analyze/coverage"
	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/profiledb/covdb"
	"proflens/profiledb/stored"
)

// objectsSay is what the objects are.
const objectsSay = `
	=llvmcov.ChangedObject Changed: Coverage of the lines that a diff adds.
	=covweb.metricObject CoverageMetric
	=covweb.object SourceCoverage: of a profile that was given its program: the numbers are llvm-cov's, those of union
	count what ran in any instance of a template`

// metricObject is how many there are of something, and how many were covered.
type metricObject struct {
	Total   int `json:"total"`
	Covered int `json:"covered"`
}

func metricOf(m coverage.Metric) metricObject { return metricObject{m.Total, m.Covered} }

// unionObject is what the instances of templates come to when they are laid on one another.
type unionObject struct {
	Lines    metricObject `json:"lines"`
	Regions  metricObject `json:"regions"`
	Branches metricObject `json:"branches"`
}

// object is what the API's object of a profile has of source coverage.
type object struct {
	Files          int                      `json:"files"`
	Lines          metricObject             `json:"lines"`
	LinesPartly    int                      `json:"lines_partly"`
	Regions        metricObject             `json:"regions"`
	Functions      metricObject             `json:"functions"`
	Instantiations metricObject             `json:"instantiations"`
	Branches       metricObject             `json:"branches"`
	MCDC           metricObject             `json:"mcdc"`
	Union          unionObject              `json:"union"`
	SingleByte     bool                     `json:"single_byte" doc:"counts say whether something ran, not how often"`
	Objects        []programObject          `json:"objects" is:"list ..100"`
	Misfits        map[covdb.MisfitKind]int `json:"misfits" is:"1.." doc:"functions by why they do not fit"`
	Unmapped       int                      `json:"unmapped_records" doc:"records with names that no given program has"`
}

// programObject is a program, a library, an object file, or a member of an archive.
type programObject struct {
	Name      string `json:"name"`
	Version   int    `json:"mapping_version"`
	BuildID   string `json:"build_id,omitempty"`
	Functions int    `json:"functions"`
	Damaged   int    `json:"damaged"`
}

// maxObjects is how many of a large archive's members the object lists.
const maxObjects = 100

// inProfile is what it adds to the object of a profile.
type inProfile struct {
	Coverage *object `json:"source_coverage" is:"!"`
}

func objectOf(_ context.Context, profile *stored.Profile, _ bool) (any, error) {
	p, err := covdb.Of(profile)
	if err != nil {
		return nil, err
	}
	o, t := p.Overview, &p.Overview.Totals
	list := make([]programObject, 0, len(o.Objects))
	for _, program := range o.Objects[:min(len(o.Objects), maxObjects)] {
		list = append(list, programObject{
			program.Name, program.Version, fmt.Sprintf("%x", program.BuildID), program.Functions, program.Damaged,
		})
	}
	return inProfile{&object{
		Files: o.Files, Lines: metricOf(t.Lines), LinesPartly: t.Partly, Regions: metricOf(t.Regions),
		Functions:      metricOf(t.Functions),
		Instantiations: metricOf(t.Instantiations), Branches: metricOf(t.Branches), MCDC: metricOf(t.MCDC),
		Union:      unionObject{metricOf(t.Union.Lines), metricOf(t.Union.Regions), metricOf(t.Union.Branches)},
		SingleByte: o.SingleByte, Objects: list, Misfits: o.Misfits, Unmapped: o.Foreign,
	}}, nil
}

func links(*catalog.Entry) []string {
	return []string{"coverage/lines", "export/llvm-cov-json", "export/lcov"}
}

// text are the figures for a terminal.
func text(_ context.Context, t *site.ProfileWriter, profile *stored.Profile) error {
	p, err := covdb.Of(profile)
	if err != nil {
		return err
	}
	s := &p.Overview.Totals
	figure := func(label string, m coverage.Metric) site.TextFigure {
		note := "of " + strconv.Itoa(m.Total)
		if m.Total > 0 {
			percent := m.Percent()
			if m.Covered < m.Total {
				percent = min(percent, 99.9) // nearly all is not all
			}
			note += ", " + strconv.FormatFloat(percent, 'f', 1, 64) + " %"
		}
		return site.TextFigure{Label: label, Value: strconv.Itoa(m.Covered), Note: note}
	}
	list := []site.TextFigure{
		figure("lines covered", s.Lines), figure("regions covered", s.Regions), figure("branches covered", s.Branches),
		figure("functions covered", s.Functions),
	}
	if s.MCDC.Total > 0 {
		list = append(list, figure("MC/DC conditions", s.MCDC))
	}
	t.List(list)
	return nil
}

func commands(context.Context, *stored.Profile) ([]site.Command, error) {
	return []site.Command{
		{Does: "files with the most missing lines", Path: "/coverage/files?format=text&limit=20"},
		{Does: "functions that never ran", Path: "/coverage/functions?state=never&format=text&limit=20"},
		{Does: "lines for genhtml and editors", Path: "/export/lcov", Options: site.Saved},
	}, nil
}

func receipt(*catalog.Entry) []site.Command {
	return []site.Command{{Does: "files with the most missing lines", Path: "/coverage/files?format=text&limit=20"}}
}

// counted are the lists of the rows that findings count.
var counted = map[string]string{
	"coverage.mismatched": "/misfits?kind=mismatched", "coverage.wrong_program": "/misfits?kind=mismatched",
	"coverage.short": "/misfits?kind=short",
	"coverage.lost":  "/misfits?kind=lost", "coverage.lost_idle": "/misfits?kind=lost",
	"coverage.no_bitmap": "/misfits?kind=no_bitmap", "coverage.hidden": "/misfits?kind=hidden",
	"coverage.dummies": "/misfits?kind=dummy",
}
