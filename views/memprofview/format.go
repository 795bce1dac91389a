package memprofview

import (
	"strconv"
	"strings"
)

// parse reads what inFull wrote.
func parse(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

// lastPart is a path, perhaps with a line, without its folders.
func lastPart(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }
