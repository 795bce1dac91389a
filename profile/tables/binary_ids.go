package tables

import (
	"context"

	"proflens/profile/stored"
	"proflens/profile/table"
)

// BinaryID is a build ID of a program that was profiled (instrprof.md §2.12).
type BinaryID struct {
	Place int    `col:"place" head:"#" is:"page,key,sort,up,plain" help:"position in the profile"`
	ID    []byte `col:"id" width:"40" as:"/^([0-9a-f]{2})*$/" head:"Build ID" is:"sort,up,words"`
	Bytes int    `col:"bytes" width:"5" is:"sort,range,plain" help:"an ID's length"`
}

// BinaryIDs is their table, in the profile's order.
var BinaryIDs = table.Declare[BinaryID](table.Declaration{
	About: "A build ID.", Noun: "build ID", Usual: "place", Sought: "hexadecimal digits",
	Show: "place id bytes",
})

// FindBinaryIDs finds among the build IDs of a profile of any family.
func FindBinaryIDs(p *stored.Profile, _ context.Context) (table.Find, error) {
	ids := p.Overview.Info.BinaryIDs
	list := make([]BinaryID, len(ids))
	for i, id := range ids {
		list[i] = BinaryID{i + 1, id, len(id)}
	}
	return BinaryIDs.Within(table.Set{Rows: list, Sorted: true}), nil
}
