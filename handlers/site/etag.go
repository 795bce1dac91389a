package site

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"proflens/catalog"
)

// NotModified gives the answer of a ready profile a strong ETag over the files'
// digests, the decoder's version and the query, and reports whether the client
// has that answer already; then 304 is written. variant is what else decides
// the bytes, such as the format that Accept chose.
func (s *Site) NotModified(w http.ResponseWriter, r *http.Request, variant string) bool {
	return s.NotModifiedOf(w, r, variant, s.Entry(r))
}

// NotModifiedOf is NotModified for an answer that is made of these profiles, and of
// the relatives that were asked for before.
func (s *Site) NotModifiedOf(w http.ResponseWriter, r *http.Request, variant string, profiles ...*catalog.Entry) bool {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %q %q %t", s.build, r.URL.Path, r.URL.Query().Encode(), variant,
		cookieOf(r, loginCookie) != "")
	for _, e := range profiles {
		if e.State != catalog.Ready {
			return false
		}
		fmt.Fprintf(hash, " %q %d %d %d", e.Digest, e.Decoder, e.Schema, e.Updated.UnixMicro())
	}
	if also := RequestOf(r).relatives; also != nil {
		for i := range *also {
			fmt.Fprintf(hash, " %q %d %q", (*also)[i].ID, (*also)[i].Updated.UnixMicro(), (*also)[i].Relation)
		}
	}
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

// Unsettled takes the ETag back from an answer that will be another next time.
func Unsettled(w http.ResponseWriter) {
	w.Header().Del("ETag")
	NoStore(w)
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
			if strings.TrimSuffix(given, EtagSuffix) == bare {
				return true
			}
		}
	}
	return false
}

// EtagSuffix marks the compressed form of an answer: a strong ETag names
// bytes, and these are others.
const EtagSuffix = "-gzip"
