package handlers

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"proflens/store"
)

// notModified gives the answer of a ready profile a strong ETag over the files'
// digests, the decoder's version and the query, and reports whether the client
// has that answer already; then 304 is written. variant is what else decides
// the bytes, such as the format that Accept chose.
func (s *server) notModified(w http.ResponseWriter, r *http.Request, variant string) bool {
	e := s.entry(r)
	if e.State != store.Ready {
		return false
	}
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %d %d %q %q %q %d", s.build, e.Digest, e.Decoder, e.Schema,
		r.URL.Path, r.URL.Query().Encode(), variant, e.Updated.UnixMicro())
	tag := `"` + base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:16]) + `"`
	h := w.Header()
	h.Set("ETag", tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Accept")
	if !hasETag(r.Header.Values("If-None-Match"), tag) {
		return false
	}
	w.WriteHeader(http.StatusNotModified)
	return true
}

// unsettled takes the ETag back from an answer that will be another next time.
func unsettled(w http.ResponseWriter) {
	w.Header().Del("ETag")
	w.Header().Set("Cache-Control", "no-store")
}

// hasETag compares as If-None-Match does: weakly, and the compressed form of an
// answer counts as the answer.
func hasETag(headers []string, tag string) bool {
	bare := strings.Trim(tag, `"`)
	for _, header := range headers {
		for given := range strings.SplitSeq(header, ",") {
			given = strings.TrimSpace(given)
			if given == "*" {
				return true
			}
			given = strings.Trim(strings.TrimPrefix(given, "W/"), `"`)
			if strings.TrimSuffix(given, etagSuffix) == bare {
				return true
			}
		}
	}
	return false
}
