package site

import (
	"net/http"
	"strconv"
	"strings"

	"proflens/profile/table"
)

// Accepted is the offered media type that the request's Accept header likes
// best, and the first offer where it has no opinion.
func Accepted(r *http.Request, offers ...string) string {
	best, bestQ, bestExact := offers[0], 0.0, -1
	for _, header := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(header, ",") {
			media, q := acceptPart(part)
			for _, offer := range offers {
				exact := specificity(media, offer)
				if exact < 0 || q <= 0 {
					continue
				}
				if q > bestQ || q == bestQ && exact > bestExact {
					best, bestQ, bestExact = offer, q, exact
				}
			}
		}
	}
	return best
}

// specificity is how exactly a media range names an offer: -1 not at all.
func specificity(media, offer string) int {
	family, _, _ := strings.Cut(offer, "/")
	switch media {
	case offer:
		return 2
	case family + "/*":
		return 1
	case "*/*":
		return 0
	}
	return -1
}

func acceptPart(part string) (media string, q float64) {
	media, params, _ := strings.Cut(part, ";")
	q = 1
	for param := range strings.SplitSeq(params, ";") {
		if value, ok := strings.CutPrefix(strings.TrimSpace(param), "q="); ok {
			if parsed, err := strconv.ParseFloat(value, 64); err == nil {
				q = parsed
			}
		}
	}
	return strings.ToLower(strings.TrimSpace(media)), q
}

// WantsHTML reports whether a browser asks, for a page.
func WantsHTML(r *http.Request) bool {
	return Accepted(r, "application/json", "text/html") == "text/html"
}

// Wanted is the format of an answer with rows: what format= says, else what
// Accept likes.
func (l *Listing) Wanted(r *http.Request) table.Format {
	if l.Format != "" {
		return l.Format
	}
	switch Accepted(r, "application/json", "text/csv", "application/x-ndjson", "text/plain") {
	case "text/csv":
		return table.FormatCSV
	case "application/x-ndjson":
		return table.FormatNDJSON
	case "text/plain":
		return table.FormatText
	}
	return table.FormatJSON
}
