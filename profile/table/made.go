package table

import (
	"reflect"
	"slices"
	"strings"
)

// Made is a column that the rows of one set alone have, such as one for each event that
// was sampled. Scripts have it behind those of the rows' struct.
type Made struct {
	Name, Head, Help, How string
	Width                 int
	Is                    string // as in the tag of a field
	Cell                  func(row any, o *Options) Cell
	Compare               func(a, b any) int // orders two rows; nil has them in the order of their cells
}

// made stands for such columns among those that a page shows.
const made = "*"

// With is the declaration with more columns, and with the order that is then the usual one.
func (d *Declaration) With(usual string, list []Made) *Declaration {
	more := d.copy()
	more.Usual, more.fields = usual, slices.Clone(more.fields)
	for _, m := range list {
		f := &Field{
			Name: m.Name, Head: m.Head, Help: m.Help, How: m.How, Page: true, Script: true, Own: m.Name, made: true,
			width: m.Width, typ: computedType, order: m.Compare,
			cell: func(row reflect.Value, o *Options) Cell { return m.Cell(row.Addr().Interface(), o) },
		}
		f.traits(m.Is, "")
		f.Sort = f.Sort && !strings.Contains(m.Name, ",") // which divides the words of sort=
		more.fields = append(more.fields, f)
	}
	return more
}
