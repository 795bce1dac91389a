package model

import "fmt"

// Amount is a number with the words for one or for several: "1 address has",
// "3 addresses have".
func Amount[N ~int | ~int64 | ~uint32 | ~uint64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Left is "is left" of one and "are left" of several.
func Left(n uint64) string {
	if n == 1 {
		return "is left"
	}
	return "are left"
}
