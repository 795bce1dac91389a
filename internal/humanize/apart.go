package humanize

import (
	"maps"
	"slices"
	"strings"
)

// Apart shortens the long names of rows that stand together and have one base, so that a narrow
// cell shows what each has of its own. Of their namespaces and the arguments of their templates it
// leaves out scopes within angle brackets, unless two would then read alike, and the middle
// of what a row begins with like another; and more arguments where namespaces differ, which need
// room. Full stays. name is that of a row, nil of one without; they are returned in that order.
func Apart[R any](rows []R, name func(row *R) *Name) []*Name {
	all, alike := make([]*Name, len(rows)), map[string][]*Name{}
	for i := range rows {
		n := name(&rows[i])
		if all[i] = n; n != nil && n.Base != "" && !n.Missing {
			alike[n.Base] = append(alike[n.Base], n)
		}
	}
	for _, group := range alike {
		spaces, templates := map[string]string{}, map[string]map[string]string{} // these by namespace
		for _, n := range group {
			template, _ := n.Template()
			if spaces[n.Namespace] = n.Namespace; templates[n.Namespace] == nil {
				templates[n.Namespace] = map[string]string{}
			}
			templates[n.Namespace][template] = template
		}
		for _, within := range templates {
			if apart(within, arguments); len(spaces) > 1 {
				begin(within)
			}
		}
		apart(spaces, classArguments)
		apart(spaces, scopes)
		for _, n := range group {
			template, rest := n.Template()
			n.Namespace, n.Args = spaces[n.Namespace], templates[n.Namespace][template]+rest
		}
	}
	return all
}

// How long a part of a name is that fills a narrow cell, and how much stands before what is left out.
const (
	longPart  = 24
	firstPart = 12
)

// apart shortens what each part of a name reads like beside the others. middle is what can be left out
// of a text that two begin with.
func apart(parts map[string]string, middle func(text string) (from, to int)) {
	of := map[string]string{}
	for part, brief := range parts {
		if len(brief) > longPart && len(parts) > 1 {
			brief = unscoped(brief)
		}
		of[brief] = part
	}
	if len(of) < len(parts) { // two read alike
		clear(of)
		for part, text := range parts {
			of[text] = part
		}
	}
	sorted, read := slices.Sorted(maps.Keys(of)), map[string]string{}
	for i, brief := range sorted {
		same := 0
		for _, other := range sorted[max(i-1, 0):min(i+2, len(sorted))] {
			if other != brief {
				same = max(same, common(brief, other))
			}
		}
		short := brief
		if same > longPart {
			if from, to := middle(brief[:same]); to > max(from, longPart) {
				short = brief[:from] + "…" + brief[to:]
			}
		}
		if other, taken := read[short]; taken {
			parts[of[other]], short = other, brief
		}
		read[short], parts[of[brief]] = brief, short
	}
}

// begin leaves the beginning of each template that is long, as far as they differ, or nothing of the
// only one, so that there is room for the namespace, which tells names apart too.
func begin(templates map[string]string) {
	of := map[string]string{}
	for room := longPart; room <= longPart<<4 && len(of) < len(templates); room += firstPart {
		clear(of)
		for template, text := range templates {
			end := min(room, len(text))
			if end == room && len(templates) == 1 {
				end = strings.IndexByte(text, '<') + 1
			}
			of[strings.ToValidUTF8(text[:end], "")] = template
		}
	}
	for text, template := range of {
		if len(of) == len(templates) && text != templates[template] {
			templates[template] = text + "…>"
		}
	}
}

// common is how many bytes two texts begin with alike.
func common(a, b string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// classArguments are those before the last one of the class that a text ends within.
func classArguments(text string) (from, to int) {
	from = scope(text)
	return from + strings.IndexByte(text[from:], '<') + 1, argument(text)
}

// scopes are those before the last one.
func scopes(text string) (from, to int) { return 0, scope(text) }

// arguments are those before the last one.
func arguments(text string) (from, to int) { return argument(text[:firstPart]), argument(text) }

// scope is where the last scope begins that is not within angle brackets, which have the class.
func scope(text string) int {
	at := strings.LastIndex(text, "::")
	for at >= 0 && strings.Count(text[:at], "<") != strings.Count(text[:at], ">") {
		at = strings.LastIndex(text[:at], "::")
	}
	if at < 0 {
		return 0
	}
	return at + len("::")
}

// argument is where the last argument begins.
func argument(text string) int { return strings.LastIndexAny(text, "<,:( ") + 1 }

// unscoped is a part of a name without the scopes of what stands within angle brackets.
func unscoped(part string) string {
	text := make([]byte, 0, len(part))
	word, depth := 0, 0 // where the identifier that is being read begins
	for i := 0; i < len(part); i++ {
		c := part[i]
		switch {
		case depth > 0 && word < len(text) && strings.HasPrefix(part[i:], "::"):
			text = text[:word]
			i++
			continue
		case c == '<':
			depth++
		case c == '>' && i > 0 && part[i-1] != '-':
			depth--
		}
		if text = append(text, c); strings.IndexByte("<>,:( )&*[]{}'", c) >= 0 {
			word = len(text)
		}
	}
	return string(text)
}
