package coverage

// Wanted is a vector that was not seen and with which a condition would be shown to
// matter.
type Wanted struct {
	Condition int // index of Conditions
	Values    []Value
	Result    bool
	// With is the number of the vector that it makes the pair with, as in
	// Condition.Pair; 0: the one wanted before or after it.
	With int
}

// Wanted are vectors for the conditions that were not shown to matter, and that the
// compiler does not know. A condition that no vector can show has none.
func (d *Decision) Wanted() []Wanted {
	if len(d.Conditions) > maxWanted {
		return nil
	}
	w := wanting{Decision: d, at: make([]int, len(d.Conditions))}
	for i := range d.Conditions {
		if id := int(d.Conditions[i].ID); id < 0 || id >= len(w.at) {
			return nil
		}
		w.at[d.Conditions[i].ID] = i
	}
	for i := range d.Conditions {
		for _, next := range d.Conditions[i].Next {
			if int(next) >= len(w.at) {
				return nil
			}
		}
	}
	var list []Wanted
	for i := range d.Conditions {
		if c := &d.Conditions[i]; !c.Folded && !c.Covered() {
			list = append(list, w.of(i)...)
		}
	}
	return list
}

// maxWanted bounds the conditions of a decision for which vectors are looked for.
const maxWanted = 256

// wanting looks for ways through the graph of a decision's conditions.
type wanting struct {
	*Decision
	at   []int // where a condition stands, by id
	base []Value
	flip int            // the condition that is to have the other value
	dead map[int16]bool // conditions that were tried
	goal bool
}

// of is what one condition wants: a partner for a vector that was seen, or a pair.
func (w *wanting) of(c int) []Wanted {
	for i := range w.Vectors {
		v := &w.Vectors[i]
		if v.Values[c] == NotEvaluated {
			continue
		}
		if values := w.partner(v.Values, v.Result, c); values != nil {
			return []Wanted{{Condition: c, Values: values, Result: !v.Result, With: i + 1}}
		}
	}
	for _, result := range []bool{false, true} {
		first := w.through(c, result)
		if first == nil {
			continue
		}
		if values := w.partner(first, result, c); values != nil {
			return []Wanted{{Condition: c, Values: first, Result: result}, {Condition: c, Values: values, Result: !result}}
		}
	}
	return nil
}

// partner is a vector that differs from another in one condition and in the result.
func (w *wanting) partner(base []Value, result bool, c int) []Value {
	w.base, w.flip, w.goal, w.dead = base, c, !result, map[int16]bool{}
	values := make([]Value, len(base))
	if !w.walk(0, values) {
		return nil
	}
	return values
}

// walk follows the conditions from one on, and leaves the values in place where it
// comes to the goal.
func (w *wanting) walk(id int16, values []Value) bool {
	if w.dead[id] {
		return false
	}
	w.dead[id] = true
	c := w.at[id]
	choices := []Value{IsFalse, IsTrue}
	if b := w.base[c]; b != NotEvaluated {
		if c == w.flip {
			b = IsFalse + IsTrue - b
		}
		choices = []Value{b}
	}
	for _, value := range choices {
		values[c] = value
		next := w.Conditions[c].Next[value-IsFalse]
		if next < 0 && (value == IsTrue) == w.goal || next >= 0 && w.walk(next, values) {
			return true
		}
	}
	values[c] = NotEvaluated
	return false
}

// through is a vector that evaluates a condition and comes to a result; nil: none was
// found.
func (w *wanting) through(c int, result bool) []Value {
	// Backwards from the condition to the first, one way in is as good as another.
	base := make([]Value, len(w.Conditions))
	for id, steps := w.Conditions[c].ID, 0; id != 0; steps++ {
		from, value := w.into(id)
		if from < 0 || steps > len(base) {
			return nil
		}
		base[w.at[from]] = value
		id = from
	}
	for _, value := range []Value{IsFalse, IsTrue} {
		base[c] = value
		w.base, w.flip, w.goal, w.dead = base, -1, result, map[int16]bool{}
		values := make([]Value, len(base))
		if w.walk(0, values) {
			return values
		}
	}
	return nil
}

// into is a condition that leads to another, and with which value; -1: there is none.
func (w *wanting) into(id int16) (from int16, value Value) {
	for i := range w.Conditions {
		for v, next := range w.Conditions[i].Next {
			if next == id {
				return w.Conditions[i].ID, IsFalse + Value(v)
			}
		}
	}
	return -1, NotEvaluated
}
