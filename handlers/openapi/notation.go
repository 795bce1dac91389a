package openapi

import (
	"regexp"
	"strconv"
	"strings"
)

type object = map[string]any

// line is a thing that is said: what it is of, by its mark, its words before the colon, and
// the sentence behind it.
type line struct {
	mark  byte
	words []string
	says  string
}

// The marks of lines.
const (
	unmarked  = 0
	parameter = '?'
	answer    = '>'
	header    = '+'
	body      = '<'
	named     = '='
	member    = '.'

	marks = "?>+<=."
)

// read takes a text apart. A line without a mark goes on with the one before; the first is a
// title, with which nothing goes on.
func read(text string) (list []line) {
	var items []string
	for at, l := range strings.Split(strings.TrimSpace(text), "\n") {
		l = strings.TrimSpace(l)
		if marked := l != "" && strings.IndexByte(marks, l[0]) >= 0; marked || at == 0 || at == 1 && markOf(items[0]) == unmarked {
			items = append(items, l)
		} else {
			items[len(items)-1] += " " + l
		}
	}
	for _, item := range items {
		l := line{mark: markOf(item)}
		if l.mark != unmarked || len(list) == 0 {
			var before string
			before, l.says, _ = strings.Cut(strings.TrimLeft(item, marks), ": ")
			l.words = strings.Fields(before)
		} else {
			l.says = item
		}
		if item != "" {
			list = append(list, l)
		}
	}
	return list
}

func markOf(item string) byte {
	if item != "" && strings.IndexByte(marks, item[0]) >= 0 {
		return item[0]
	}
	return unmarked
}

// declarations are the parameters in a text, by name.
func declarations(text string) map[string]line {
	all := map[string]line{}
	for _, l := range read(text) {
		if l.mark == parameter {
			all[l.words[0]] = l
		}
	}
	return all
}

var between = regexp.MustCompile(`^(-?[0-9.]*[0-9])?\.\.([0-9.]*[0-9])?$`)

// schema is what a value may be, by the words behind its name; text without any:
//
//	integer, number, boolean, fid, list, map
//	1..  1..64        the least and the most, of a list how many
//	hot|warm|cold     one of these; words| is the only one
//	=100              what it is when absent
//	/^[0-9]+$/        text of this shape
func schema(words []string) object {
	s := object{"type": "string"}
	low, high := "minimum", "maximum"
	for _, word := range words {
		switch span := between.FindStringSubmatch(word); {
		case word == "fid":
			s["pattern"] = "^[0-9a-f]{16}$"
		case word == "list":
			s["type"], s["items"] = "array", object{"type": "string"}
			low, high = "minItems", "maxItems"
		case word == "map":
			s["type"], s["additionalProperties"] = "object", object{"type": "string"}
		case word == "integer" || word == "number" || word == "boolean":
			s["type"] = word
		case span != nil:
			for i, key := range []string{low, high} {
				if span[i+1] != "" {
					s[key] = value(span[i+1])
				}
			}
		case word[0] == '/':
			s["pattern"] = strings.Trim(word, "/")
		case word[0] == '=':
			s["default"] = value(word[1:])
		case strings.Contains(word, "|"):
			s["enum"] = strings.Split(strings.TrimSuffix(word, "|"), "|")
		}
	}
	return s
}

func value(word string) any {
	if b, err := strconv.ParseBool(word); err == nil && len(word) > 1 {
		return b
	}
	if n, err := strconv.ParseFloat(word, 64); err == nil {
		return n
	}
	return word
}

// spans are what is said behind the sentence of a parameter that selects a range.
var spans = map[string]string{"range": ": N, N.., ..N or N..M, inclusive.", "span": ", such as 1000.. or ..0.5."}

// sentence is what is said of a parameter.
func (l line) sentence() string {
	for _, word := range l.words[1:] {
		l.says += spans[word]
	}
	return l.says
}
