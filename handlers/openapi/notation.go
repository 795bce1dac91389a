package openapi

import (
	"encoding/json"
	"strings"
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
//	integer, number, boolean, fid, list, map
//	1..  1..64        the least and the most, of a list how many
//	hot|warm|cold     one of these; words| is the only one
//	=100              what it is when absent
//	/^[0-9]+$/        text of this shape
func schema(words []string) object {
	s := object{"type": "string"}
	low, high := "minimum", "maximum"
	for _, word := range words {
		least, most, span := strings.Cut(word, "..")
		switch {
		case word == "fid":
			s["pattern"] = "^[0-9a-f]{16}$"
		case word == "list":
			s["type"], s["items"] = "array", object{"type": "string"}
			low, high = "minItems", "maxItems"
		case word == "map":
			s["type"], s["additionalProperties"] = "object", object{"type": "string"}
		case word == "integer", word == "number", word == "boolean":
			s["type"] = word
		case word[0] == '/':
			s["pattern"] = strings.Trim(word, "/")
		case word[0] == '=':
			s["default"] = value(word[1:])
		case strings.Contains(word, "|"):
			s["enum"] = strings.Split(strings.TrimSuffix(word, "|"), "|")
		case span:
			if least != "" {
				s[low] = value(least)
			}
			if most != "" {
				s[high] = value(most)
			}
		}
	}
	return s
}

func value(word string) (v any) {
	if json.Unmarshal([]byte(word), &v) != nil {
		v = word
	}
	return v
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
