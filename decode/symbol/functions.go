package symbol

import (
	"debug/dwarf"
	"fmt"

	"proflens/decode/model"
)

// subroutine is a function, or a copy of one that was inlined, with code.
type subroutine struct {
	offset  uint64 // of its entry in .debug_info
	parent  int32  // the subroutine around it, or -1
	inlined bool
}

// functionMap is the subroutines of a unit and where their code is.
type functionMap struct {
	list  []subroutine
	spans spans
}

// readFunctions reads all entries of a unit for their code.
func (s *Symbolizer) readFunctions(u *compileUnit) (*functionMap, error) {
	t, err := s.abbreviations(u)
	if err != nil {
		return nil, err
	}
	c := u.seek(u.first)
	m := &functionMap{}
	var code []span
	var around []int32 // the subroutine around each open entry
	current := int32(-1)
	var e Entry
	for c.Remaining() > 0 {
		at := c.Offset()
		number := c.ULEB("abbreviation code")
		if number == 0 {
			if len(around) > 0 {
				current, around = around[len(around)-1], around[:len(around)-1]
			}
			if c.Err() != nil {
				break
			}
			continue
		}
		a, ok := t.find(number)
		if !ok {
			c.FailAt(at, model.KindMalformed, "abbreviation code", "the unit has no such abbreviation", "",
				number)
			break
		}
		inside := current
		if !a.hasCode {
			if u.skip(a); c.Err() != nil {
				break
			}
		} else {
			e.begin(&u.unit, a, at, nil)
			if e.readValues(a) != nil {
				break
			}
			before, owner := len(code), int32(len(m.list))
			err := s.ranges(u, &e, func(low, high uint64) { code = append(code, span{low: low, high: high, owner: owner}) })
			if err != nil {
				return nil, err
			}
			if len(code) > before || a.tag == dwarf.TagSubprogram {
				m.list = append(m.list, subroutine{e.ID, current, a.tag == dwarf.TagInlinedSubroutine})
				inside = owner
			}
		}
		if a.children {
			if len(around) >= maxDepth {
				c.FailAt(at, model.KindTooLarge, "", "entries nest deeper than in any program",
					fmt.Sprintf("at most %d", maxDepth), "")
				break
			}
			around = append(around, current)
			current = inside
		}
	}
	m.spans = flatten(code)
	return m, u.d.fault(&u.d.info, c.Err())
}

// skip moves past the attributes of an entry.
func (u *unit) skip(a *abbrev) {
	for _, s := range a.skips {
		u.c.Skip("entry", s.before)
		switch s.form {
		case 0:
		case formUdata, formStrx, formAddrx, formRefUdata:
			u.c.ULEB("value")
		default:
			u.read(s.form)
		}
	}
}

// maxInlined is how deep functions are inlined into each other at most; a
// program of templates comes to some forty.
const maxInlined = 128

// chain is the subroutines around an address, innermost first, to the function
// that has a symbol.
func (m *functionMap) chain(addr uint64) (list []*subroutine) {
	n, ok := m.spans.find(addr)
	for ok && n >= 0 && len(list) < maxInlined {
		sub := &m.list[n]
		list = append(list, sub)
		if !sub.inlined {
			break
		}
		n = sub.parent
	}
	return list
}
