package memprofview

import (
	"strconv"
	"strings"

	"proflens/say"
)

// How the quantities of heap profiles are written.
var (
	Milliseconds = say.Milliseconds
	Rate         = say.Rate
	ByteSeconds  = say.ByteSeconds
	BigBytes     = say.BigBytes
)

// parse reads what inFull wrote.
func parse(s string) float64 {
	v, _ := strconv.ParseFloat(s, 64)
	return v
}

// lastPart is a path, perhaps with a line, without its folders.
func lastPart(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }
