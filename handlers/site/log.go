package site

import (
	"fmt"
	"io"
	"log/slog"
	"regexp"
)

// secret is the form of profiles' ids and of tokens. Whoever has an id has the profile.
var secret = regexp.MustCompile(`\b[a-z2-7]{26}\b`)

// NewLog makes the log of the server. An id may stand in it only as the profile of a
// line, where the caller has seen that the profile is listed: the text of an error of
// the file system has the names of files, and those have ids.
func NewLog(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "profile" {
			return a
		}
		switch a.Value.Kind() {
		case slog.KindString, slog.KindAny:
			if text := fmt.Sprint(a.Value.Any()); secret.MatchString(text) {
				a.Value = slog.StringValue(secret.ReplaceAllString(text, "(id)"))
			}
		}
		return a
	}}))
}
