package lists

import (
	"cmp"
	"errors"
	"math"
	"math/big"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/page"
)

// amountForm is a number as people write it, without its spaces and its unit: 1000, 4_120, 2.5M.
var amountForm = regexp.MustCompile(`^(\d+(?:\.\d+)?)([kMGTPE]?)$`)

// amountUnits are the units that numbers of a column may have behind them.
var amountUnits = map[string][]humanize.Unit{
	table.Bytes: humanize.ByteUnits, table.Milliseconds: {{Word: "ms", Size: 1}, {Word: "s", Size: 1000}},
	table.Part: {{Word: "%", Size: 1}},
}

// percent is how much of the amounts of shares is 1 %: they have as many decimals as anybody types.
const percent = 1_000_000

// amountOf is a number as people write it, in the unit of its column, or a share. Where the column's are whole, a
// fraction goes up or down to one of them: no row is between. The error is of package strconv.
func amountOf(text string, f *table.Field, up bool) (uint64, error) {
	number, scale := humanize.CutUnit(text, amountUnits[f.Unit])
	if f.Unit == table.Part {
		scale *= percent
	}
	m := amountForm.FindStringSubmatch(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '_' {
			return -1
		}
		return r
	}, number))
	if m == nil {
		return 0, strconv.ErrSyntax
	}
	n, _ := new(big.Rat).SetString(m[1] + "e" + strconv.Itoa(3*strings.Index(" kMGTPE", cmp.Or(m[2], " "))))
	n.Mul(n, new(big.Rat).SetFloat64(scale))
	whole, rest := new(big.Int).QuoRem(n.Num(), n.Denom(), new(big.Int))
	if rest.Sign() > 0 && up {
		whole.Add(whole, big.NewInt(1))
	}
	switch {
	case rest.Sign() > 0 && f.Fraction():
		return 0, strconv.ErrSyntax
	case !whole.IsUint64():
		return 0, strconv.ErrRange
	}
	return whole.Uint64(), nil
}

// Typed leads a page where a condition was typed in place of words to the address that has it as a range, and
// reports whether it did. In a format the words are the API's, and stay. The error is a *site.ParamError that
// says why it cannot.
func (l *List) Typed(w http.ResponseWriter, r *http.Request) (moved bool, err error) {
	a := site.AddressOf(r.URL)
	c, ok := query.ReadCondition(a.Query.Get("q"))
	if !ok || a.Query.Has("format") {
		return false, nil
	}
	value, wrong := l.Range(c, a.Query.Get(c.Column))
	if wrong != "" {
		return false, &site.ParamError{Param: "q", Msg: wrong}
	}
	if value != "" {
		http.Redirect(w, r, a.FirstPage("q", Selected).With(c.Column, value).String(), http.StatusSeeOther)
	}
	return value != "", nil
}

// Range is the range of a condition on a column, whose other end is that of the range in force; wrong says
// why it can be none. Both are empty of what is a part of a name.
func (l *List) Range(c query.Condition, current string) (span, wrong string) {
	var f table.Field
	if l.Of != nil {
		f = *cmp.Or(l.Of.Field(c.Column), &f)
	}
	_, notNumber := amountOf(strings.TrimSuffix(c.Value, "%"), &f, true)
	switch instead := l.Instead[c.Column]; {
	case c.Sign == "<" && notNumber != nil && !errors.Is(notNumber, strconv.ErrRange): // max<int> is a name
		return "", ""
	case slices.Contains(l.Ranges, query.Column(c.Column)):
		return rangeOf(&f, c, current)
	case notNumber != nil, instead == "" && (f.Name == "" || f.IsPart() || !f.Number()):
		return "", ""
	default:
		return "", "There is no filter for " + c.Column + "; use " + cmp.Or(instead, site.JoinWords(l.Ranges)) + "."
	}
}

// NoColumn says of words that look like a condition that they are none; empty of others.
func (l *List) NoColumn(text string) string {
	c, ok := query.ReadCondition(text)
	if !ok || !c.Compares() || len(l.Ranges) == 0 {
		return ""
	}
	for unit := range amountUnits {
		if _, err := amountOf(c.Value, &table.Field{Unit: unit}, true); err == nil {
			return "There is no column " + c.Column + " to filter by; use " + site.JoinWords(l.Ranges) + "."
		}
	}
	return ""
}

// Suggested are the beginnings of the conditions that can be typed, each with what its column is.
func (l *List) Suggested() (list []page.Option) {
	for _, c := range l.Ranges {
		o := page.Option{Value: string(c) + ">="}
		if l.Of != nil && l.Of.Field(string(c)) != nil {
			o.Label = l.Of.Field(string(c)).Help
		}
		list = append(list, o)
	}
	return list
}

// rangeOf is "min..max" of a sign and a number, or of two with dots between them.
func rangeOf(f *table.Field, c query.Condition, current string) (span, wrong string) {
	if strings.Contains(c.Value, "..") && c.Sign == "=" {
		from, to, ok := endsOf(c.Value, f)
		if !ok || from > to {
			return "", "“" + humanize.Printable(c.Value) + "” is not a range."
		}
		return spanOf(from, to, f), ""
	}
	n, err := amountOf(c.Value, f, c.Sign == ">=" || c.Sign == "<")
	switch {
	case c.Sign == "~" || c.Sign == "!=":
		return "", c.Column + " takes =, >=, <=, > and <."
	case len(c.Sign) == 1 && c.Compares() && (f.Fraction() || f.Unit == table.Part):
		return "", c.Column + " takes =, >= and <=."
	case errors.Is(err, strconv.ErrRange) || c.Sign == ">" && n == math.MaxUint64 || c.Sign == "<" && err == nil && n == 0:
		return "", c.Column + " is out of range."
	case err != nil:
		return "", "“" + humanize.Printable(c.Value) + "” is not a number."
	case c.Sign == "=":
		if next, _ := amountOf(c.Value, f, true); next != n {
			return "", "“" + humanize.Printable(c.Value) + "” is not a whole number."
		}
		return spanOf(n, n, f), ""
	}
	from, to, ok := endsOf(current, f)
	if !ok {
		from, to = 0, math.MaxUint64
	}
	switch c.Sign {
	case ">":
		n++
	case "<":
		n--
	}
	if c.Sign[0] == '>' {
		if from = n; to < n {
			to = math.MaxUint64
		}
	} else if to = n; from > n {
		from = 0
	}
	return spanOf(from, to, f), ""
}

// endsOf are those of "min..max", of which either may be missing.
func endsOf(span string, f *table.Field) (from, to uint64, ok bool) {
	low, high, ok := strings.Cut(span, "..")
	from, wrong := amountOf(cmp.Or(low, "0"), f, true)
	to, alsoWrong := amountOf(high, f, false)
	if high == "" {
		to, alsoWrong = math.MaxUint64, nil
	}
	return from, to, ok && wrong == nil && alsoWrong == nil
}

// spanOf is the parameter of a range, without the ends that leave nothing out.
func spanOf(from, to uint64, f *table.Field) string {
	low, high := strconv.FormatUint(from, 10), strconv.FormatUint(to, 10)
	if f.Unit == table.Part {
		low = strconv.FormatFloat(float64(from)/percent, 'f', -1, 64)
		high = strconv.FormatFloat(float64(to)/percent, 'f', -1, 64)
	}
	switch {
	case from == to:
		return low
	case to == math.MaxUint64:
		return low + ".."
	case from == 0:
		return ".." + high
	}
	return low + ".." + high
}
