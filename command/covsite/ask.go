package covsite

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// answer is what a handler answers, kept.
type answer struct {
	header http.Header
	status int
	bytes.Buffer
}

func (a *answer) Header() http.Header    { return a.header }
func (a *answer) WriteHeader(status int) { a.status = status }

// Get asks a handler of this process for an address, as a browser would. What is not
// found, or fails, is an error.
func Get(ctx context.Context, h http.Handler, address string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://localhost"+address, nil)
	if err != nil {
		return nil, err
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
	if len(address) < 5 || address[:5] != "/api/" {
		r.Header.Set("Accept", "text/html")
	}
	a := &answer{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(a, r)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if a.status != http.StatusOK {
		var problem struct{ Detail string }
		_ = json.Unmarshal(a.Bytes(), &problem) // a page has none
		return nil, fmt.Errorf("%s: %s", address, cmp.Or(problem.Detail, http.StatusText(a.status)))
	}
	return a.Bytes(), nil
}

// GetJSON is Get of an object of the API.
func GetJSON(ctx context.Context, h http.Handler, address string, to any) error {
	data, err := Get(ctx, h, address)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}
