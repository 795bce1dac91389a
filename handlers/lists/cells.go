package lists

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/analyze/sources"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/table"
	"proflens/views/page"
)

// none stands where a row has nothing in a column.
const none = "–"

// cell is what a row has in a column, as a page draws it: by the type of the field.
func (v *Request) cell(f *table.Field, row reflect.Value) page.GridCell {
	if draw := v.Draw[f.Name]; draw != nil {
		return draw(row.Addr().Interface())
	}
	switch x := f.Value(row).(type) {
	case nil:
		return page.GridCell{Text: none}
	case table.Named:
		c := page.GridCell{Name: new(v.NameOf(x))}
		if v.To != nil {
			c.URL = v.To(x)
		}
		return c
	case table.Located:
		return v.place(x)
	case table.Parted:
		return partCell(x)
	case *bool:
		return page.GridCell{Text: map[bool]string{true: "yes", false: "no"}[*x]}
	}
	if c := v.Lines(f.Value(row)); c.Lines != nil {
		return c
	}
	text := f.Text(row)
	n, ok := f.Float(row)
	switch {
	case text == "" || text == "[]":
		return page.GridCell{Text: none}
	case !ok:
		return page.GridCell{Text: humanize.Printable(text)}
	case f.Signed:
		return page.GridCell{Number: signed(f, n)}
	case f.Unit == table.Bytes:
		return page.GridCell{Number: humanize.BigBytes(text)}
	case f.Unit == table.Milliseconds:
		return page.GridCell{Number: humanize.Milliseconds(n)}
	case f.Unit == table.Part:
		return page.GridCell{Number: humanize.Number{Text: humanize.Percent(n, 1)}}
	case strings.ContainsAny(text, ".e"):
		return page.GridCell{Number: humanize.Rate(n)}
	}
	return page.GridCell{Number: humanize.BigCount(text)}
}

// signed is a difference with its sign.
func signed(f *table.Field, n float64) humanize.Number {
	if f.Unit == table.Part {
		return humanize.Number{Text: humanize.Points(n, 2)}
	}
	write := humanize.Rate(math.Abs(n))
	switch size := strconv.FormatFloat(math.Abs(n), 'f', 0, 64); {
	case n == 0:
		return humanize.Number{Text: "0"}
	case f.Unit == table.Bytes:
		write = humanize.BigBytes(size)
	case f.Unit == table.Milliseconds:
		write = humanize.Milliseconds(math.Abs(n))
	case n == math.Trunc(n):
		write = humanize.BigCount(size)
	}
	sign := "+"
	if n < 0 {
		sign = "−"
	}
	return humanize.Number{Text: sign + write.Text, Exact: write.Exact}
}

// partCell is a share, with what it is of.
func partCell(x table.Parted) page.GridCell {
	part, whole := x.Part()
	if whole == 0 {
		return page.GridCell{Text: none}
	}
	return page.GridCell{Number: humanize.Number{
		Text: humanize.Percent(float64(part)/float64(whole), 1), Exact: humanize.Say("{} of {}", part, whole),
	}}
}

// Lines are the functions or places of a field that is a list of these, below each other;
// none where it is not.
func (v *Request) Lines(field any) (c page.GridCell) {
	list := reflect.Indirect(reflect.ValueOf(field))
	if list.Kind() != reflect.Slice {
		return c
	}
	for i := range list.Len() {
		x, line := reflect.Indirect(list.Index(i)).Addr().Interface(), page.GridCell{}
		located, at := x.(table.Located)
		if at {
			line = v.place(located)
		}
		named, ok := x.(table.Named)
		if ok {
			line.Name = new(v.NameOf(named))
		}
		if at || ok {
			c.Lines = append(c.Lines, line)
		}
	}
	return c
}

// NameOf is a function's name, or what stands for it.
func (v *Request) NameOf(x table.Named) humanize.Name {
	linkage, ref, other := x.Named()
	switch {
	case len(linkage) > 0:
		return v.Symbols.Name(linkage, ref)
	case other != "":
		other = humanize.Printable(other)
		return humanize.Name{Base: other, Full: other, Missing: true}
	}
	return humanize.MissingName(ref)
}

// brief is the name in a cell without template arguments, where names are in full: with
// them it can be longer than the inspector.
func (v *Request) brief(field any, c page.GridCell) string {
	x, ok := field.(table.Named)
	if !ok || v.Symbols.Mode != names.Full {
		return c.Name.Whole()
	}
	brief := Request{Symbols: v.Symbols}
	brief.Symbols.Mode = names.NoTemplates
	return brief.NameOf(x).Whole()
}

// place is a file's name with a line, which leads to its source.
func (v *Request) place(x table.Located) page.GridCell {
	file, line, other := x.At()
	if file == "" {
		return page.GridCell{Place: true, Text: humanize.Printable(other)}
	}
	file = analyze.ResolvePath(file)
	c := page.GridCell{
		Place: true, Text: humanize.Printable(file[strings.LastIndexByte(file, '/')+1:]), Title: humanize.Printable(file),
	}
	if line > 0 {
		at := ":" + strconv.FormatUint(uint64(line), 10)
		c.Text, c.Title, c.URL = c.Text+at, c.Title+at, site.LineURL(v.Base, sources.Clean(file), line)
	}
	return c
}
