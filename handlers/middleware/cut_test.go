package middleware

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/site"
)

// A panic in the middle of an answer must not look like its end.
func TestRecovererCutsOff(t *testing.T) {
	s := site.New(site.Config{})
	url := serve(t, site.RequestID(Recover(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Repeat("half ", 10_000))
		panic("too late")
	}))))
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if _, err := io.ReadAll(res.Body); err == nil {
		t.Error("the answer ended as if it were whole")
	}
}
