package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// huge are uploads far larger than any profile should be: some are refused, some are
// taken. Each writes itself.
var huge = []struct {
	name  string
	write func(w *bufio.Writer)
}{
	{"zeros.profraw", func(w *bufio.Writer) { // 2 GiB of nothing
		for range 2 << 10 {
			w.Write(make([]byte, 1<<20))
		}
	}},
	{"functions.proftext", func(w *bufio.Writer) { // ten million functions
		w.WriteString(":ir\n")
		for i := range 10_000_000 {
			fmt.Fprintf(w, "_ZN4test5fn%07dEv\n%d\n2\n%d\n%d\n\n", i, i, i%97, i%13)
		}
	}},
	{"counters.proftext", func(w *bufio.Writer) { // one function of 50 million counters
		w.WriteString("main\n1\n50000000\n")
		for i := range 50_000_000 {
			fmt.Fprintln(w, i%1000)
		}
	}},
	{"name.proftext", func(w *bufio.Writer) { // a name of 300 MB
		for range 300 {
			w.WriteString(strings.Repeat("x", 1<<20))
		}
		w.WriteString("\n1\n1\n1\n")
	}},
	{"names.proftext", func(w *bufio.Writer) { // 2,000 names of 100 kB
		for i := range 2_000 {
			fmt.Fprintf(w, "%s%d\n1\n1\n1\n\n", strings.Repeat("x", 100<<10), i)
		}
	}},
	{"values.proftext", func(w *bufio.Writer) { // one site of ten million values
		w.WriteString("main\n1\n1\n1\n1\n0\n1\n10000000\n")
		for i := range 10_000_000 {
			fmt.Fprintf(w, "callee%d:%d\n", i, i)
		}
	}},
	{"packed.proftext.gz", func(w *bufio.Writer) { // 8 GiB of zeros, packed
		z := gzip.NewWriter(w)
		for range 8 << 10 {
			z.Write(make([]byte, 1<<20))
		}
		z.Close()
	}},
}

// uploadHuge sends each and reads the pages of what was taken, and prints how much
// memory of its own the server had at most.
func uploadHuge(binary string) error {
	s, err := serve(binary, "-max-upload", "16GiB", "-max-expanded", "16GiB", "-max-ratio", "100000", "-max-staging",
		"64GiB")
	if err != nil {
		return err
	}
	defer s.stop()
	fmt.Printf("%-22s %9s %9s  %s\n", "upload", "MB sent", "MB at most", "answer")
	for _, h := range huge {
		ctx, cancel := context.WithCancel(context.Background())
		most := make(chan int64)
		go func() { most <- s.watch(ctx) }()
		sent, answer, err := s.stream(h.name, h.write)
		cancel()
		fmt.Printf("%-22s %9d %9d  %s\n", h.name, sent>>20, <-most>>20, answer)
		if err != nil {
			return err
		}
	}
	return nil
}

// stream uploads what write writes, waits for its end, and reads its pages.
func (s *server) stream(name string, write func(w *bufio.Writer)) (sent int64, answer string, err error) {
	file, err := os.Create(filepath.Join(s.dir, name)) // on the disk: an upload says its length
	if err != nil {
		return 0, "", err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	w := bufio.NewWriterSize(file, 1<<20)
	write(w)
	if err := w.Flush(); err != nil {
		return 0, "", err
	}
	if sent, err = file.Seek(0, io.SeekCurrent); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return sent, "", err
	}
	request, err := http.NewRequest(http.MethodPut, s.url+"/api/v1/profiles/"+name+"?wait=0s", io.NopCloser(file))
	if err != nil {
		return sent, "", err
	}
	request.ContentLength = sent
	got, err := s.client.Do(request)
	if err != nil {
		return sent, "", err
	}
	io.Copy(io.Discard, got.Body)
	got.Body.Close()
	if got.Header.Get("Location") == "" {
		return sent, got.Status, nil
	}
	id := filepath.Base(got.Header.Get("Location"))
	state, err := s.ended(id)
	for _, page := range []string{
		"", "/functions", "/functions?sort=-max", "/functions?q=fn00", "/tree?by=namespace", "/sites", "/raw", "/diagnostics",
	} {
		if err := s.read("/p/" + id + page); err != nil && strings.HasPrefix(state, "ready") {
			state += ", " + err.Error()
		}
	}
	return sent, state, err
}

// ended waits until a profile is ready or has failed, and returns its state.
func (s *server) ended(id string) (string, error) {
	for range 1200 {
		got, err := s.client.Get(s.url + "/api/v1/profiles/" + id)
		if err != nil {
			return "", err
		}
		if got.StatusCode == http.StatusServiceUnavailable { // what is stored is too much to show
			got.Body.Close()
			return "ready, " + got.Status, nil
		}
		var profile struct {
			Status   string
			Findings []struct{ Code string }
		}
		err = json.NewDecoder(got.Body).Decode(&profile)
		got.Body.Close()
		if err != nil || profile.Status == "ready" || profile.Status == "failed" {
			if len(profile.Findings) > 0 {
				profile.Status += ", " + profile.Findings[0].Code
			}
			return profile.Status, err
		}
		time.Sleep(500 * time.Millisecond)
	}
	return "", errors.New("not done after ten minutes")
}
