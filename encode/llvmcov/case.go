package llvmcov

import "slices"

// FoldCase orders paths without regard to the case of ASCII letters.
func FoldCase(a, b string) int {
	return slices.CompareFunc([]byte(a), []byte(b), func(x, y byte) int { return int(lower(x)) - int(lower(y)) })
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
