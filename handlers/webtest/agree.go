package webtest

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"proflens/internal/humanize"
)

// GridRow is a row of a page's grid: the text of its cells by column, and the address that selects it.
type GridRow struct {
	Cells map[string]string
	At    string
}

// Grid is the rows of a page's grids. A cell is of the column that its class names, or its head.
func Grid(doc *html.Node) (rows []GridRow) {
	for _, table := range All(doc, Tag("table")) {
		var heads []string
		for _, tr := range All(table, Tag("tr")) {
			row, at := GridRow{map[string]string{}, Attr(tr, "data-select")}, 0
			for _, cell := range All(tr, func(n *html.Node) bool { return n.Data == "td" || n.Data == "th" }) {
				column := columnOf(cell)
				if Attr(cell, "scope") == "col" {
					heads = append(heads, column)
					continue
				}
				if column == "" && at < len(heads) {
					column = heads[at]
				}
				if at++; column != "" {
					row.Cells[column] = Said(cell)
				}
			}
			if len(row.Cells) > 0 {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func columnOf(cell *html.Node) string {
	for class := range strings.FieldsSeq(Attr(cell, "class")) {
		if column, ok := strings.CutPrefix(class, "col-"); ok {
			return column
		}
	}
	return ""
}

// Facts are the values of a page's inspector by their terms, what its lists say by their heads, and
// behind "" its name.
func Facts(s *Server, path string) map[string]string {
	s.T.Helper()
	facts := map[string]string{}
	in := ByTestID(s.T, s.Page(path, 200), "inspector")
	for _, div := range All(in, func(n *html.Node) bool { return n.Data == "div" && n.Parent.Data == "dl" }) {
		facts[Said(All(div, Tag("dt"))[0])] = Said(All(div, Tag("dd"))[0])
	}
	facts[""] = Said(All(in, Tag("h2"))[0])
	for _, h := range All(in, Tag("h3")) {
		for n := h.NextSibling; n != nil; n = n.NextSibling {
			if n.Data == "ol" {
				facts[Said(h)] = Said(n)
				break
			}
		}
	}
	return facts
}

// Numbered reports whether a text is a number as people write it, alone or with words around it.
func Numbered(text string, n json.Number) bool {
	return slices.ContainsFunc(spellings(n), func(form string) bool {
		form = strings.ReplaceAll(form, humanize.NumberSpace, " ")
		return text == form || strings.HasPrefix(text, form+" ") || strings.HasSuffix(text, " "+form)
	})
}

// spellings are how pages write a number: in full, shortened, as bytes, as a share, as time.
func spellings(n json.Number) []string {
	if whole, err := strconv.ParseUint(n.String(), 10, 64); err == nil {
		return []string{
			n.String(), humanize.Int(whole), humanize.Count(whole).Text, humanize.Bytes(whole).Text,
			humanize.Percent(float64(whole), 1), humanize.Percent(float64(whole), 2), humanize.Milliseconds(float64(whole)).Text,
			humanize.Rate(float64(whole)).Text, humanize.Growth(float64(whole)), humanize.Hex64(whole), humanize.Hex(whole),
		}
	}
	v, err := n.Float64()
	if err != nil {
		return []string{humanize.BigCount(n.String()).Text, humanize.BigBytes(n.String()).Text}
	}
	forms := []string{
		humanize.Percent(v, 0), humanize.Percent(v, 1), humanize.Percent(v, 2), humanize.Rate(v).Text, humanize.Growth(v),
		humanize.Milliseconds(v).Text, humanize.InFull(v), humanize.Points(v, 1), humanize.Points(v, 2),
		strconv.FormatFloat(v, 'f', 1, 64), strconv.FormatFloat(v, 'g', 4, 64),
	}
	if v < 0 {
		v = -v
		forms = append(forms, "−"+humanize.InFull(v), "−"+humanize.Bytes(uint64(v)).Text,
			"−"+humanize.Count(uint64(v)).Text)
	}
	return append(forms, humanize.Bytes(uint64(math.Round(v))).Text, humanize.Count(uint64(math.Round(v))).Text,
		humanize.Int(uint64(math.Round(v))))
}

// Agree asks for a page with a grid, and for its rows as the API has them, and fails where a cell is not
// the number that the API has in the column of its name, or for "COLUMN=OTHER" in another. A column alone
// says something else, and is left to the caller. It returns the rows of both, and has compared some.
func (s *Server) Agree(path string, columns ...string) (rows []GridRow, items []map[string]any) {
	s.T.Helper()
	page := s.Page(path, 200)
	rows = Grid(page)
	if slices.ContainsFunc(rows, func(r GridRow) bool { return r.At != "" }) { // other tables have no rows to inspect
		rows = slices.DeleteFunc(rows, func(r GridRow) bool { return r.At == "" })
	}
	sign := map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")]
	for _, item := range s.OK(path + sign + "format=json").Object(s.T)["items"].([]any) {
		items = append(items, item.(map[string]any))
	}
	other := map[string]string{}
	for _, column := range columns {
		name, api, _ := strings.Cut(column, "=")
		other[name] = api
	}
	compared := 0
	for i := range min(len(rows), len(items)) {
		for column, text := range rows[i].Cells {
			api, apart := other[column]
			if api == "" {
				if api = column; apart {
					continue
				}
			}
			switch v := items[i][api].(type) {
			case json.Number:
				if compared++; !Numbered(text, v) {
					s.T.Errorf("%s: %s of row %d is %q, %s in the API", path, column, i, text, v)
				}
			case nil:
				if _, ok := items[i][api]; ok && strings.ContainsAny(text, "123456789") {
					s.T.Errorf("%s: %s of row %d is %q, and null in the API", path, column, i, text)
				}
			}
		}
	}
	if compared == 0 {
		s.T.Errorf("%s: no number of %d rows and %d items is compared", path, len(rows), len(items))
	}
	return rows, items
}
