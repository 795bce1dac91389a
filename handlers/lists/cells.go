package lists

import (
	"reflect"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/names"
	"proflens/profile/table"
	"proflens/say"
	"proflens/sources"
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
		return page.GridCell{Text: say.Printable(text)}
	case f.Unit == table.Bytes:
		return page.GridCell{Number: say.BigBytes(text)}
	case f.Unit == table.Milliseconds:
		return page.GridCell{Number: say.Milliseconds(n)}
	case f.Unit == table.Part:
		return page.GridCell{Number: say.Number{Text: say.Percent(n, 1)}}
	case strings.ContainsAny(text, ".e"):
		return page.GridCell{Number: say.Rate(n)}
	}
	return page.GridCell{Number: say.BigCount(text)}
}

// partCell is a share, with what it is of.
func partCell(x table.Parted) page.GridCell {
	part, whole := x.Part()
	if whole == 0 {
		return page.GridCell{Text: none}
	}
	return page.GridCell{Number: say.Number{
		Text: say.Percent(float64(part)/float64(whole), 1), Exact: say.Int(part) + " of " + say.Int(whole),
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
func (v *Request) NameOf(x table.Named) say.Name {
	linkage, ref, other := x.Named()
	switch {
	case len(linkage) > 0:
		return v.Symbols.Name(linkage, ref)
	case other != "":
		other = say.Printable(other)
		return say.Name{Base: other, Full: other, Missing: true}
	}
	return say.MissingName(ref)
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
		return page.GridCell{Place: true, Text: say.Printable(other)}
	}
	file = analyze.ResolvePath(file)
	c := page.GridCell{
		Place: true, Text: say.Printable(file[strings.LastIndexByte(file, '/')+1:]), Title: say.Printable(file),
	}
	if line > 0 {
		at := ":" + strconv.FormatUint(uint64(line), 10)
		c.Text, c.Title, c.URL = c.Text+at, c.Title+at, site.LineURL(v.Base, sources.Clean(file), line)
	}
	return c
}
