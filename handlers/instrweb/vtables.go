package instrweb

import (
	"net/http"

	"proflens/decode/instrprof"
	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/instrview"
	"proflens/views/page"
)

// vtables is the page and the table of the classes with a vtable.
func (s *handler) vtables() *lists.Declared {
	return &lists.Declared{
		Declaration: instrdb.VTables, ID: "vtables", API: "/vtables", View: site.VTablesView, Title: "VTables",
		Note: "A virtual call records the address of the vtable it reads: that of the object's class or, during " +
			"construction, of the class whose constructor is running.",
		First: "Most calls first: candidates for devirtualisation.",
		None: page.Blank{
			Title: "No vtables", Text: "clang records them with -fprofile-generate -mllvm -enable-vtable-value-profiling, " +
				"from LLVM 19 on.",
		},
		Find: lists.Plain(instrdb.OfAny, (*instrdb.Profile).FindVTables), Opens: "Open vtable",
		Adorn: aroundVTables, Inspect: s.inspectVTable,
	}
}

// aroundVTables says what there is, and what was seen that is in no vtable.
func aroundVTables(_ *http.Request, v *lists.Request, g *page.Grid) error {
	sums, all := v.Found.Around.(*instrdb.VTableSums), v.Found.All
	if all == 0 {
		return nil
	}
	if none := sums.None; none != nil {
		all--
		for i, label := range []string{"All", "Seen"} { // those that are in no vtable are a row too
			g.Facets[i].Label = label
		}
		g.Above = instrview.NoVTable(humanize.Say("{:count} of these counts are for addresses in no vtable: "+
			"{address|addresses} at {site}", none.Count, sums.NoneAt, none.Sites),
			v.Base+"/vtables/"+site.FID(0))
	}
	g.Says = humanize.Say("Virtual calls recorded {} of {vtable}, {:count} times in all.", sums.Seen, all, sums.Total)
	v.Link = func(row any) string { return v.Base + "/vtables/" + site.FID(row.(*instrdb.VTable).Name.Ref) }
	v.Draw = lists.Draws{
		"name": func(row any) page.GridCell {
			return page.GridCell{Name: new(vtableName(row.(*instrdb.VTable), v.Symbols))}
		},
		"address": func(row any) page.GridCell {
			ranges := row.(*instrdb.VTable).Ranges
			if len(ranges) == 0 {
				return page.GridCell{Text: "–", Title: "only raw profiles record where a vtable was"}
			}
			c := page.GridCell{Text: addressRange(&ranges[0])}
			if n := len(ranges); n > 1 {
				c.Tags = []page.Tag{{Text: humanize.Int(n-1) + " more", Tone: page.Neutral}}
			}
			return c
		},
	}
	return nil
}

// inspectedSites is how many sites of a vtable the inspector lists.
const inspectedSites = 12

// inspectVTable adds the sites that recorded a vtable most.
func (s *handler) inspectVTable(r *http.Request, v *lists.Request, in *page.Inspector, row any) error {
	of := row.(*instrdb.VTable)
	path, _ := names.Split([]byte(of.Name.PGO))
	in.Place = humanize.Printable(path)
	if of.Name.Ref != 0 {
		in.Facts.Add("NameRef", humanize.Hex64(of.Name.Ref))
	}
	if of.Sites == 0 {
		return nil
	}
	find, err := s.records(r).FindVTableSites(r.Context(), of.Name.Ref)
	if err != nil {
		return err
	}
	sites, err := find(r.Context(), table.Query{RowQuery: query.RowQuery{Limit: inspectedSites}})
	if err != nil {
		return err
	}
	list := page.Lines{Title: "Sites", Note: "most calls first"}
	for _, site := range sites.Rows.([]instrdb.VTableSite) {
		name := v.NameOf(&site.Function)
		list.List = append(list.List, page.NoteLine{
			Text: name.Namespace + name.Base, Title: name.Full, URL: v.Base + siteURL(&site),
			Note: humanize.Say("site {}, {:count}", site.Index, site.Count),
		})
	}
	if more := sites.All - len(list.List); more > 0 {
		list.More = humanize.Plural(more, "more site")
	}
	in.Lists = []page.Lines{list}
	return nil
}

// siteURL is the page of a site's function, at its vtables.
func siteURL(s *instrdb.VTableSite) string {
	return "/functions/" + site.FID(s.Function.Ref) + "?hash=" + humanize.Hex64(s.FuncHash) + "#vtables"
}

// vtableName is the class of a vtable: in full where a mode would leave out what
// it is of.
func vtableName(v *instrdb.VTable, s site.Symbols) humanize.Name {
	if v.Name.Ref == 0 {
		return humanize.Name{Base: "in no vtable", Full: "addresses in no vtable of the profile"}
	}
	if s.Mode == names.Mangled || v.Name.PGO == "" {
		return s.Name([]byte(v.Name.PGO), v.Name.Ref)
	}
	_, linkage := names.Split([]byte(v.Name.PGO))
	class := instrdb.VTableClass(s.Cache.Demangle(linkage, s.Mode))
	if class == "" {
		return site.Symbols{Cache: s.Cache, Mode: names.Full}.Name([]byte(v.Name.PGO), v.Name.Ref)
	}
	parts := names.SplitDemangled(class)
	return humanize.Name{
		Namespace: humanize.Printable(parts.Namespace), Base: humanize.Printable(parts.Base),
		Args: humanize.Printable(parts.Args),
		Full: s.Name([]byte(v.Name.PGO), v.Name.Ref).Full,
	}
}

// addressRange is the first and the last byte of a vtable.
func addressRange(r *instrprof.VTable) string {
	return humanize.Hex(r.Address) + "–" + humanize.Hex(r.Address+max(r.Size, 1)-1)
}
