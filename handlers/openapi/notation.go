package openapi

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// line is a thing that is said: what it is of, by its mark, and its text; of most, that is words
// and a sentence behind a colon.
type line struct {
	mark  byte
	text  string
	words []string
	says  string
}

// The marks of lines; a title and what follows it have none.
const (
	parameter = '?'
	body      = '<'
	answer    = '>'
	header    = '+'
	named     = '='
	member    = '.'

	marks = "?<>+=."
)

// read takes a text apart. A line without a mark goes on with the one before.
func read(text string) (list []line) {
	for l := range strings.SplitSeq(text, "\n") {
		l = strings.TrimSpace(l)
		switch n := len(list); {
		case l == "":
		case strings.Contains(marks, l[:1]):
			list = append(list, line{mark: l[0], text: l[1:]})
		case n == 0 || n == 1 && list[0].mark == 0:
			list = append(list, line{text: l})
		default:
			list[n-1].text += " " + l
		}
	}
	for i := range list {
		before, says, _ := strings.Cut(list[i].text, ": ")
		list[i].words, list[i].says = strings.Fields(before), says
	}
	return list
}

// schema is what a value may be, by words; text without any:
//
//	integer, number, boolean, object, any, nothing, fid, date-time
//	map Count         members of any names
//	Count             the object of this name
//	list ..16 number  a list, of how many, and of what; of text where nothing is said
//	1..  1..64        the least and the most
//	hot|left~out      one of these, ~ for a space; words| is the only one
//	=100              what it is when absent
//	/^[0-9]+$/        text of this shape
//	integer or fid    one of the two
func schema(words []string) object {
	if i := slices.Index(words, "or"); i > 0 && words[0] != "list" {
		return either(schema(words[:i]), schema(words[i+1:]))
	}
	s := object{"type": "string"}
	for i, word := range words {
		least, most, span := strings.Cut(word, "..")
		switch {
		case word == "list":
			return listOf(words[i+1:])
		case word == "date-time":
			s["format"] = word
		case word == "fid":
			s["pattern"] = "^[0-9a-f]{16}$"
		case word == "map":
			return object{"type": "object", "additionalProperties": schema(words[i+1:])}
		case word == "any":
			return object{}
		case word == "nothing":
			s["type"] = "null"
		case word == "integer", word == "number", word == "boolean", word == "object":
			s["type"] = word
		case word[0] == '/':
			s["pattern"] = strings.Trim(word, "/")
		case word[0] == '=':
			s["default"] = value(word[1:])
		case strings.Contains(word, "|"):
			s["enum"] = strings.Split(strings.TrimSuffix(strings.ReplaceAll(word, "~", " "), "|"), "|")
		case unicode.IsUpper(rune(word[0])):
			return ref("schemas", word)
		case span:
			bound(s, "minimum", least)
			bound(s, "maximum", most)
		}
	}
	return s
}

// orNull is schema where null is a word too.
func orNull(words []string) object {
	if i := slices.Index(words, "null"); i >= 0 {
		return nullable(schema(slices.Delete(slices.Clone(words), i, i+1)))
	}
	return schema(words)
}

// listOf is a list, by the words behind that one.
func listOf(words []string) object {
	s := object{"type": "array"}
	if len(words) > 0 && strings.Contains(words[0], "..") {
		least, most, _ := strings.Cut(words[0], "..")
		bound(s, "minItems", least)
		bound(s, "maxItems", most)
		words = words[1:]
	}
	s["items"] = schema(words)
	return s
}

// bound adds the least or the most of something, where there is one.
func bound(s object, key, n string) {
	if n != "" {
		s[key] = value(n)
	}
}

func value(word string) (v any) {
	if json.Unmarshal([]byte(word), &v) != nil {
		v = word
	}
	return v
}

// spans are what is said behind the sentence of a parameter that selects a range.
var spans = map[string]string{"range": " (N, N.., ..N or N..M, inclusive).", "span": ", such as 1000.. or ..0.5."}

// description is what is said of a parameter.
func (l line) description() string {
	for _, word := range l.words[1:] {
		l.says += spans[word]
	}
	return l.says
}
