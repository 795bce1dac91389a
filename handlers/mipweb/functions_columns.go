package mipweb

import (
	"fmt"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/query"
	"proflens/views/page"
)

// tableColumn is a column of a table of functions of machine IR: its key in
// cols=, which is the API's name of it, and its head.
type tableColumn struct {
	key, label, title string
	number            bool
	ascending         bool // what the first click gives
	counted           bool // coverage does not have it
	how               page.How
}

// tableColumns are all columns in the order of the table.
var tableColumns = []tableColumn{
	{key: "index", label: "#", title: "place in link order, from 0", number: true, ascending: true},
	{key: site.NameColumn, label: "Function", title: "name", ascending: true, how: page.HowNames},
	{key: "executed", label: "Executed", title: "whether some run executed it", how: page.HowMIPExecuted},
	{key: "call_count", label: "Calls", title: "call counts of all runs added up", number: true, counted: true, how: page.HowMIPCalls},
	{key: "weight", label: "Calls × size", title: "call count times bytes", number: true, counted: true},
	{key: "size", label: "Bytes", title: "size of the function", number: true},
	{key: "covered_share", label: "Covered", title: "bytes in blocks that ran, of its bytes", how: page.HowMIPCoverage},
	{key: "covered_bytes", label: "Covered bytes", title: "bytes in blocks that ran", number: true},
	{key: "missed_bytes", label: "Missed bytes", title: "bytes in blocks that did not run", number: true},
	{key: "blocks", label: "Blocks", title: "covered ones of all, removed ones left out", number: true, how: page.HowMIPBlocks},
	{key: "removed_blocks", label: "Removed", title: "blocks that are gone from the program", number: true},
	{key: "merge_count", label: "Runs", title: "merge count: runs in which it ran", number: true},
	{key: "avg_timestamp", label: "First position", title: "average of the places in which it first ran", number: true, ascending: true, counted: true, how: page.HowMIPOrder},
	{key: "address", label: "Address", title: "at link time; from the raw section where the program is not at hand", number: true, ascending: true},
	{key: "signature", label: "Signature", title: "first eight MD5 bytes of the name"},
	{key: "cfg_signature", label: "CFG signature", title: "changes with the shape of the function"},
	{key: "path", label: "File path", title: "the source file in the name"},
}

// sortWord is the word in sort= for a column; empty when the table cannot be
// sorted by it.
func sortWord(key string) string {
	if key == site.NameColumn {
		return "name"
	}
	if slices.Contains(mipWords(false), key) {
		return key
	}
	return ""
}

// shownMIPColumns are the columns that cols= asks for, or those of the kind of
// table, in the order of the table. The function is always among them.
func shownMIPColumns(cols, usual []string, counted bool) ([]tableColumn, error) {
	for _, key := range cols {
		if !slices.ContainsFunc(tableColumns, func(c tableColumn) bool { return c.key == key }) {
			var known []string
			for _, c := range tableColumns {
				known = append(known, c.key)
			}
			return nil, &site.ParamError{Param: "cols", Msg: fmt.Sprintf("there is no column %q; the columns are %s", key, strings.Join(known, ", "))}
		}
	}
	return slices.DeleteFunc(slices.Clone(tableColumns), func(c tableColumn) bool {
		if len(cols) == 0 {
			return !slices.Contains(usual, c.key) || c.counted && !counted
		}
		return c.key != site.NameColumn && !slices.Contains(cols, c.key)
	}), nil
}

// mipHeads are the column heads, each with the link that sorts by it. usual is
// the order without sort=.
func mipHeads(columns []tableColumn, sort []query.Key, usual string, a site.Address) []page.Head {
	current, desc := strings.CutPrefix(usual, "-")
	if len(sort) > 0 {
		i := slices.IndexFunc(mipColumns, func(c mipColumn) bool { return c.column == sort[0].Column })
		current, desc = mipColumns[i].word, sort[0].Desc
	}
	var list []page.Head
	for _, c := range columns {
		h := page.Head{Column: c.key, Label: c.label, Title: c.title, Number: c.number, How: c.how}
		if word := sortWord(c.key); word != "" {
			down := !c.ascending
			if word == current {
				h.Sort = map[bool]string{true: "descending", false: "ascending"}[desc]
				down = !desc
			}
			if down {
				word = "-" + word
			}
			if word == usual {
				word = ""
			}
			h.URL = a.Without("page", "cursor").With("sort", word).String()
		}
		list = append(list, h)
	}
	return list
}

// columnMenu is the form that chooses columns.
func columnMenu(shown []tableColumn, a site.Address) page.ColumnMenu {
	m := page.ColumnMenu{Default: a.Without("cols").String(), Keep: site.Keep(a.Without("cols"))}
	for _, c := range tableColumns {
		if c.key == site.NameColumn {
			continue
		}
		label := c.label
		if c.key == "index" {
			label = "Link order"
		}
		m.Columns = append(m.Columns, page.Check{
			Name: "cols", Value: c.key, Label: label,
			Checked: slices.ContainsFunc(shown, func(s tableColumn) bool { return s.key == c.key }),
		})
	}
	return m
}
