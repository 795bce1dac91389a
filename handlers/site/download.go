package site

import (
	"fmt"
	"mime"
	"net/http"
)

// Attach makes an answer a download of this name.
func Attach(w http.ResponseWriter, name string) {
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
}

// cutError ends an answer that has begun: the connection is cut, so that the
// client sees that something is missing.
type cutError struct{ err error }

func CutOff(err error) error { return &cutError{err} }

func (e *cutError) Error() string { return fmt.Sprintf("the answer was cut off: %v", e.err) }
func (e *cutError) Unwrap() error { return e.err }
