package profdata

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// WeightError is returned for a weight that is none.
type WeightError struct {
	Line   int // of the list, from 1
	Weight string
}

// Error says what a weight is.
func (e *WeightError) Error() string {
	return fmt.Sprintf("line %d: %q is not a weight; use a whole number, 1 or more, then a comma and a name", e.Line,
		e.Weight)
}

// Listed adds the inputs that a list has: a name a line, after a weight and a comma where it
// has one. Lines that are empty or begin with # say nothing. Errors are a *[WeightError] and
// those of add.
func Listed(list []byte, add func(name string, weight uint64) error) error {
	n := 0
	for line := range bytes.Lines(list) {
		n++
		entry := strings.TrimSpace(string(line))
		if entry == "" || entry[0] == '#' {
			continue
		}
		if !strings.Contains(entry, ",") {
			entry = "1," + entry
		}
		err := addWeighted(entry, add)
		if wrong, ok := errors.AsType[*WeightError](err); ok {
			wrong.Line = n
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addWeighted adds an input of which the weight and a comma come first.
func addWeighted(entry string, add func(name string, weight uint64) error) error {
	number, name, _ := strings.Cut(entry, ",")
	weight, err := strconv.ParseUint(number, 10, 64)
	if err != nil || weight == 0 {
		return &WeightError{Weight: number}
	}
	return add(name, weight)
}
