package stacks

import "slices"

// Fold is a profile whose stacks leave frames out: those of a library, which
// then belong to the frame that calls them, and with recursion what stands between two calls
// of one function. A stack of nothing but library frames keeps its outermost
// one. The values are the same.
func Fold(p *Profile, library func(*Frame) bool, recursion bool) *Profile {
	folded := *p
	folded.Samples = func(yield func(*Sample, error) bool) {
		place := map[string]int{} // by function: where it was put last
		var stack []Frame
		p.Samples(func(s *Sample, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			stack = stack[:0]
			for _, f := range slices.Backward(s.Stack) {
				if library != nil && library(&f) {
					continue
				}
				if recursion {
					name := f.Linkage
					if name == "" {
						name = f.Name
					}
					if at, ok := place[name]; ok && at < len(stack) && stack[at].Name == f.Name && stack[at].Linkage == f.Linkage &&
						stack[at].File == f.File && stack[at].Start == f.Start {
						// The frame stays as its first call has it, but for the line, which is
						// that of the last.
						inlined := stack[at].Inlined
						stack = append(stack[:at], f)
						stack[at].Inlined = inlined
						continue
					}
					place[name] = len(stack)
				}
				stack = append(stack, f)
			}
			if len(stack) == 0 && len(s.Stack) > 0 {
				stack = append(stack, s.Stack[len(s.Stack)-1])
			}
			slices.Reverse(stack)
			out := *s
			out.Stack = stack
			return yield(&out, nil)
		})
	}
	return &folded
}

// Renamed is a profile whose frames that linkers know have other names.
func Renamed(p *Profile, name func(linkage string) string) *Profile {
	renamed := *p
	renamed.Samples = func(yield func(*Sample, error) bool) {
		var stack []Frame
		p.Samples(func(s *Sample, err error) bool {
			if err != nil {
				return yield(nil, err)
			}
			stack = append(stack[:0], s.Stack...)
			for i := range stack {
				if stack[i].Linkage != "" {
					stack[i].Name = name(stack[i].Linkage)
				}
			}
			sample := *s
			sample.Stack = stack
			return yield(&sample, nil)
		})
	}
	return &renamed
}
