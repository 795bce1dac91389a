package covmap

import (
	"fmt"

	"proflens/decode/model"
)

// maxExpressions is how deep expressions may refer to each other: what evaluates them may
// call itself for each. Those of a compiler are as deep as a function has conditions.
const maxExpressions = 1 << 18

// isExpression reports whether a counter is one.
func (c Counter) isExpression() bool { return c.Tag() >= Difference }

// checkExpressions refuses expressions that are made of themselves, or too deep.
// depths are used again: by expression 0, not seen; -1, being looked at; or its depth.
func (m *Mapping) checkExpressions(f *Function, depths *[]int32) error {
	n := len(m.Expressions)
	if n == 0 {
		return nil
	}
	// Behind the depths there is place for those that are being looked at.
	if cap(*depths) < 2*n {
		*depths = make([]int32, 2*n)
	}
	depth, open := (*depths)[:n:n], (*depths)[n:n]
	clear(depth)
	for first := range depth {
		if depth[first] != 0 {
			continue
		}
		open = append(open, int32(first))
		for len(open) > 0 {
			top := open[len(open)-1]
			depth[top] = -1
			e, deepest, whole := m.Expressions[top], int32(0), true
			for _, c := range [2]Counter{e.Left, e.Right} {
				if !c.isExpression() {
					continue
				}
				d := depth[c.ID()]
				if d == 0 && whole {
					open, whole = append(open, int32(c.ID())), false
				}
				if d < 0 {
					return f.malformed("an expression is made of itself", fmt.Sprint(c.ID()))
				}
				deepest = max(deepest, d)
			}
			if !whole {
				continue
			}
			if depth[top] = deepest + 1; deepest >= maxExpressions {
				return f.malformed("expressions refer to each other too deeply", fmt.Sprint(deepest))
			}
			open = open[:len(open)-1]
		}
	}
	return nil
}

func (f *Function) malformed(msg, found string) error {
	return &model.FormatError{
		Kind: model.KindMalformed, Section: "mapping", Field: "expressions", Offset: f.at, Msg: msg, Found: found,
	}
}
