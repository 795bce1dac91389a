package budget

import (
	"fmt"
	"time"
)

// Why says why something is not built.
type Why string

// The reasons.
const (
	TooMuch Why = "memory" // it alone takes more bytes than there are
	Busy    Why = "busy"   // others hold them
	TooLong Why = "time"   // it takes more time than a request has
)

// Refusal is the error of what is not built. Its words are for a client.
type Refusal struct {
	Why   Why
	Limit int64 // bytes, or nanoseconds
}

// Error implements error.
func (r *Refusal) Error() string {
	switch r.Why {
	case TooMuch:
		return fmt.Sprintf("this takes more memory than the %d MiB that the server has for requests; ask for less, or "+
			"have the operator raise -memory", r.Limit>>20)
	case TooLong:
		return fmt.Sprintf("this takes longer than the %v of processor time that one request has; ask for less",
			time.Duration(r.Limit).Round(time.Second))
	}
	return "the memory for requests is in use; try again soon"
}

// RetryAfter is when to ask again, in seconds.
func (r *Refusal) RetryAfter() string {
	if r.Why == Busy {
		return "2"
	}
	return "60"
}
