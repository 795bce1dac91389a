package tables

import (
	"context"

	"proflens/profile/lines"
	"proflens/profile/table"
)

// openLines makes the table of the lines that a family has figures of.
func openLines[P any](figures func(P, context.Context) (*lines.Table, error)) opener[P] {
	return varied(func(ctx context.Context, p P) (*table.Declaration, table.Find, error) {
		t, err := figures(p, ctx)
		if t == nil {
			t = &lines.Table{}
		}
		d, find := t.FindLines(t.Files)
		return d, find, err
	})
}
