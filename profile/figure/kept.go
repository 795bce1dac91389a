package figure

import (
	"cmp"
	"math"
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

// Head is the figure that a family's profiles have in lists, and how its share is said:
// `figure:"lines" says:"of lines"`.
type Head struct{ Figure, Says string }

// HeadOf is the head figure of an overview, the part and the whole; 0 of 0 where the family has none.
func (l *List) HeadOf(overview any) (part, whole int64) {
	if l.head.Figure == "" {
		return 0, 0
	}
	f := l.named[l.head.Figure][0]
	number := func(expr string) int64 { return int64(min(Value(overview, expr).Lo, math.MaxInt64)) }
	return number(f.Of), number(f.Whole)
}

// SayHead writes what HeadOf gave; nothing where the family has none, or the whole is 0.
func (l *List) SayHead(part, whole int64) (n humanize.Number) {
	if l.head.Figure == "" || whole == 0 {
		return n
	}
	f := l.named[l.head.Figure][0]
	n.Text = humanize.Percent(float64(part)/float64(whole), 1) + " " + l.head.Says
	n.Exact = humanize.Say("{} of {} {}", part, whole, cmp.Or(f.Text, strings.ToLower(f.Label)))
	return n
}
