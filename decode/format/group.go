package format

import "slices"

// Group sorts files into profiles by what they were recognised as: the indices of
// the files that form one profile each, groups and members in the order given.
//
// Files of one key form one profile; every other is one by itself, so that the
// fault of one that cannot be read is its own. An empty file joins the first
// group of its format, where it adds nothing. A companion joins the profile that
// claims it most, and profiles that own one companion are one. What is of no kind
// that is read joins the first profile, which leaves it out.
func Group(files []Recognised) [][]int {
	g := grouping{files: files, byKey: map[string]int{}}
	var empty, companions, foreign []int
	for i := range files {
		switch f := &files[i]; {
		case f.Companion != nil && f.Err != nil:
			companions = append(companions, i)
		case f.Empty:
			empty = append(empty, i)
		case f.Foreign():
			foreign = append(foreign, i)
		default:
			g.add(i)
		}
	}
	slices.SortStableFunc(companions, func(a, b int) int { return order(files[a].Late) - order(files[b].Late) })
	for _, i := range companions {
		if !g.join(i) {
			foreign = append(foreign, i)
		}
	}
	for _, i := range empty {
		g.joinLike(i)
	}
	g.leave(foreign)
	return g.groups
}

func order(late bool) int {
	if late {
		return 1
	}
	return 0
}

// Settle takes guesses back where one of the files is a profile for certain: text beside
// it is a source far more often than a damaged profile.
func Settle(files []*Recognised) {
	certain := func(r *Recognised) bool { return r.IsProfile() && r.Else == nil }
	if !slices.ContainsFunc(files, certain) {
		return
	}
	for _, r := range files {
		if r.Else != nil {
			*r = *r.Else
		}
	}
}

type grouping struct {
	files  []Recognised
	groups [][]int
	byKey  map[string]int
}

// add puts a file into the group of its key, or into one of its own.
func (g *grouping) add(i int) {
	f := &g.files[i]
	if at, ok := g.byKey[f.Key]; ok && f.Key != "" {
		taken := f.Single && slices.ContainsFunc(g.groups[at], func(n int) bool { return g.files[n].Single })
		if !taken {
			g.groups[at] = append(g.groups[at], i)
			return
		}
	} else {
		g.byKey[f.Key] = len(g.groups)
	}
	g.groups = append(g.groups, []int{i})
}

// join puts a companion into the first group that claims it most, unless that
// has the only one it takes. It reports whether there is one.
func (g *grouping) join(i int) bool {
	home, best := -1, NoClaim
	for at := range g.groups {
		if claim := g.claim(at, i); claim > best {
			home, best = at, claim
		}
	}
	if home < 0 {
		return false
	}
	g.groups[home] = append(g.groups[home], i)
	for at := len(g.groups) - 1; best == Owns && at > home; at-- {
		if g.claim(at, i) == Owns {
			g.groups[home] = slices.Insert(g.groups[home], len(g.groups[home])-1, g.groups[at]...)
			g.groups = slices.Delete(g.groups, at, at+1)
		}
	}
	return true
}

// claim is how much a group wants a companion.
func (g *grouping) claim(at, companion int) Claim {
	best := NoClaim
	for _, n := range g.groups[at] {
		f := &g.files[n]
		if f.Claim == nil || f.Sole && slices.ContainsFunc(g.groups[at], func(m int) bool {
			return g.files[m].Companion != nil
		}) {
			continue
		}
		best = max(best, f.Claim(&g.files[companion]))
	}
	return best
}

// joinLike puts a file without bytes into the first group of its format.
func (g *grouping) joinLike(i int) {
	for at := range g.groups {
		if g.files[g.groups[at][0]].Format == g.files[i].Format {
			g.groups[at] = append(g.groups[at], i)
			return
		}
	}
	g.groups = append(g.groups, []int{i})
}

// leave puts what is of no kind that is read into the first profile; without one
// it is one group, which cannot be opened.
func (g *grouping) leave(foreign []int) {
	home := slices.IndexFunc(g.groups, func(group []int) bool { return g.files[group[0]].IsProfile() })
	for _, i := range foreign {
		if home < 0 {
			home = len(g.groups)
			g.groups = append(g.groups, nil)
		}
		g.groups[home] = append(g.groups[home], i)
	}
}
