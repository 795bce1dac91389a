package lists

import (
	"net/http"
	"reflect"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/chart"
	"proflens/views/page"
)

// Grid is the page: what stands around the rows, the rows, and the inspector.
func (v *Request) Grid(r *http.Request) (*page.Grid, error) {
	a, list := v.Address, v.list()
	for _, f := range v.Fields {
		list.Heads = append(list.Heads, HeadOf(f))
		if f.Share {
			list.Heads = append(list.Heads, site.Column{
				Key: shareOf(f), Label: "Share", Title: "of all " + f.Name, Number: true,
			})
		}
	}
	found := &v.Found
	n := Found{Shown: found.Len(), Matching: found.Matching, All: found.All}
	if found.Searched != nil {
		n.Scanned, n.Functions = found.Searched.Done, found.Searched.Of
	}
	g := &page.Grid{
		ID: v.ID, Title: v.Title, Note: v.Note, How: v.How, Opens: v.Opens, List: list.Frame(a, &v.Params, n),
		Facets: v.facets(),
	}
	g.Columns = v.menu()
	if found.All == 0 {
		g.Empty, g.Shown = &v.None, "no rows"
	}
	if v.Adorn != nil {
		if err := v.Adorn(r, v, g); err != nil {
			return nil, err
		}
	}
	if v.Address.Query.Get("sort") == "" && found.All > 0 {
		g.Note = strings.TrimSpace(g.Note + " " + v.First)
	}
	largest := v.largest()
	for i := range found.Len() {
		row := found.Row(i)
		line := page.GridRow{Cells: v.cells(row, largest)}
		line.Selected = v.Selected(row.Addr().Interface())
		if line.Selected.Selected && g.Inspector != nil {
			v.inspector(g, line, row)
			if v.Inspect != nil {
				if err := v.Inspect(r, v, g.Inspector, row.Addr().Interface()); err != nil {
					return nil, err
				}
			}
		}
		v.number(g, &line, v.Offset+i+1)
		g.Rows = append(g.Rows, line)
	}
	sameClass(g)
	tellApart(g)
	return g, nil
}

// Preview is the rows found with some columns, as they stand in a panel.
func (v *Request) Preview(id, title string, names ...string) page.Grid {
	g := page.Grid{ID: id, Title: title}
	for _, name := range names {
		f := v.Field(name)
		v.Fields = append(v.Fields, f)
		g.Heads = append(g.Heads, HeadOf(f).Head())
	}
	largest := v.largest()
	for i := range v.Found.Len() {
		g.Rows = append(g.Rows, page.GridRow{Cells: v.cells(v.Found.Row(i), largest)})
	}
	tellApart(&g)
	return g
}

// Heads are those of the usual columns of a table whose page is its own.
func Heads(d *table.Declaration) (list []site.Column) {
	fields, usual := d.OnPage()
	for _, f := range fields[:usual] {
		list = append(list, HeadOf(f))
	}
	return list
}

// HeadOf is the head of a column.
func HeadOf(f *table.Field) site.Column {
	c := site.Column{
		Key: query.Column(f.Name), Label: f.Head, Title: f.Help, Number: f.Number(), Sort: f.Sorts(), Ascending: f.Up,
		How: page.How(f.How),
	}
	return c
}

// sameClass has a column of names, of places, or of drawn numbers styled as such.
func sameClass(g *page.Grid) {
	for i := range g.Heads {
		head := &g.Heads[i]
		head.Number = head.Number || len(g.Rows) > 0 && g.Rows[0].Cells[i].Name == nil &&
			g.Rows[0].Cells[i].Number.Text != ""
		for _, r := range g.Rows {
			if c := &r.Cells[i]; c.Name != nil || c.Place {
				head.Class = c.Class()
			}
		}
	}
}

// tellApart has the names of rows read differently.
func tellApart(g *page.Grid) {
	for i := range g.Heads {
		humanize.Apart(g.Rows, func(r *page.GridRow) *humanize.Name { return r.Cells[i].Name })
	}
}

// number leads to the inspector of a row that has one, for those without scripts: the cell
// under #, or one that is put in front.
func (v *Request) number(g *page.Grid, line *page.GridRow, n int) {
	if line.Select == "" {
		return
	}
	at := slices.IndexFunc(g.Heads, func(h page.Head) bool { return h.Label == "#" })
	if at < 0 {
		g.Heads, at = slices.Insert(g.Heads, 0,
			page.Head{Column: "place", Label: "#", Title: "place in these rows", Number: true}), 0
	}
	if len(line.Cells) < len(g.Heads) {
		line.Cells = slices.Insert(line.Cells, 0, page.GridCell{Number: humanize.Whole(n)})
	}
	c := &line.Cells[at]
	c.URL, c.Label = line.Select, "Inspect "+v.Noun+" "+c.Number.Text+c.Text
}

func shareOf(f *table.Field) query.Column { return query.Column(f.Name + "-share") }

