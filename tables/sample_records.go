package tables

import (
	"context"
	"slices"

	"proflens/decode/sampleprof"
	"proflens/profiledb/sampledb"
)

func openSampleRecords(ctx context.Context, p *sampledb.Profile, o Options) (Table, error) {
	return SampleRecords(ctx, p, 0, o)
}

// SampleRecords is the counts of a profile, place by place, in functions and in what is
// inlined into them: of a function by its GUID, or of all with 0.
func SampleRecords(ctx context.Context, p *sampledb.Profile, function uint64, o Options) (Table, error) {
	return placesTable(ctx, p, sampledb.OfRecords, function, o, []string{
		"count", "offset", "discriminator", "targets", "depth", "inlined", "function",
	},
		func(names []sampledb.Name) []Column[sampledb.Place] {
			return slices.Concat(
				sampleSide("function", func(r *sampledb.Place) *sampledb.Name { return &names[r.Entry.Name] }, o.Demangle),
				[]Column[sampledb.Place]{{"context", 0, func(r *sampledb.Place) Cell { return contextCell(r.Entry, names) }}},
				sampleSide("inlined", func(r *sampledb.Place) *sampledb.Name {
					if r.Depth() == 0 {
						return nil
					}
					return &names[r.Function.Name]
				}, o.Demangle),
				whereColumns(p, names),
				[]Column[sampledb.Place]{
					{"count", 12, func(r *sampledb.Place) Cell { return Count(r.Count) }},
					{"targets", 8, func(r *sampledb.Place) Cell { return Int(uint64(len(r.Targets))) }},
				})
		})
}

// placesTable is a table of places. columns makes its columns from the profile's names.
func placesTable(ctx context.Context, p *sampledb.Profile, of sampledb.PlacesOf, function uint64, o Options,
	text []string, columns func(names []sampledb.Name) []Column[sampledb.Place]) (Table, error) {
	names, err := p.Names(ctx)
	if err != nil {
		return nil, err
	}
	places, err := p.Places(ctx, of, function)
	if err != nil {
		return nil, err
	}
	return &List[sampledb.Place]{Columns: columns(names), Text: text, Quote: o.Quote,
		Read: func(ctx context.Context, offset, limit int) (Step[sampledb.Place], error) {
			rows, err := places.Read(ctx, offset, limit)
			return Step[sampledb.Place]{Rows: rows, Total: places.Len}, err
		}}, nil
}

// whereColumns say where a place is: in the profile's row, in what is inlined there, and in
// the source where that is known.
func whereColumns(p *sampledb.Profile, names []sampledb.Name) []Column[sampledb.Place] {
	line := func(r *sampledb.Place) (string, uint32) {
		n := &names[r.Function.Name]
		at, ok := sampledb.LineOf(n.Line, r.Offset)
		if n.File == "" || !ok || p.Overview.Has(sampleprof.Probes) {
			return "", 0
		}
		return n.File, at
	}
	return []Column[sampledb.Place]{
		{"entry_index", 8, func(r *sampledb.Place) Cell { return Int(uint64(r.Entry.ID)) }},
		{"inlined_path", 0, func(r *sampledb.Place) Cell {
			if r.Depth() == 0 {
				return Null
			}
			return Text(string(appendFrames(nil, r.Inlined(), names)))
		}},
		{"depth", 5, func(r *sampledb.Place) Cell { return Int(uint64(r.Depth())) }},
		{"offset", 7, func(r *sampledb.Place) Cell { return Int(uint64(r.Offset)) }},
		{"discriminator", 13, func(r *sampledb.Place) Cell { return Int(uint64(r.Discriminator)) }},
		{"file", 0, func(r *sampledb.Place) Cell { file, _ := line(r); return textOrNull(file) }},
		{"line", 7, func(r *sampledb.Place) Cell { _, line := line(r); return known(line) }},
	}
}

// contextCell is the calling context of a row, as llvm-profdata prints it; null without
// one.
func contextCell(e *sampledb.Entry, names []sampledb.Name) Cell {
	if len(e.Context) == 0 {
		return Null
	}
	return Text(string(appendFrames(nil, e.Context, names)))
}

// appendFrames writes frames as contexts are written: "main:3.1 @ _Z1fv". Where they have
// more names than any real ones, hashes stand for the rest.
func appendFrames(b []byte, frames []sampleprof.Frame, names []sampledb.Name) []byte {
	for i, f := range frames {
		if i > 0 {
			b = append(b, " @ "...)
		}
		b = appendSampleName(b, &names[f.Name], len(b) > stackBytes)
		if i < len(frames)-1 {
			b = append(append(b, ':'), f.Loc.String()...)
		}
	}
	return b
}

// appendSampleName writes a linkage name or, where that is not known, the hash as
// llvm-profdata prints it.
func appendSampleName(b []byte, n *sampledb.Name, hashed bool) []byte {
	if len(n.Linkage) == 0 || hashed {
		return append(b, sampleprof.Name{MD5: n.GUID}.String()...)
	}
	return append(b, n.Linkage...)
}
