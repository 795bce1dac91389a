package command

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a server as a process of its own.
type process struct {
	*exec.Cmd
	t    *testing.T
	addr string
	said bytes.Buffer
	end  chan error
}

// serveProcess starts a server and waits until it answers.
func serveProcess(t *testing.T, scheme string, flags ...string) *process {
	t.Helper()
	p := &process{t: t, addr: freeAddress(t), end: make(chan error, 1)}
	p.Cmd = exec.Command("proflens", append([]string{"serve", "-addr", p.addr, "-data", t.TempDir()}, flags...)...)
	p.Stderr = &p.said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.end <- p.Wait() }()
	t.Cleanup(func() { p.Process.Kill() })
	client := http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for {
		if res, err := client.Get(scheme + "://" + p.addr + "/healthz"); err == nil {
			res.Body.Close()
			client.CloseIdleConnections()
			return p
		}
		select {
		case <-p.end:
			t.Fatalf("it does not serve at %s: %s", p.addr, p.said.String())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// until asks until an answer has what is awaited.
func (p *process) until(path string, holds func(status int, text string) bool) {
	p.t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		res, err := client.Get("http://" + p.addr + path)
		if err != nil {
			p.t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			p.t.Fatal(err)
		}
		if holds(res.StatusCode, string(text)) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// uploads waits until an upload has arrived.
func (p *process) uploads() {
	p.t.Helper()
	p.until("/metrics", func(_ int, text string) bool {
		return strings.Contains(text, `proflens_slots_used{of="uploads"} 1`)
	})
}

func notReady(status int, _ string) bool { return status == http.StatusServiceUnavailable }

// dial opens a connection and sends what is given.
func (p *process) dial(sends string) net.Conn {
	p.t.Helper()
	c, err := net.Dial("tcp", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() })
	if _, err := io.WriteString(c, sends); err != nil {
		p.t.Fatal(err)
	}
	return c
}

// ended waits for the process and returns its status. What must not hold the process lasts
// for an hour in these tests.
func (p *process) ended() (status int) {
	p.t.Helper()
	select {
	case <-p.end:
	case <-time.After(20 * time.Minute):
		p.t.Fatal("the server does not end: ", p.said.String())
	}
	return p.ProcessState.ExitCode()
}

const (
	unfinished = "PUT /a.proftext HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nmain\n"
	silence    = ""
	asks       = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
)

// While it still listens, a server that was asked to stop is no longer ready.
func TestReadinessFallsFirst(t *testing.T) {
	t.Parallel()                                         // it waits for the notice to end
	p := serveProcess(t, "http", "-drain-notice", "10s") // there is an answer before, however busy the machine
	p.until("/readyz", func(status int, _ string) bool { return status == http.StatusOK })
	p.Process.Signal(syscall.SIGTERM)
	p.until("/readyz", notReady)
	if status := p.ended(); status != 0 {
		t.Errorf("status %d: %s", status, p.said.String())
	}
}

// Nobody who is silent holds a server that stops: neither a connection without a
// request, nor one after a request, nor an upload that stands still.
func TestSilenceDoesNotHoldTheEnd(t *testing.T) {
	p := serveProcess(t, "http", "-drain", "1h")
	p.dial(silence)
	kept := p.dial(asks)
	if _, err := http.ReadResponse(bufio.NewReader(kept), nil); err != nil {
		t.Fatal(err)
	}
	stalled := p.dial(unfinished)
	p.uploads()
	p.Process.Signal(os.Interrupt)
	if status := p.ended(); status != 0 {
		t.Errorf("status %d: %s", status, p.said.String())
	}
	io.ReadAll(stalled)
}

// An upload that moves is finished, and acknowledged.
func TestAnUploadThatMovesIsFinished(t *testing.T) {
	t.Parallel() // it takes its time
	p := serveProcess(t, "http", "-drain", "1h")
	text := "main\n7\n1\n1\n" + strings.Repeat("\n", 50)
	c := p.dial(fmt.Sprintf("PUT /a.proftext HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n", len(text)))
	for i, letter := range []byte(text) {
		if _, err := c.Write([]byte{letter}); err != nil {
			t.Fatalf("after %d bytes: %v", i, err)
		}
		if i == 10 {
			p.Process.Signal(os.Interrupt)
		}
		time.Sleep(60 * time.Millisecond) // 3 s in all
	}
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil || res.StatusCode/100 != 2 {
		t.Fatalf("%v, %v", res, err)
	}
	if status := p.ended(); status != 0 {
		t.Errorf("status %d: %s", status, p.said.String())
	}
}

// A second signal ends at once, whatever is under way.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		p := serveProcess(t, "http", "-drain-notice", "1h")
		p.dial(unfinished)
		p.uploads()
		p.Process.Signal(syscall.SIGTERM)
		p.until("/readyz", notReady) // it knows of the first
		p.Process.Signal(sig)
		if status := p.ended(); status != want {
			t.Errorf("%v: status %d, expected %d: %s", sig, status, want, p.said.String())
		}
	}
}
