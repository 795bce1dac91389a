package table

import (
	"math/bits"
	"reflect"
	"strings"
)

// State is how a row stands in two profiles: bits, of which a table may have more than these.
// A row of a comparison embeds it with the tag of its column; its words are those of
// Declaration.States.
type State uint16

// The bits that all comparisons have; one of the first four is set.
const (
	Matched  State = 1 << iota // both have it
	Changed                    // both have it, and its code or shape differs
	OnlyBase                   // the test profile does not have it
	OnlyTest                   // the base profile does not have it
	OwnState                   // the first of the bits that are a table's own
)

// StateWord is a bit of [State] in words.
type StateWord struct {
	Word  string // in addresses and cells
	Label string // among those to choose from
	// Tag marks the rows that are in it; Tone is its colour, and Title says more of it.
	// Where Tag is empty they are not marked.
	Tag, Tone, Title string
}

// States are the words of the bits that all comparisons have.
var States = []StateWord{
	{Word: "matched", Label: "in both"},
	{Word: "changed", Label: "code changed", Tag: "code changed"},
	{Word: "only_base", Label: "lost", Tag: "lost", Tone: "less", Title: "in A, not in B"},
	{Word: "only_test", Label: "new", Tag: "new", Tone: "more", Title: "in B, not in A"},
}

// Absent reports whether a profile does not have the row: the base, or the test profile.
func (s State) Absent() (base, test bool) { return s&OnlyTest != 0, s&OnlyBase != 0 }

// Bit is where a state of one bit stands among the words of its table.
func (s State) Bit() int { return bits.TrailingZeros16(uint16(s)) }

// Standing implements [Pair].
func (s State) Standing() State { return s }

var stateType = reflect.TypeFor[State]()

// words are those of a state, with blanks between.
func (d *Declaration) words(s State) string {
	var list []string
	for bit, word := range d.States {
		if s>>bit&1 != 0 {
			list = append(list, word.Word)
		}
	}
	return strings.Join(list, " ")
}
