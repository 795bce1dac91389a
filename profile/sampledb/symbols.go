package sampledb

import (
	"context"

	"proflens/decode/sampleprof"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// Symbol is a symbol of the profiled program, by the list in the profile or, without one, by the program.
type Symbol struct {
	Ident    `col:"symbol" parts:"fid,name,name_hex,linkage_name,demangled,path" head:"Symbol"`
	_        column  `how:"names a name" is:"sort,up,words"`
	Own      uint64  `col:"own" width:"12" head:"Own samples" how:"sample-symbols the list of symbols"`
	_        column  `is:"sort,range,bar" help:"counts of the function itself, wherever its code is"`
	Share    float64 `col:"share" width:"8" is:"part,sort,range" help:"of all counts" as:"number 0..1"`
	Contexts int     `col:"contexts" width:"8" is:"sort,range"`
	_        column  `help:"functions of the profile with the name: several with calling contexts"`
	Never    bool    `facet:"never" label:"Never sampled" help:"those without any count"`
}

// Symbols is the table of symbols, in the order of their names.
var Symbols = table.Declare[Symbol](table.Declaration{
	About: "A symbol of the profiled program.", Noun: "symbol", All: true,
	Usual: "symbol", Show: "symbol own share", Text: "own share demangled", Least: "own",
})

// FindSymbols finds symbols; none where there is neither a list nor a program.
func (p *Profile) FindSymbols(ctx context.Context) (table.Find, error) {
	x, err := p.index(ctx)
	if err != nil {
		return nil, err
	}
	list, err := stored.Cached(ctx, p.Profile, "sample symbols", func() ([]Symbol, int64, error) {
		var list []Symbol
		size := int64(0)
		err := p.Walk("sample_symbol", func(row *stored.Row) {
			text := row.Blob(1)
			s := Symbol{Ident: Ident{Linkage: text}}
			if id := row.Uint(2); id > 0 && id <= uint64(len(x.names)) {
				n := &x.names[id-1]
				s.ID, s.Own, s.Contexts = n.ID, n.Own(), n.Entries
			}
			s.GUID, s.Never, s.Share = sampleprof.Hash(string(text)), s.Own == 0,
				share(float64(s.Own), p.Overview.Samples.Float64())
			list, size = append(list, s), size+int64(len(text))+80
		})
		return list, size, err
	})
	return Symbols.Within(table.Set{Rows: list, Sorted: true}), err
}

// share is a part of a whole; of nothing it is 0.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}
