package handlers

import (
	"net/http"

	"github.com/klauspost/compress/gzhttp"

	"proflens/handlers/site"
)

// compress sends answers of more than a kilobyte gzipped to those who take it.
var compress = func() func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.SuffixETag(site.EtagSuffix), gzhttp.EnableZstd(false))
	if err != nil {
		panic(err) // the options are constants
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}()

// sendPlain leaves an answer as it is: a download whose bytes are the point.
func sendPlain(w http.ResponseWriter) { w.Header().Set(gzhttp.HeaderNoCompression, "1") }
