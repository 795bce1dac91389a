package symbol

// IsSplitDWARF reports whether the file holds debug info that a program left
// out: a .dwo file of one unit or a .dwp package of many.
func (i *Image) IsSplitDWARF() bool {
	_, ok := i.Section(".debug_info.dwo")
	return ok
}

// splitOf is where the entries of a unit are.
func (s *Symbolizer) splitOf(u *compileUnit) *compileUnit {
	return u
}
