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
	for range 1000 {
		if res, err := client.Get(scheme + "://" + p.addr + "/healthz"); err == nil {
			res.Body.Close()
			client.CloseIdleConnections()
			return p
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nothing answers at %s: %s", p.addr, p.said.String())
	return nil
}

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

// ended waits for the process and returns its status and how long that took.
func (p *process) ended() (status int, took time.Duration) {
	p.t.Helper()
	began := time.Now()
	select {
	case <-p.end:
	case <-time.After(30 * time.Second):
		p.t.Fatal("the server does not end")
	}
	return p.ProcessState.ExitCode(), time.Since(began)
}

const (
	unfinished = "PUT /a.proftext HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nmain\n"
	silence    = ""
	asks       = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n"
)

// While it still listens, a server that was asked to stop is no longer ready.
func TestReadinessFallsFirst(t *testing.T) {
	p := serveProcess(t, "http", "-drain-notice", "3s")
	ready := func() int {
		res, err := http.Get("http://" + p.addr + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if status := ready(); status != 200 {
		t.Fatalf("ready: %d", status)
	}
	p.Process.Signal(syscall.SIGTERM)
	for range 100 {
		if status := ready(); status == 503 {
			if status, took := p.ended(); status != 0 || took > 8*time.Second {
				t.Errorf("status %d after %v: %s", status, took, p.said.String())
			}
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("it is ready")
}

// Nobody who is silent holds a server that stops: neither a connection without a
// request, nor one after a request, nor an upload that stands still.
func TestSilenceDoesNotHoldTheEnd(t *testing.T) {
	p := serveProcess(t, "http", "-drain", "20s")
	p.dial(silence)
	kept := p.dial(asks)
	if _, err := http.ReadResponse(bufio.NewReader(kept), nil); err != nil {
		t.Fatal(err)
	}
	stalled := p.dial(unfinished)
	time.Sleep(300 * time.Millisecond) // it has arrived
	p.Process.Signal(os.Interrupt)
	if status, took := p.ended(); status != 0 || took > 10*time.Second {
		t.Errorf("status %d after %v: %s", status, took, p.said.String())
	}
	io.ReadAll(stalled)
}

// An upload that moves is finished, and acknowledged.
func TestAnUploadThatMovesIsFinished(t *testing.T) {
	p := serveProcess(t, "http")
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
	if status, took := p.ended(); status != 0 || took > 6*time.Second {
		t.Errorf("status %d after %v: %s", status, took, p.said.String())
	}
}

// A second signal ends at once, whatever is under way.
func TestASecondSignalEndsAtOnce(t *testing.T) {
	for sig, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		p := serveProcess(t, "http", "-drain-notice", "20s")
		p.dial(unfinished)
		p.Process.Signal(syscall.SIGTERM)
		time.Sleep(300 * time.Millisecond)
		p.Process.Signal(sig)
		if status, took := p.ended(); status != want || took > 3*time.Second {
			t.Errorf("%v: status %d after %v, expected %d: %s", sig, status, took, want, p.said.String())
		}
	}
}
