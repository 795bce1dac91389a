package instrweb

import (
	"strings"
	"unicode"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/query"
)

// functionList has the ranges of functions that can be typed.
var functionList = lists.List{
	Of: instrdb.Functions, Ranges: rangeColumns,
	Instead: map[string]string{"share": "total", "sum": "total", "cum": "total", "maximum": "max"},
}

// asFilter is the address with what was typed as a parameter of its own, and whether it was one;
// wrong says why it cannot be.
func asFilter(a site.Address) (to site.Address, wrong string, ok bool) {
	c, ok := query.ReadCondition(a.Query.Get("q"))
	if !ok {
		return a, "", false
	}
	key, value, wrong := wordFilter(c)
	if key == "" {
		key = c.Column
		value, wrong = functionList.Range(c, a.Query.Get(key))
	}
	if value == "" || wrong != "" {
		return a, wrong, false
	}
	return a.FirstPage("q", "sel").With(key, value), "", true
}

// wordFilter is the parameter of a condition that is no range; none for others.
func wordFilter(c query.Condition) (key, value, wrong string) {
	lower := strings.ToLower(c.Value)
	switch {
	case c.Column == "name" && c.Sign == "~":
		return "re", c.Value, ""
	case c.Sign != "=":
		return "", "", ""
	case c.Column == "name":
		return "q", c.Value, ""
	case c.Column == "re" || c.Column == "path" || c.Column == "hash":
		return c.Column, c.Value, ""
	case c.Column == "executed":
		value, ok := map[string]string{
			"yes": "true", "true": "true", "no": "false", "false": "false", "never": "false",
		}[lower]
		if !ok {
			wrong = "Executed is yes or no."
		}
		return c.Column, value, wrong
	case c.Column == "class":
		words := strings.FieldsFunc(lower, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
		for _, word := range words {
			if _, ok := site.ClassWords[word]; !ok {
				wrong = "A class is one of hot, warm, cold, never, none."
			}
		}
		return c.Column, strings.Join(words, ","), wrong
	}
	return "", "", ""
}
