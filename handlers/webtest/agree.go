package webtest

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

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

// Tabs are what a profile has of its own: the words of its tabs, up to those that every profile has.
func Tabs(s *Server, path string) string {
	s.T.Helper()
	own, _, _ := strings.Cut(Said(ByTestID(s.T, s.Page(path, 200), "tabs")), " File ")
	return strings.Join(strings.Fields(own), " ")
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

// Suggested fails unless the search box of a profile, which is at an address in the API, suggests a name of
// every function by its last word, with the figure that its list has in a column.
func (s *Server) Suggested(at, list, name, figure string) {
	s.T.Helper()
	items := s.OK(at + list).Object(s.T)["items"].([]any)
	figures, whole := map[string]json.Number{}, map[string]string{}
	for _, item := range items {
		item := item.(map[string]any)
		figures[item[name].(string)], _ = item[figure].(json.Number)
		whole[item[name].(string)] = strings.ToLower(fmt.Sprint(item[name], item["name"]))
	}
	for i, item := range items {
		called := item.(map[string]any)[name].(string)
		words := strings.FieldsFunc(called, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
		})
		if i > 5 && i < len(items)-3 || len(words) == 0 {
			continue
		}
		object, found := s.OK(at+"/suggest?q="+url.QueryEscape(words[0])).Object(s.T), false
		for _, one := range object["items"].([]any) {
			one := one.(map[string]any)
			suggested := one["demangled"].(string)
			found = found || suggested == called
			if want, ok := figures[suggested]; ok && want != "" && one["total"] != want {
				s.T.Errorf("%s/suggest?q=%s: %s has %v, %s in %s", at, words[0], suggested, one["total"], want, list)
			}
			if all, ok := whole[suggested]; ok && !strings.Contains(all, strings.ToLower(words[0])) {
				s.T.Errorf("%s/suggest?q=%s: %s", at, words[0], suggested)
			}
			path, _ := one["path"].(string)
			if path != "" && s.Get(Page(strings.TrimPrefix(at, API("")))+path).StatusCode != 200 {
				s.T.Errorf("%s/suggest?q=%s: there is no %s", at, words[0], path)
			}
		}
		if !found && len(object["items"].([]any)) < 10 {
			s.T.Errorf("%s/suggest?q=%s does not find %s", at, words[0], called)
		}
	}
}

// Elsewhere fails unless two profiles of one program find each other's functions: each with the figure
// that the other has of it in a column, on its page as well. It returns how many they have in common.
func (s *Server) Elsewhere(one, other, figure string) (common int) {
	s.T.Helper()
	have := map[string]map[string]any{} // the first record of each function
	for _, item := range s.OK(other + "/functions?limit=1000").Object(s.T)["items"].([]any) {
		item := item.(map[string]any)
		if fid := item["fid"].(string); have[fid] == nil {
			have[fid] = item
		}
	}
	for _, item := range s.OK(one + "/functions?limit=20").Object(s.T)["items"].([]any) {
		fid := item.(map[string]any)["fid"].(string)
		want, ok := have[fid]
		list := s.OK(one + "/functions/" + fid + "/elsewhere").Object(s.T)["items"].([]any)
		at := slices.IndexFunc(list, func(v any) bool { return API(v.(map[string]any)["profile"].(string)) == other })
		if at < 0 || !ok { // of samples that are inlined alone the list has no row
			if ok {
				s.T.Errorf("%s of %s is not found in %s", fid, one, other)
			}
			continue
		}
		common++
		seen := list[at].(map[string]any)
		if seen["total"] != want[figure] || seen["fid"] != fid {
			s.T.Errorf("%s is seen with %v elsewhere, %s is %v there", fid, seen, figure, want[figure])
		}
		share, _ := seen["share"].(json.Number).Float64()
		said := Said(s.Page(Page(strings.TrimPrefix(one, API("")))+"/functions/"+fid, 200))
		if text := strings.ReplaceAll(humanize.Percent(share, 1), humanize.NumberSpace, " "); !strings.Contains(said, text) {
			s.T.Errorf("%s of %s does not say %s of %s", fid, one, text, other)
		}
		if first, ok := seen["first"].(json.Number); ok {
			v, _ := first.Float64()
			if text := strconv.FormatFloat(v, 'f', -1, 64); !strings.Contains(said, text[:min(len(text), 3)]) {
				s.T.Errorf("%s of %s does not say that it is first at %s in %s", fid, one, text, other)
			}
		}
	}
	return common
}

// InProject uploads files, names and bytes in turn, as one profile of a project, and returns its path in
// the API.
func (s *Server) InProject(project string, files ...any) string {
	s.T.Helper()
	fields := []string{"group", "one", "project", project, "visibility", "listed"}
	for i := 0; i < len(files); i += 2 {
		fields = append(fields, "file:"+files[i].(string), string(files[i+1].([]byte)))
	}
	body, ct := Form(s.T, fields...)
	id, _ := s.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", ct).Object(s.T)["id"].(string)
	return API(id)
}

// ComparedLinks fails unless the rows of a comparison, whose page has an address, lead to functions of the
// base profile or, where that does not have them, of the test profile, and these are there.
func (s *Server) ComparedLinks(path, base, test string) {
	s.T.Helper()
	items, i := s.OK("/api/v1" + path).Object(s.T)["items"].([]any), 0
	sides := map[string]int{}
	for _, tr := range All(s.Page(path, 200), Tag("tr")) {
		links := All(tr, func(n *html.Node) bool { return n.Data == "a" && strings.Contains(Attr(n, "class"), "fn-link") })
		if len(links) == 0 || i >= len(items) {
			continue
		}
		of := base
		if state, _ := items[i].(map[string]any)["state"].(string); strings.Contains(state, "only_test") {
			of = test
		}
		href := Attr(links[0], "href")
		if !strings.HasPrefix(href, Page(of)+"/") {
			s.T.Errorf("%s: row %d leads to %s, not to %s", path, i, href, of)
		}
		if sides[of]++; sides[of] <= 2 && s.Get(href).StatusCode != 200 {
			s.T.Errorf("%s: there is no %s", path, href)
		}
		i++
	}
	if i == 0 {
		s.T.Errorf("%s has no rows that lead anywhere", path)
	}
}
