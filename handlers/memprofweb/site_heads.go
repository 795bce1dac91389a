package memprofweb

import (
	"strings"

	"proflens/decode/memprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// The columns of the pages of sites, by the names that tables have for them.
const (
	siteColumns  = "name bytes share count contexts sites mixed cold_bytes hot_bytes accesses lifetime_density lifetime"
	blameColumns = "name type at bytes share count avg_size lived lifetime density class"
)

// drawn are those that no table has.
var drawn = map[string]site.Column{
	"share": {Label: "Share", Title: "of the bytes of the contexts that match", Number: true},
	"at":    {Label: "At", Title: "the line that allocates the most bytes"},
	"lived": {Label: "0.1 ms … 1 s",
		Title: "bytes by mean lifetime: below 0.1 ms, then ten times as long each, the last 1 s or more"},
}

// needed are the fields that contexts must have for what is no figure of a context.
var needed = map[query.Column]memprof.MIBField{
	"share": memprof.TotalSize, memprofdb.ColCold: memprof.TotalLifetimeAccessDensity,
	"hot_bytes": memprof.TotalLifetimeAccessDensity, "lived": memprof.TotalLifetime,
}

// firstHeads are the names of rows, where the table does not say what they are of.
var firstHeads = map[memprofdb.SiteBy]string{
	memprofdb.SitesByFunction: "Function", memprofdb.SitesByLine: "Line", byFolder: "File or folder",
	memprofdb.SitesByType: "Type",
}

// heads are the heads of a table of sites, of the columns that the contexts have figures for. What
// the table lacks is that of contexts, by which sites are not sorted.
func (v *sitesRequest) heads(o *memprofdb.Overview, of *table.Declaration, columns string) []page.Head {
	byType := memprofdb.SiteBy(v.By) == memprofdb.SitesByType
	var list []site.Column
	for _, name := range strings.Fields(columns) {
		c, own := drawn[name]
		if f := of.Field(name); f != nil {
			c = lists.HeadOf(f)
		} else if !own {
			c = lists.HeadOf(memprofdb.Allocations.Field(name))
			c.Sort = ""
		}
		c.Key = query.Column(name)
		field, _ := memprofdb.Needs(c.Key)
		if field = max(field, needed[c.Key]); field != 0 && !o.Schema.Has(field) {
			continue
		}
		switch first := firstHeads[memprofdb.SiteBy(v.By)]; {
		case name == "name" && first != "":
			c.Label = first
			if byType {
				c.Sort = memprofdb.ColType
			}
		case name == "type" && byType:
			c.Label, c.Title, c.Sort = "Most from", "the function to blame for the most bytes", ""
		}
		list = append(list, c)
	}
	return site.ColumnHeads(list, orderOf(v.SiteSort, v.address))
}
