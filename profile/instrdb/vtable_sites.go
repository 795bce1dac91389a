package instrdb

import (
	"context"

	"proflens/profile/btree"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// VTableSite is a value site that saw a vtable.
type VTableSite struct {
	VTable    uint64     `col:"vtable" width:"16" is:"hex,script"`
	_         column     `col:"class" is:"script"`
	Function  table.Name `col:"name" head:"Function" is:"sort,up,words"`
	FuncHash  uint64     `col:"func_hash" width:"16" head:"FuncHash" is:"hex,key"`
	Rank      int        `col:"rank" width:"8" is:"sort" help:"of the function record" as:"integer 1.."`
	CS        bool       `col:"context_sensitive" width:"17" head:"CS" help:"counted after inlining"`
	Index     int        `col:"index" width:"5" head:"Site" is:"key"`
	_         column     `help:"index of the site among those of its kind in the function"`
	Addresses int        `col:"addresses" width:"9" is:"sort,range"`
	_         column     `help:"within the vtable, recorded by the site" as:"integer 1.."`
	// at most 2^64 - 1
	Count uint64  `col:"count" width:"20" head:"Calls" is:"sort,range"`
	_     column  `help:"how often the site recorded it"`
	Share float64 `col:"site_share" width:"10" head:"Share of the site" is:"part,sort,range,bar,whole"`
	_     column  `help:"of the site's count"`
	All   uint64  // how often it saw any vtable, at most 2^64 - 1
	site  uint32  // value_site.id
	of    *VTable
}

// Cell implements [table.Celler].
func (s *VTableSite) Cell(_ string, o *table.Options) table.Cell { return classOf(&s.of.Name, o) }

// VTableSites is the table of the sites that saw a vtable, those that saw it most often
// first.
var VTableSites = table.Declare[VTableSite](table.Declaration{
	About: "A value site that recorded a vtable.", Noun: "site", Usual: "-count", Sought: "function",
	Show: "name index count site_share addresses", Text: "vtable count site_share index demangled",
})

// VTableOf is what stands around its sites; nil of all vtables.
type VTableOf struct{ VTable *VTable }

// FindVTableSites finds the sites that saw the vtable of a NameRef. The error is
// stored.ErrNoPart where the profile does not know it, the context's, or about the file.
func (p *Profile) FindVTableSites(ctx context.Context, nameRef uint64) (table.Find, error) {
	x, err := p.vtableIndex(ctx)
	if err != nil {
		return nil, err
	}
	at, ok := x.places[nameRef]
	if !ok {
		return nil, stored.ErrNoPart
	}
	return p.vtableSites(x.sitesOf(at, nil), &x.list[at], "vtable sites "+x.list[at].Name.PGO), nil
}

// FindAllVTableSites finds the sites of every vtable, vtable by vtable: those without a name,
// then in the order of names.
func (p *Profile) FindAllVTableSites(ctx context.Context) (table.Find, error) {
	x, err := p.vtableIndex(ctx)
	if err != nil {
		return nil, err
	}
	var rows []VTableSite
	for _, missing := range []bool{true, false} {
		for at := range x.list {
			if x.list[at].Name.Missing() == missing {
				rows = x.sitesOf(at, rows)
			}
		}
	}
	return p.vtableSites(rows, nil, "all vtable sites"), nil
}

// sitesOf adds what a vtable's hits say to rows.
func (x *vtableIndex) sitesOf(at int, rows []VTableSite) []VTableSite {
	for _, h := range x.hits[at] {
		rows = append(rows, VTableSite{
			VTable: x.list[at].Name.Ref, of: &x.list[at], Rank: int(h.function) + 1, site: h.site, Addresses: int(h.addresses),
			Count: h.count, All: h.all, Share: float64(h.count) / float64(max(h.all, 1)),
		})
	}
	return rows
}

func (p *Profile) vtableSites(rows []VTableSite, of *VTable, what string) table.Find {
	sites := p.valueSite.Cursor()
	record := func(i uint32) int { return rows[i].Rank }
	return among(p, what, table.Set{Around: &VTableOf{of}}, len(rows), record, VTableSites.Values(rows),
		func(i uint32, row *btree.Row) (VTableSite, error) {
			s := rows[i]
			site, err := stored.Find(sites, int(s.site))
			if err != nil {
				return s, err
			}
			s.Index, s.FuncHash, s.CS = int(site.Int(vsSite)), row.Uint(fnFuncHash), row.Int(fnCS) != 0
			s.Function = nameOf(row)
			return s, nil
		})
}
