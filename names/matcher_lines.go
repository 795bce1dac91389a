package names

import "bytes"

// Among calls found with the place of every name that matches, from one to before
// another, in order. full are the names demangled, see [Lines.Demangled]; nil where nobody
// has demangled them yet.
func (m *Matcher) Among(pgo, full *Lines, from, to int, found func(i int)) {
	if full == nil {
		for i := from; i < to; i++ {
			if m.Match(pgo.At(i)) {
				found(i)
			}
		}
		return
	}
	terms := make([]uint8, to-from) // how many each name is known to have, all before another
	for t, w := range m.words {
		has := having(terms, from, uint8(t))
		pgo.having(w.folded, from, to, has)
		if !w.copied {
			full.having(w.folded, from, to, has)
		}
	}
	all := uint8(len(m.words))
	if m.re != nil {
		has := having(terms, from, all)
		m.matching(pgo, from, to, has)
		m.matching(full, from, to, func(i int) {
			if len(full.At(i)) > 0 {
				has(i)
			}
		})
		all++
	}
	for at := 0; ; at++ {
		n := bytes.IndexByte(terms[at:], all)
		if n < 0 {
			return
		}
		at += n
		found(from + at)
	}
}

// having marks names that have a term as well.
func having(terms []uint8, from int, term uint8) func(i int) {
	return func(i int) {
		if terms[i-from] == term {
			terms[i-from]++
		}
	}
}

// matching calls found with every name that matches the regular expression.
func (m *Matcher) matching(names *Lines, from, to int, found func(i int)) {
	match, done := m.re.Matcher()
	defer done()
	try := func(i int) {
		if match(names.At(i)) {
			found(i)
		}
	}
	if m.text != nil && !(m.re.Anchored && names.mayHave(m.text)) { // where names begin is soon looked at
		names.having(m.text, from, to, try)
		return
	}
	for i := from; i < to; i++ {
		try(i)
	}
}
