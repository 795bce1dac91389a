package table

import "proflens/analyze"

// Pair is a pointer to a row of a comparison: a struct that embeds a [State] and a [Move].
type Pair interface {
	Standing() State
	Measured() *Move
}

// Pairs lays the rows of two profiles on each other: those that analyze.Pair joins by their
// keys, and those that one alone has.
func Pairs[S any, P any](base, test []S, key func(*S) analyze.Keyed, row func(both Sides[S]) P) []P {
	keys := func(list []S) []analyze.Keyed {
		k := make([]analyze.Keyed, len(list))
		for i := range list {
			k[i] = key(&list[i])
		}
		return k
	}
	pairs := analyze.Pair(keys(base), keys(test))
	rows := make([]P, len(pairs))
	for i, p := range pairs {
		var both Sides[S]
		if p.A >= 0 {
			both.Base = &base[p.A]
		}
		if p.B >= 0 {
			both.Test = &test[p.B]
		}
		rows[i] = row(both)
	}
	return rows
}
