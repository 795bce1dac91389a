package tables

import (
	"context"
	"encoding/hex"

	"proflens/profiledb/stored"
)

var binaryIDColumns = []Column[[]byte]{
	{"id", 40, func(id *[]byte) Cell { return Text(hex.EncodeToString(*id)) }},
	{"bytes", 5, func(id *[]byte) Cell { return Int(uint64(len(*id))) }},
}

func openBinaryIDs(_ context.Context, p *stored.Profile, o Options) (Table, error) {
	return BinaryIDs(p, o), nil
}

// BinaryIDs is the build IDs of the programs that were profiled (instrprof.md
// §2.12).
func BinaryIDs(p *stored.Profile, o Options) Table {
	ids := p.Overview.Info.BinaryIDs
	return &List[[]byte]{Columns: binaryIDColumns, Quote: o.Quote, Read: func(_ context.Context, offset, limit int) (Step[[]byte], error) {
		from := min(offset, len(ids))
		return Step[[]byte]{Rows: ids[from:min(len(ids), from+limit)], Total: len(ids)}, nil
	}}
}
