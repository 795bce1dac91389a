package middleware

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"

	"proflens/handlers/site"
)

// Compress sends answers of more than a kilobyte gzipped to those who take it.
var Compress = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.SuffixETag(site.EtagSuffix), gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are constants
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}()

// SendPlain leaves an answer as it is: a download whose bytes are the point.
func SendPlain(w http.ResponseWriter) { w.Header().Set(gzhttp.HeaderNoCompression, "1") }
