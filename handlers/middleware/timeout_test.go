package middleware

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"proflens/handlers/site"
)

// A body that keeps moving may take longer than the idle time; one that stands
// still is ended.
func TestDeadlines(t *testing.T) {
	s := site.New(site.Config{IdleTimeout: 300 * time.Millisecond})
	ended := make(chan error, 1)
	url := serve(t, Deadlines(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := io.ReadAll(r.Body)
		ended <- err
	})))
	still, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer still.Close()
	io.WriteString(still, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
	if err := <-ended; !isTimeout(err) {
		t.Errorf("a body that stands still ended with %v", err)
	}
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout()
}

// Once the body is read, the handler may take longer than the idle time and
// its context lives.
func TestDeadlinesAfterBody(t *testing.T) {
	s := site.New(site.Config{IdleTimeout: 50 * time.Millisecond})
	url := serve(t, Deadlines(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		select {
		case <-r.Context().Done():
			w.WriteHeader(http.StatusTeapot)
		case <-time.After(250 * time.Millisecond):
			io.WriteString(w, "done")
		}
	})))
	res, err := http.Post(url, "", strings.NewReader("body"))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); string(body) != "done" || err != nil {
		t.Errorf("%s: %q, %v", res.Status, body, err)
	}
}

func TestWithin(t *testing.T) {
	h := Within(time.Millisecond)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		if err := r.Context().Err(); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}

// The deadline of one answer does not end the next one on the connection.
func TestDeadlinesOfNextRequest(t *testing.T) {
	s := site.New(site.Config{IdleTimeout: 50 * time.Millisecond})
	url := serve(t, Deadlines(s, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/first" {
			io.WriteString(w, "first")
			return
		}
		time.Sleep(150 * time.Millisecond)
		w.WriteHeader(http.StatusNoContent)
	})))
	for _, path := range []string{"/first", "/second", "/first"} {
		res, err := http.Get(url + path)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if _, err := io.Copy(io.Discard, res.Body); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		res.Body.Close()
	}
}

// deadlineCounter counts the deadlines that are set.
type deadlineCounter struct {
	http.ResponseWriter
	set int
}

func (c *deadlineCounter) SetReadDeadline(time.Time) error  { c.set++; return nil }
func (c *deadlineCounter) SetWriteDeadline(time.Time) error { c.set++; return nil }

// A server that stops while a handler ends sets no deadline any more: HTTP/2 has taken the stream away.
func TestNoDeadlineAfterTheEnd(t *testing.T) {
	w := &deadlineCounter{ResponseWriter: httptest.NewRecorder()}
	p := &pace{c: http.NewResponseController(w), idle: time.Minute, reads: true}
	p.moved(&p.wrote, p.c.SetWriteDeadline)
	p.hurry()
	if w.set != 3 {
		t.Errorf("%d deadlines were set, not one and the two of who hurries", w.set)
	}
	p.leave()
	p.hurry()
	p.ended()
	p.read = time.Time{}
	p.moved(&p.read, p.c.SetReadDeadline)
	if w.set != 3 {
		t.Errorf("%d deadlines were set after the end", w.set-3)
	}
}

// serve answers by a handler until the test ends.
func serve(t *testing.T, h http.Handler) (url string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}
