package names

import "slices"

// Lines are names one behind the other, so that a search looks at bytes and not at
// names. Once filled they are safe for concurrent use.
type Lines struct {
	text   []byte    // each with a line feed behind it
	ends   []uint32  // of each name in text
	stands [256]bool // whether a byte stands in a name
}

// Add adds a name. There must be less than 4 GiB.
func (l *Lines) Add(name []byte) {
	for _, c := range name {
		l.stands[c] = true
	}
	l.text = append(l.text, name...)
	l.ends = append(l.ends, uint32(len(l.text)))
	l.text = append(l.text, '\n')
}

// Len is how many names there are.
func (l *Lines) Len() int { return len(l.ends) }

// At is the i-th name.
func (l *Lines) At(i int) []byte {
	from := l.start(i)
	return l.text[from:l.ends[i]:l.ends[i]]
}

func (l *Lines) start(i int) uint32 {
	if i == 0 {
		return 0
	}
	return l.ends[i-1] + 1
}

// Bytes is the memory that they take.
func (l *Lines) Bytes() int64 { return int64(cap(l.text)) + 4*int64(cap(l.ends)) }

// Clip gives back room for more names.
func (l *Lines) Clip() { l.text, l.ends = slices.Clip(l.text), slices.Clip(l.ends) }

// mayHave reports whether a word may stand in a name, as far as is known without looking:
// mangled names have no parentheses, demangled ones hardly a '$'.
func (l *Lines) mayHave(word *folded) bool {
	for _, c := range word.needle {
		if !l.stands[c] && ('a' > c || c > 'z' || !l.stands[c-'a'+'A']) {
			return false
		}
	}
	return true
}

// Demangled are the linkage names demangled in full, line by line; empty for a name that
// is no mangled one. There are none where they take more than so many bytes.
func (l *Lines) Demangled(most int64) *Lines {
	full := &Lines{text: make([]byte, 0, len(l.text)), ends: make([]uint32, 0, len(l.ends))}
	for i := range l.ends {
		if full.Bytes() > most {
			return nil
		}
		var name []byte
		if _, linkage := Cut(l.At(i)); isMangled(linkage) {
			name = []byte(Demangle(string(linkage), Full))
		}
		full.Add(name)
	}
	full.Clip()
	return full
}

// having calls found with every name, from one to before another, that has a word.
func (l *Lines) having(word *folded, from, to int, found func(i int)) {
	if from == to || !l.mayHave(word) {
		return
	}
	at, end := l.start(from), l.ends[to-1]
	for i := from; i < to; i++ {
		n := word.index(l.text[at:end])
		if n < 0 {
			return
		}
		for at += uint32(n); l.ends[i] < at; {
			i++
		}
		found(i)
		at = l.ends[i]
	}
}