// menu chooses the columns; it does not offer the first, which names the rows.
func (v *Request) menu() page.ColumnMenu {
	all, _ := v.OnPage()
	heads := func(fields []*table.Field) (list []site.Column) {
		for _, f := range fields {
			list = append(list, HeadOf(f))
		}
		return list
	}
	return site.ColumnChoice(heads(all), heads(v.Fields), "", v.Address.Without(Selected))
}

// facets choose between all rows and those of a kind.
func (v *Request) facets() []page.Segment {
	if len(v.Facets()) == 0 || v.Found.All == 0 {
		return nil
	}
	plain := v.Address.FirstPage(Selected)
	for _, f := range v.Facets() {
		plain = plain.Without(f.Name)
	}
	list := []page.Segment{
		{Label: "All " + v.Nouns + " " + humanize.Int(v.Found.All), URL: plain.String(), Current: len(v.Query.Facets) == 0},
	}
	for i, f := range v.Facets() {
		list = append(list, page.Segment{
			Label: f.Label + " " + humanize.Int(v.Found.Facets[i]), Title: f.Help, URL: plain.With(f.Name, "true").String(),
			Current: slices.Contains(v.Query.Facets, f.Name),
		})
		if f.Not != "" {
			list = append(list, page.Segment{
				Label: f.Not + " " + humanize.Int(v.Found.All-v.Found.Facets[i]), URL: plain.With(f.Name, "false").String(),
				Current: slices.Contains(v.Query.Facets, "!"+f.Name),
			})
		}
	}
	return list
}

// Selected is the address with a row selected, and whether it is by now.
func (v *Request) Selected(row any) page.Selected {
	key := v.key(reflect.ValueOf(row).Elem())
	if key == "" {
		return page.Selected{}
	}
	return v.Address.Selected(key)
}

// key is what sel= names the row by, empty in a table whose rows have no such column.
func (v *Request) key(row reflect.Value) string {
	var keys []string
	for _, f := range v.Declaration.Fields() {
		if f.Key {
			keys = append(keys, f.Text(row))
		}
	}
	return strings.Join(keys, ":")
}

// largest are the largest numbers of the rows shown, of the columns that have bars.
func (v *Request) largest() map[*table.Field]float64 {
	most := map[*table.Field]float64{}
	for i := range v.Found.Len() {
		for _, f := range v.Fields {
			if n, ok := f.Float(v.Found.Row(i)); f.Bar && ok {
				most[f] = max(most[f], n)
			}
		}
	}
	return most
}

func (v *Request) cells(row reflect.Value, largest map[*table.Field]float64) []page.GridCell {
	var list []page.GridCell
	opens := ""
	if v.Link != nil {
		opens = v.Link(row.Addr().Interface())
	}
	for _, f := range v.Fields {
		c := v.cell(f, row)
		if (c.Name != nil || c.Text != "" && c.Number.Text == "") && opens != "" && c.URL == "" {
			c.URL, opens = opens, ""
		}
		n, ok := f.Float(row)
		whole := v.Found.Whole[f.Name]
		if f.Bar && ok {
			full := largest[f]
			if f.OfWhole {
				full = 1
			}
			c.Bar = new(chart.ShareBar(n, full))
		}
		list = append(list, c)
		if f.Share {
			share := page.GridCell{}
			if ok && whole > 0 {
				share.Text = humanize.Percent(n/whole, 1)
			}
			list = append(list, share)
		}
	}
	return list
}

// inspector has every figure of a row.
func (v *Request) inspector(g *page.Grid, line page.GridRow, row reflect.Value) {
	in := g.Inspector
	*in = page.Inspector{Label: in.Label, Close: in.Close}
	fields, _ := v.OnPage()
	for _, f := range fields {
		c := v.cell(f, row)
		text := c.Number.Text + c.Text
		if c.Change != nil {
			text = c.Change.Text
		}
		switch {
		case c.Name != nil && in.Name == (humanize.Name{}):
			in.Name = *c.Name
		case c.Name != nil:
			in.Facts.Add(f.Head, v.brief(f.Value(row), c))
		case c.URL != "" && c.Name == nil && in.Place == "":
			in.Place = c.Title
		case text != "" && text != none && c.Number.Text == "" && c.Change == nil && in.Name == (humanize.Name{}):
			in.Name = humanize.Name{Base: text}
		case text != "" && text != none:
			in.Facts.Add(f.Head, text, c.Number.Exact)
		}
		in.Tags = append(in.Tags, c.Tags...)
		if len(c.Lines) > 0 {
			in.Lists = append(in.Lists, noteLines(f.Head, c.Lines))
		}
	}
	for i := range line.Cells {
		if c := line.Cells[i]; c.URL != "" {
			in.URL, in.Open = c.URL, v.Opens
			break
		}
	}
}

// noteLines are the lines of a cell in the inspector.
func noteLines(title string, lines []page.GridCell) page.Lines {
	list := page.Lines{Title: title}
	for _, c := range lines {
		line := page.NoteLine{Text: c.Text, Title: c.Title, URL: c.URL}
		if c.Name != nil {
			line = page.NoteLine{Text: c.Name.Whole(), Title: c.Name.Full, Note: c.Text, NoteURL: c.URL}
		}
		list.List = append(list.List, line)
	}
	return list
}
