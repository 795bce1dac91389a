package instrdb

import (
	"sync"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/migrations"
	"proflens/profile/btree"
	"proflens/profile/instrdb/collected"
	"proflens/profile/stored"
)

// Family is how instrumentation profiles are kept.
var Family = stored.Family{
	Name:    instrprof.Family,
	Called:  "instrumentation",
	Prepare: prepare,
	Rows: []stored.RowTable{
		{Name: "counter", Fill: counterRows}, {Name: "value", Fill: valueRows}, {Name: "trace_function", Fill: traceRows},
	},
}

// Profile is the function records of an open profile. It is shared by all who
// have the profile open, and safe for concurrent use.
type Profile struct {
	*stored.Profile
	// Overview is everything about it that is not a row of a table.
	Overview *Overview

	siteLimit int // see analyze.SiteLimit
	rows      int // records the file holds: all, or a preview's first
	all       int // records of the profile
	total     analyze.Sum

	function, valueSite, name, permutation, runningTotal *btree.Table
}

// Of is the function records of an open profile; stored.ErrNoPart when it has
// none.
func Of(p *stored.Profile) (*Profile, error) {
	return stored.Part(p, instrprof.Family, func(p *stored.Profile) (*Profile, error) {
		i := &Profile{Profile: p}
		return i, i.open()
	})
}

// OfAny is Of, and of a profile without function records one that has none of
// them: every query finds nothing.
func OfAny(p *stored.Profile) (*Profile, error) {
	if p.Has(instrprof.Family) {
		return Of(p)
	}
	image, err := noRecords()
	if err != nil {
		return nil, err
	}
	empty, err := p.Without(image)
	if err != nil {
		return nil, err
	}
	i := &Profile{Profile: empty}
	return i, i.open()
}

var noRecords = sync.OnceValues(func() ([]byte, error) {
	return stored.Image(migrations.Schema([]string{string(instrprof.Family)}), stored.Pages)
})

func (p *Profile) open() error {
	for name, table := range map[string]**btree.Table{
		"function": &p.function, "value_site": &p.valueSite, "name": &p.name,
		"permutation": &p.permutation, "running_total": &p.runningTotal,
	} {
		var err error
		if *table, err = p.Table(name); err != nil {
			return err
		}
	}
	p.rows, p.all = p.Meta().Int("rows"), p.Meta().Int("functions")
	if p.rows < 0 || p.rows > collected.MaxRecords || p.rows > p.all {
		return stored.Damaged("%d rows of %d functions", p.rows, p.all)
	}
	var err error
	if p.Overview, err = p.readOverview(); err != nil {
		return err
	}
	p.total, p.siteLimit = p.Overview.Total, analyze.SiteLimit(&p.Overview.Info)
	p.Overview.MaxAt, err = p.maxAt()
	return err
}
