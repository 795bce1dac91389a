package figure

import (
	"strconv"
	"strings"

	"proflens/internal/humanize"
)

// Words are how figures stand in text.
type Words string

// The words of pages, and those of a terminal.
const (
	Page     Words = "page"
	Terminal Words = "terminal"
)

// units are those of figures.
var units = map[string]bool{"": true, "count": true, "bytes": true, "ms": true, "least": true, "share": true}

// value writes a figure in its unit: "count" is rounded, and so are "bytes" and "ms"; "least" is
// ≥, "share" that of the whole; none writes it in full. A terminal has every digit.
func (w Words) value(unit string, v, whole Sum) humanize.Number {
	digits := v.String()
	switch {
	case w == Terminal:
		return humanize.Number{Text: digits}
	case unit == "count":
		return humanize.BigCount(digits)
	case unit == "bytes":
		return humanize.BigBytes(digits)
	case unit == "ms":
		return humanize.Milliseconds(v.Float64())
	case unit == "least":
		return humanize.Number{Text: "≥ " + humanize.Group(digits)}
	case unit == "share":
		return humanize.Number{Text: w.percent(v, whole)}
	}
	return humanize.Number{Text: humanize.Group(digits)}
}

func (w Words) percent(v, whole Sum) string {
	share := 0.0
	if !whole.IsZero() {
		share = v.Float64() / whole.Float64()
	}
	if w == Terminal {
		if v.Compare(whole) < 0 {
			share = min(share, .999) // nearly all is not all
		}
		return strconv.FormatFloat(100*share, 'f', 1, 64) + " %"
	}
	return humanize.Percent(share, 1)
}

// Say puts figures in the place of braces: a number "{Sites}"; with its words for one and
// many, or none, one and many, "{Sites|no site|# site|# sites}"; a part in per cent
// "{Executed/Functions}"; words where it is not 0, and others "{Sites?there are some|none}".
func (w Words) Say(text string, overview any) string {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return text
	}
	expr, after, _ := strings.Cut(rest, "}")
	expr, words, plural := strings.Cut(expr, "|")
	expr, then, condition := strings.Cut(expr, "?")
	of, whole, share := strings.Cut(expr, "/")
	n, forms := Value(overview, of), strings.Split(words, "|")
	form := "#"
	switch {
	case condition && !n.IsZero():
		form = then
	case plural && n.IsZero() && (condition || len(forms) > 2):
		form = forms[0]
	case condition:
		form = ""
	case plural && n == Sum{Lo: 1}:
		form = forms[len(forms)-2]
	case plural:
		form = forms[len(forms)-1]
	case share:
		form = w.percent(n, Value(overview, whole))
	}
	return before + strings.ReplaceAll(form, "#", w.value("", n, n).Text) + w.Say(after, overview)
}
