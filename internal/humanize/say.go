package humanize

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Say writes a sentence with what it is given in the places of its braces, in turn: "{}" is a number in
// full or text as it is, "{row}" a number with its word as [Plural] has it, "{entry|entries}" one whose
// word for many is not that with an s, and "{%}" a share as [Percent] has it with one decimal, "{%2}" with
// two. "{:count}" and "{:bytes}" are rounded, "{:count row}" with its word.
func Say(sentence string, given ...any) string {
	var b strings.Builder
	for _, one := range given {
		before, rest, _ := strings.Cut(sentence, "{")
		how, after, _ := strings.Cut(rest, "}")
		b.WriteString(before)
		b.WriteString(say(how, reflect.ValueOf(one)))
		sentence = after
	}
	b.WriteString(sentence)
	return b.String()
}

func say(how string, v reflect.Value) string {
	if decimals, share := strings.CutPrefix(how, "%"); share {
		n, err := strconv.Atoi(decimals)
		if err != nil {
			n = 1
		}
		return Percent(v.Float(), n)
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	figure := digits(v)
	unit, word, _ := strings.Cut(how, " ")
	switch unit {
	case ":count":
		figure = BigCount(figure).Text
	case ":bytes":
		figure = BigBytes(figure).Text
	default:
		figure, word = Group(figure), how
	}
	if word == "" {
		return figure
	}
	one, many, other := strings.Cut(word, "|")
	if !other {
		many = one + "s"
	}
	return Things(figure, one, many)
}

// digits are those of a number, or of a sum of numbers.
func digits(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	}
	return fmt.Sprint(v.Interface())
}
