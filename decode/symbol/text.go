package symbol

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Names may take so much memory: a program has each string once, but a hostile
// one can begin a name at every byte of a long one.
const (
	maxTextReads = 16
	maxText      = 64 << 20
)

// text is the string of an attribute, which is copied once; empty for none.
func (s *Symbolizer) text(u *unit, v value) string {
	b, ok := u.text(v)
	if !ok || len(b) == 0 {
		return ""
	}
	key := &b[0]
	if known, ok := s.strings[key]; ok {
		return known
	}
	b, _ = cString(b)
	if !s.spend(uint64(len(b))) {
		return ""
	}
	known := string(b)
	s.strings[key] = known
	return known
}

// spend takes bytes of names from what there is, false when it is used up.
func (s *Symbolizer) spend(size uint64) bool {
	limit := maxText + maxTextReads*uint64(s.d.Size())
	over := s.textRead > limit
	s.textRead += size
	if s.textRead > limit && !over {
		s.report(s.image.Fault(model.KindTooLarge, s.d.str.name, s.d.str.at, fmt.Sprintf("the names take more than %s", wire.Plural(limit, "byte"))))
	}
	return s.textRead <= limit
}
