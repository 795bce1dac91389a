package measures

import "proflens/analyze"

// exactDigits is up to where every whole number is a float64.
const exactDigits = 1 << 53

// number is a count.
func number[T int | uint64](n T) Value { return sum(analyze.Sum{Lo: uint64(n)}) }

// sum is a count that can pass 2^64.
func sum(s analyze.Sum) Value {
	v := Value{N: s.Float64()}
	if s.Hi > 0 || s.Lo > exactDigits {
		v.Exact = s.String()
	}
	return v
}

// share is a part of which nothing but its size is known, from 0 to 1. A sum of many
// doubles can miss the 1 that it would be.
func share(f float64) Value {
	if f > 1-1e-9 && f < 1+1e-9 {
		f = 1
	}
	return Value{N: f, Of: 1}
}

// part adds some of a whole, unless there is nothing that it could be a part of.
func part[T int | uint64 | float64](s Set, name string, n, of T) {
	if of > 0 {
		s[name] = Value{N: float64(n), Of: float64(of)}
	}
}
