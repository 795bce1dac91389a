package handlers_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// Readers that do not read hold no decoder: whoever comes after them is answered.
func TestSlowReadersHoldNoDecoder(t *testing.T) {
	s := webtest.Start(t, func(c *site.Config) { c.MaxUpload = 64 << 20 })
	var names []string
	for i := range 60_000 { // more than sockets and memory hold
		names = append(names, fmt.Sprintf("a_function_with_a_name_that_is_long_enough_to_fill_the_buffers_of_sockets_%d", i))
	}
	id := s.Upload("a.proftext", webtest.Proftext(names...))
	address := "/api/v1/profiles/" + id + "/export/proftext"
	for range 4 {
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", address)
		if line, err := bufio.NewReaderSize(c, 16).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
			t.Fatalf("%q, %v", line, err)
		}
	}
	done := make(chan int64, 1)
	go func() {
		r, err := http.Get(s.URL + address)
		if err != nil {
			done <- 0
			return
		}
		defer r.Body.Close()
		n, _ := io.Copy(io.Discard, r.Body)
		done <- n
	}()
	select {
	case n := <-done:
		if n < 4<<20 {
			t.Errorf("%d bytes", n)
		}
	case <-time.After(10 * time.Minute):
		t.Fatal("the export waits for readers that do not read")
	}
}

func TestNoRoomIs507(t *testing.T) {
	s := webtest.Start(t, nil)
	id := s.Upload("a.proftext", webtest.Proftext("main"))
	s.Catalog.SetSpace(catalog.Space{Free: 1 << 60})
	a := s.Do("PUT", "/b.proftext", bytes.NewReader(webtest.Proftext("other")))
	webtest.Problem(t, a, http.StatusInsufficientStorage, "no_room")
	if a := s.Do("GET", "/api/v1/profiles/"+id, nil); a.StatusCode != http.StatusOK {
		t.Errorf("reading: %d", a.StatusCode)
	}
}

func TestTooManyUploadsAtOnce(t *testing.T) {
	s := webtest.Start(t, func(c *site.Config) { c.MaxUploads = 1 })
	r, w := io.Pipe()
	first := make(chan int, 1)
	go func() {
		request, _ := http.NewRequest("PUT", s.URL+"/a.proftext?wait=5m", r)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			first <- 0
			return
		}
		answer.Body.Close()
		first <- answer.StatusCode
	}()
	w.Write([]byte("main\n1\n"))
	for !strings.Contains(s.OK("/metrics").Text(), `proflens_slots_used{of="uploads"} 1`) {
		time.Sleep(time.Millisecond) // until it has begun
	}
	a := s.Do("PUT", "/b.proftext", strings.NewReader("other\n1\n1\n1\n"))
	webtest.Problem(t, a, http.StatusServiceUnavailable, "busy")
	w.Write([]byte("1\n1\n"))
	w.Close()
	if status := <-first; status != http.StatusCreated {
		t.Errorf("the first upload: %d", status)
	}
}

func TestRateOfOneClient(t *testing.T) {
	s := webtest.Start(t, func(c *site.Config) { c.Rate = 1 })
	refused := 0
	for range 20 {
		if s.Do("GET", "/api/v1/profiles", nil).StatusCode == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 || refused > 10 {
		t.Errorf("%d of %d requests were refused", refused, 20)
	}
	if a := s.Do("GET", "/healthz", nil); a.StatusCode != http.StatusOK {
		t.Errorf("a probe: %d", a.StatusCode)
	}
}
