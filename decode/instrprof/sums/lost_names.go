package sums

// lostNames joins the records of a partial profile that have lost their names
// with those of other inputs that have them. It costs nothing until there is
// one.
type lostNames struct {
	wanted map[uint64]int32 // by NameRef: the number of a name that is lost so far
	known  map[uint64]int32 // by NameRef: the numbers of all names, once one was lost
	left   int              // slots by NameRef alone that lead to a name found since
}

// internLost is intern for a record without a name of a partial profile: the
// name that another input has for the NameRef is the record's, be it before or
// after.
func (t *interner) internLost(ref uint64) int32 {
	l := &t.lost
	if l.known == nil {
		l.known, l.wanted = make(map[uint64]int32, len(t.names)), map[uint64]int32{}
		for i, name := range t.names {
			if len(name) > 0 {
				l.known[t.refs[i]] = int32(i)
			}
		}
	}
	if i, ok := l.known[ref]; ok {
		return i
	}
	i := t.intern(ref, nil)
	l.wanted[ref] = i
	return i
}

// note remembers the number of a new name.
func (l *lostNames) note(ref uint64, name []byte, number int32) {
	if l.known != nil && len(name) > 0 {
		l.known[ref] = number
	}
}

// found returns the number under which a new name was wanted before, if it was.
func (l *lostNames) found(ref uint64, name []byte) (number int32, wanted bool) {
	if l.known == nil || len(name) == 0 {
		return 0, false
	}
	number, wanted = l.wanted[ref]
	if wanted {
		delete(l.wanted, ref)
		l.known[ref] = number
		l.left++
	}
	return number, wanted
}
