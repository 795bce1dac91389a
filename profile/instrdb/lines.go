package instrdb

import (
	"context"

	"proflens/analyze"
	"proflens/analyze/sources"
	"proflens/profile/lines"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// The columns of lines: functions that are declared there, and their entry counts, or where
// counter 0 is none their totals.
var (
	functionsColumn = lines.Column{
		Key: "functions", Label: "Functions", Title: "functions that are declared on the line", Counts: true,
	}
	enteredColumn = lines.Column{
		Key: "entry", Label: "Entered", Title: "how often these were entered: their entry counts",
	}
	countedColumn = lines.Column{Key: "total", Label: "Total", Title: "the totals of these: all their counters"}
)

// Lines are the functions by line of the files that they are declared in; nil where no
// program says where they are, and where another part of the profile has more by line.
func (p *Profile) Lines(ctx context.Context) (*lines.Table, error) {
	if p.Overview.Placed == 0 || p.Overview.Beside {
		return nil, nil
	}
	second, values := countedColumn, totalColumn
	if analyze.HasEntry(p.Overview.Info.Variant) {
		second, values = enteredColumn, entryColumn
	}
	return stored.Cached(ctx, p.Profile, "function lines", func() (*lines.Table, int64, error) {
		files, err := p.files(ctx)
		if err != nil {
			return nil, 0, err
		}
		columns, err := p.columns(ctx, placeColumn, values, totalHighColumn)
		if err != nil {
			return nil, 0, err
		}
		b := lines.New(functionsColumn, second)
		for i := range uint32(p.rows) {
			at := columns[placeColumn].at(i)
			if at>>32 == 0 || at>>32 > uint64(len(files)) {
				continue
			}
			name := files[at>>32-1]
			b.Add(name, uint32(at), 0, 1)
			value := columns[values].at(i)
			if values == totalColumn && columns[totalHighColumn].at(i) > 0 {
				value = 1<<64 - 1
			}
			b.Add(name, uint32(at), 1, value)
		}
		t := b.Table()
		return t, t.Bytes(), nil
	})
}

// DeclaredAt are the records of the functions that are declared on a line, those with the
// largest totals first, at most limit; and how many there are.
func (p *Profile) DeclaredAt(ctx context.Context, file string, line uint32,
	limit int) (rows []Row, all int, err error) {
	if p.Overview.Placed == 0 || p.Overview.Beside {
		return nil, 0, nil
	}
	files, err := p.files(ctx)
	if err != nil {
		return nil, 0, err
	}
	columns, err := p.columns(ctx, placeColumn)
	if err != nil {
		return nil, 0, err
	}
	at := columns[placeColumn].at
	ids := query.Select(p.rows, nil, []query.Test{func(i uint32) bool {
		place := at(i)
		return uint32(place) == line && place>>32 > 0 && place>>32 <= uint64(len(files)) &&
			sources.Clean(files[place>>32-1]) == file
	}})
	rows, err = p.readRows(ctx, min(len(ids), limit), func(n int) uint32 { return ids[n] }, func(int, *Row) {})
	return rows, len(ids), err
}
