package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
)

// server is a Proflens of its own, with an empty store.
type server struct {
	url    string
	cmd    *exec.Cmd
	dir    string
	client *http.Client
}

// address is how a server says where it listens.
var address = regexp.MustCompile(`http://[^/\s]+`)

func serve(binary string, flags ...string) (*server, error) {
	dir, err := os.MkdirTemp("", "proflens-load")
	if err != nil {
		return nil, err
	}
	return serveIn(dir, binary, flags...)
}

// serveIn starts a server with a store that may be there already.
func serveIn(dir, binary string, flags ...string) (*server, error) {
	cmd := exec.Command(binary, append([]string{"serve", "-addr", "localhost:0", "-data", dir}, flags...)...)
	said, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if url := address.FindString(lines.Text()); url != "" {
			go io.Copy(io.Discard, said)
			transport := &http.Transport{MaxIdleConnsPerHost: 64}
			return &server{url, cmd, dir, &http.Client{Transport: transport}}, nil
		}
	}
	return nil, fmt.Errorf("%s serve said no address", binary)
}

// stop ends the server and removes its store.
func (s *server) stop() {
	s.end()
	os.RemoveAll(s.dir)
}

// end ends the server.
func (s *server) end() {
	s.cmd.Process.Signal(os.Interrupt)
	s.cmd.Wait()
}

// memory is resident bytes: the server's own, now, and with the files it maps,
// whose pages the system takes back when it needs them, at most.
type memory struct{ own, most int64 }

var resident = regexp.MustCompile(`(RssAnon|VmHWM):\s+(\d+) kB`)

// memory reads what Linux says of the server, 0 elsewhere.
func (s *server) memory() (m memory) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return m
	}
	for _, found := range resident.FindAllSubmatch(status, -1) {
		kb, _ := strconv.ParseInt(string(found[2]), 10, 64) // digits
		if string(found[1]) == "RssAnon" {
			m.own = kb << 10
		} else {
			m.most = kb << 10
		}
	}
	return m
}

// watch returns the most memory of its own that the server has had until ctx ends.
func (s *server) watch(ctx context.Context) (most int64) {
	for ctx.Err() == nil {
		most = max(most, s.memory().own)
		time.Sleep(20 * time.Millisecond)
	}
	return most
}
