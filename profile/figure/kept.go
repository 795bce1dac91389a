package figure

import (
	"strings"

	"proflens/say"
)

// Kept writes a number that the catalog keeps of a profile, by the words of a figure for one and
// for many: `one:"call" many:"calls" unit:"count"`. none is what it means that there is none, and
// exact are words for one and for many that say it in full.
func (f Figure) Kept(decimal string) say.Number {
	one, many, none, unit := f.Get("one"), f.Get("many"), f.Get("none"), f.Get("unit")
	n := say.Number{Text: say.Group(decimal)}
	switch {
	case f == "":
		return say.Number{}
	case decimal == "" || decimal == "0" && none != "":
		return say.Number{Text: "–", Exact: none}
	case unit == "bytes":
		return say.BigBytes(decimal)
	case unit == "count":
		n = say.BigCount(decimal)
	}
	if n.Exact != "" {
		n.Exact += " " + many
	}
	if one, many, ok := strings.Cut(f.Get("exact"), "|"); ok {
		n.Exact = say.Things(n.Text, one, many)
	}
	n.Text = say.Things(n.Text, one, many)
	return n
}
