package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// server is a Proflens of its own, with an empty store.
type server struct {
	binary, url string
	flags       []string
	cmd         *exec.Cmd
	dir         string
}

// address is how a server says where it listens.
var address = regexp.MustCompile(`http://[^/\s]+`)

func (b bench) serve(flags ...string) (*server, error) {
	dir, err := os.MkdirTemp("", "proflens-bench")
	if err != nil {
		return nil, err
	}
	s := &server{binary: b.proflens, dir: dir, flags: flags}
	return s, s.start()
}

func (s *server) start() error {
	args := []string{"serve", "-addr", "localhost:0", "-data", s.dir}
	s.cmd = exec.Command(s.binary, append(args, s.flags...)...)
	out, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if s.url = address.FindString(lines.Text()); s.url != "" {
			go io.Copy(io.Discard, out)
			return nil
		}
	}
	return fmt.Errorf("%s serve said no address", s.binary)
}

// restart empties the server's memory. The store stays.
func (s *server) restart() error {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
	return s.start()
}

func (s *server) stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait()
	os.RemoveAll(s.dir)
}

// get fetches a path and returns how long it took.
func (s *server) get(path string) (time.Duration, int, []byte, error) {
	start := time.Now()
	res, err := http.Get(s.url + path)
	if err != nil {
		return 0, 0, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return time.Since(start), res.StatusCode, body, err
}

// upload sends a file and returns its id, without waiting for decoding.
func (s *server) upload(path string) (string, error) {
	body, err := put(s.url+"/api/v1/profiles/"+filepath.Base(path)+"?wait=0s", path)
	if err != nil {
		return "", err
	}
	var answer struct{ ID string }
	if err := json.Unmarshal(body, &answer); err != nil || answer.ID == "" {
		return "", fmt.Errorf("upload answered %s", body)
	}
	return answer.ID, nil
}

// curl uploads a file as the README says, and returns the id of the link that is printed.
func (s *server) curl(path string) (string, error) {
	out, err := exec.Command("curl", "-sS", "-T", path, s.url+"/").Output()
	if err != nil {
		return "", fmt.Errorf("curl -T: %w", err)
	}
	link, _, _ := strings.Cut(string(out), "\n")
	id := link[strings.LastIndexByte(link, '/')+1:]
	if id == "" {
		return "", fmt.Errorf("curl -T was answered %.200s", out)
	}
	return id, nil
}

// put sends a file and returns the answer.
func put(url, path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	req, err := http.NewRequest("PUT", url, f)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err == nil {
		req.ContentLength = st.Size()
	}
	req.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	return io.ReadAll(res.Body)
}

// pages measures the way from an upload to its pages, and the pages. show is
// the wall time of the peer's own listing of the same file. The peer of the way
// is that listing and, before it, a server that does nothing but take the file in.
func (b bench) pages(path string, show time.Duration) error {
	s, err := b.serve()
	if err != nil {
		return err
	}
	defer s.stop()
	bare, err := serveBare()
	if err != nil {
		return err
	}
	defer bare.stop()
	var took, first, stored []time.Duration
	var id string
	for range b.runs {
		d, err := bare.upload(path)
		if err != nil {
			return err
		}
		took = append(took, d)
		start := time.Now()
		if id, err = s.curl(path); err != nil {
			return err
		}
		if _, err := s.page("/p/"+id+"/functions", nil); err != nil {
			return err
		}
		first = append(first, time.Since(start))
		if err := s.until("/api/v1/profiles/"+id, `"status":"ready"`); err != nil {
			return err
		}
		stored = append(stored, time.Since(start))
	}
	taken := medianOf(took)
	way := func(what string, d time.Duration) {
		b.row(what, "a bare server, and show --all-functions --counts", wall, d.Seconds(), (taken + show).Seconds())
	}
	way(firstPage, medianOf(first))
	way(everythingStored, medianOf(stored))
	return s.queries(id, func(what string, d time.Duration) {
		b.row(what, "show --all-functions --counts", wall, d.Seconds(), show.Seconds())
	})
}

// until polls a path until its answer holds a string. Asking every few milliseconds
// would take a good part of the processor that is measured.
func (s *server) until(path, want string) error {
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		_, code, body, err := s.get(path)
		if err != nil {
			return err
		}
		if code == http.StatusOK && strings.Contains(strings.ReplaceAll(string(body), `": `, `":`), want) {
			return nil
		}
	}
	return fmt.Errorf("%s never held %s", path, want)
}

// queries measures pages of known and new orders.
func (s *server) queries(id string, line func(string, time.Duration)) error {
	base := "/p/" + id + "/functions"
	_, _, body, err := s.get("/api/v1/profiles/" + id + "/functions?limit=1")
	if err != nil {
		return err
	}
	var list struct{ Total int }
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	for _, q := range []struct{ what, query string }{
		{"a new order, first page: sort=-max", "?sort=-max"},
		{"a new order, first page: sort=name", "?sort=name"},
		{"a new order, first page: sort=-zero,counters", "?sort=-zero,counters"},
	} {
		d, code, body, err := s.get(base + q.query)
		if err != nil || code != http.StatusOK {
			return fmt.Errorf("%s: status %d, %v: %.200s", q.query, code, err, body)
		}
		line(q.what, d)
	}
	for _, sort := range []string{"", "sort=-max&", "sort=name&"} {
		var known []time.Duration
		for range 50 {
			page := 1 + rand.IntN(max(1, list.Total/100))
			d, _, _, err := s.get(fmt.Sprintf("%s?%spage=%d", base, sort, page))
			if err != nil {
				return err
			}
			known = append(known, d)
		}
		line("any page of a known order: "+sort, medianOf(known))
	}
	return nil
}
