package symbol

import "proflens/decode/model"

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

// spend takes bytes of names from what is allowed, false when it is used up: a
// program has each string once, but a hostile one can begin a name at every byte of a
// long one.
func (s *Symbolizer) spend(size uint64) bool {
	allowed := s.image.Allowance()
	if !s.noText && !allowed.Take(size) {
		s.noText = true
		fault := s.image.Fault(model.KindTooLarge, s.d.str.name, s.d.str.at, "the names exceed their memory limit")
		fault.Expected = allowed.Most()
		s.report(fault)
	}
	return !s.noText
}
