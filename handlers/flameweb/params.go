// Package flameweb is what the flame graphs of all families have: their parameters,
// their pages' model, their answers in the API. A family gives its call trees and the
// [Words] for them.
package flameweb

import (
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/profile/calltree"
	"proflens/views/page"
)

// Keys are the parameters of a flame graph in the API besides those that choose stacks;
// w is the family's.
var Keys = strings.Fields("w layout z around limit depth min_share names format")

// PageKeys are those of its page. Families that collapse recursion add rec to both.
var PageKeys = strings.Fields("w c layout z around view sel")

// How many nodes a flame graph has: unless asked otherwise, and at most.
const (
	defaultNodes = 20_000
	maxNodes     = 500_000
)

// TableRows is how many frames the tree as a table has; the widest.
const TableRows = 200

// Answers where a zoom or a sandwich names nothing: on a page, and in the API.
var (
	ErrNoFrame error = &site.Absent{
		Title: "No such frame", Detail: "the call tree has no such frame; focus or ignore may hide it, or it belongs to " +
			"another layout",
	}
	ErrNoNode error = &site.Absent{
		Title: "No such frame", Detail: "the call tree has no such node or function; a filter may hide it, or it belongs " +
			"to another layout",
	}
)

// KeyLines are the keys of the page.
var KeyLines = page.Keys(
	"← →: flame graph: sibling",
	"↑ ↓: flame graph: caller, callee",
	"Enter: flame graph: zoom to the frame",
	"m: flame graph: menu of the frame",
	"Backspace Home: flame graph: zoom out, to the root",
	"f: search frames",
	"s: callers and callees of the selected frame's function",
	"i: swap callers and callees",
	"t: the tree as a table",
)

// CompareKeyLines are those of the page of two profiles.
var CompareKeyLines = append(page.Keys("a b: pick A, pick B"), KeyLines...)

// Read reads which part of a tree is wanted.
func Read(v *site.Values) calltree.Query {
	q := calltree.Query{
		Layout: site.Choice(v, "layout", calltree.Layouts...), Limit: v.Number("limit", 1, maxNodes, defaultNodes),
		Depth: v.Number("depth", 0, 1<<20, 0),
	}
	if zoom := v.FID("z"); zoom != nil {
		q.Zoom = *zoom
	}
	if text := v.One("min_share"); text != "" {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share >= 0 && share <= 1) {
			v.Fail("min_share", "%q is not a number from 0 to 1", text)
		}
		q.MinShare = share
	}
	around := v.FID("around")
	switch {
	case q.Layout == calltree.Sandwich && around == nil:
		v.Fail("around", "layout=sandwich needs a function: give its 16 hexadecimal digits")
	case q.Layout != calltree.Sandwich && around != nil:
		v.Fail("around", "works only with layout=sandwich")
	case around != nil:
		q.Around = *around
	}
	return q
}

// Format reads in which of some forms a tree is written, json the first of them; the
// others have whole stacks.
func Format(v *site.Values, q *calltree.Query, of ...string) string {
	format := site.Choice(v, "format", of...)
	if format != "json" && (q.Zoom != 0 || q.Layout != calltree.Callees) {
		v.Fail("format", "%s always writes whole stacks from the root; it takes neither z nor layout", format)
	}
	return format
}

// Look is how a page shows a tree.
type Look struct {
	Layout calltree.Layout
	Colour string // empty for the usual one
	Table  bool   // the tree as a table
	Search string // in the picture
}

// ReadLook reads it; colours are the family's.
func ReadLook(v *site.Values, q *calltree.Query, colours ...string) Look {
	return Look{
		Layout: q.Layout, Colour: site.Choice(v, "c", append([]string{""}, colours...)...),
		Table: site.Choice(v, "view", "", "table") == "table", Search: v.Words("q"),
	}
}

// The values of rec.
const (
	showWord     = "show"
	collapseWord = "collapse"
)

// Recursion reads whether recursion is collapsed; usual says whether it is where an
// address does not say.
func Recursion(v *site.Values, usual bool) bool {
	words := []string{showWord, collapseWord}
	if usual {
		words = []string{collapseWord, showWord}
	}
	return site.Choice(v, "rec", words...) == collapseWord
}

// RecursionSwitch turns collapsing recursion on and off.
func RecursionSwitch(a site.Address, collapsed, usual bool) page.Segment {
	word := ""
	if collapsed == usual {
		word = map[bool]string{true: showWord, false: collapseWord}[collapsed]
	}
	return page.Segment{
		Label: "Recursion collapsed", Title: "leaves out frames between two calls of the same function",
		URL: a.With("rec", word).String(), Current: collapsed,
	}
}
