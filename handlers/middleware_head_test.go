package handlers_test

import (
	"net/http"
	"testing"

	"proflens/handlers/webtest"
)

// What GET answers, HEAD answers without the body, below subrouters too.
func TestHead(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	page := "/p/" + path[len("/api/v1/profiles/"):]
	for _, address := range []string{
		"/", page, page + "/", page + "/functions", "/api/v1/profiles", path, path + "/functions",
		path + "/functions?format=csv",
		path + "/original", path + "/export/proftext",
	} {
		get, head := l.OK(address, "Accept-Encoding", "identity"), l.Do("HEAD", address, nil, "Accept-Encoding", "identity")
		if head.StatusCode != http.StatusOK || len(head.Bytes) > 0 {
			t.Errorf("HEAD %s: %s, %d bytes", address, head.Status, len(head.Bytes))
		}
		for _, name := range []string{"ETag", "Content-Type"} {
			if head.Header.Get(name) != get.Header.Get(name) {
				t.Errorf("HEAD %s: %s is %q, of GET %q", address, name, head.Header.Get(name), get.Header.Get(name))
			}
		}
	}
	for address, want := range map[string]int{
		"/nothing": http.StatusNotFound, "/api/v1/nothing": http.StatusNotFound, path + "x": http.StatusNotFound,
	} {
		if a := l.Do("HEAD", address, nil); a.StatusCode != want {
			t.Errorf("HEAD %s: %s, want %d", address, a.Status, want)
		}
	}
}
