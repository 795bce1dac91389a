package instrdb

import (
	"context"
	"strings"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/profile/table"
)

// VTable is a virtual table that the profile names, places or saw at a value site
// of kind IPVK_VTableTarget. The one of NameRef 0 is the addresses that are in none.
type VTable struct {
	Name    table.Name `col:"name" head:"Class" is:"sort,up,words" help:"that the vtable is of"`
	_       column     `col:"class" is:"script"`
	Address *uint64    `col:"address" width:"18" head:"Address range" is:"address,sort,up"`
	_       column     `help:"in the program's memory; the lowest if there are several"`
	Size    *uint64    `col:"size" width:"8" head:"Bytes" is:"plain,sort,range" help:"size of the vtable"`
	// Ranges is where it stood, lowest address first; none where only raw profiles would say, or
	// where no raw profile had it.
	Ranges    []instrprof.VTable `col:"ranges" is:"script"`
	Sites     int                `col:"sites" width:"8" is:"sort,range" help:"virtual calls that recorded it"`
	Functions int                `col:"functions" width:"8" is:"sort,range" help:"function records with these sites"`
	Count     analyze.Sum        `col:"count" width:"20" head:"Calls" is:"sort,range"`
	_         column             `help:"how often value sites recorded the vtable"`
	_         column             `how:"vtables the number of calls of a class"`
	Share     float64            `col:"share" width:"8" is:"part,range,bar" help:"of the counts of all vtable sites"`
	Seen      bool               `facet:"seen" label:"Seen" not:"Never seen" help:"vtables recorded by a virtual call"`
}

// Cell implements [table.Celler].
func (v *VTable) Cell(_ string, o *table.Options) table.Cell { return classOf(&v.Name, o) }

// classOf is the class that a vtable's name says it is of, null where it says none.
func classOf(n *table.Name, o *table.Options) table.Cell {
	if class := VTableClass(n.Demangled(o)); n.PGO != "" && class != "" {
		return table.Text(class)
	}
	return table.Null
}

// VTableClass is the class that a vtable's demangled name says it is of, empty
// where it says none.
func VTableClass(demangled string) string {
	class, ok := strings.CutPrefix(demangled, "vtable for ")
	if !ok {
		return ""
	}
	return class
}

// VTables is the table of vtables (instrprof.md §2.6).
var VTables = table.Declare[VTable](table.Declaration{
	About: "A class with a vtable.", Noun: "vtable", Usual: "-count", Sought: "class",
	Show: "name count share sites functions address size", Text: "count share sites address size demangled",
})

// VTableSums is what stands around vtables.
type VTableSums struct {
	Seen   int         // vtables that a site saw, without that of NameRef 0
	Total  analyze.Sum // of the counts of all vtable sites
	None   *VTable     // the addresses in no vtable; nil where there are none
	NoneAt int         // how many addresses those are, site by site
}

// FindVTables finds vtables; ties are in the order of names. The first call scans all value
// sites. Errors are the context's, or about the file.
func (p *Profile) FindVTables(ctx context.Context) (table.Find, error) {
	x, err := p.vtableIndex(ctx)
	if err != nil {
		return nil, err
	}
	around := &VTableSums{Seen: x.seen, Total: x.total, NoneAt: x.noneAt}
	if x.none >= 0 {
		around.None = &x.list[x.none]
	}
	return VTables.Within(table.Set{Rows: x.list, Around: around}), nil
}
