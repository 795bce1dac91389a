package figure

import (
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// Kept is how a number that the catalog keeps of a profile is said, as a [Figure] is written:
// `one:"call" many:"calls" unit:"count"`.
type Kept struct {
	One, Many, Unit string // "count" is rounded, and "bytes" needs no words
	None            string // what it means that there is none
	Exact           string // words for one and for many that say it in full
}

// Kept writes the numbers that the catalog keeps of a profile, the total in decimal.
func (l *List) Kept(functions int, total string) (humanize.Number, humanize.Number) {
	return l.functions.say(strconv.Itoa(functions)), l.total.say(total)
}

func (k *Kept) say(decimal string) humanize.Number {
	n := humanize.Number{Text: humanize.Group(decimal)}
	switch {
	case *k == Kept{}:
		return humanize.Number{}
	case decimal == "" || decimal == "0" && k.None != "":
		return humanize.Number{Text: "–", Exact: k.None}
	case k.Unit == "bytes":
		return humanize.BigBytes(decimal)
	case k.Unit == "count":
		n = humanize.BigCount(decimal)
	}
	if n.Exact != "" {
		n.Exact += " " + k.Many
	}
	if one, many, ok := strings.Cut(k.Exact, "|"); ok {
		n.Exact = humanize.Things(n.Text, one, many)
	}
	n.Text = humanize.Things(n.Text, k.One, k.Many)
	return n
}
