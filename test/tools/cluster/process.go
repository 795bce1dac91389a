package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// place is a folder for everything that one run starts: data, logs, and what is to be
// killed in the end.
type place struct {
	dir string

	mu      sync.Mutex
	running []*process
}

// process is a program that was started, with its log in the place.
type process struct {
	name string
	argv []string
	as   *syscall.Credential // nil: who runs us
	env  []string
	log  string

	mu   sync.Mutex
	cmd  *exec.Cmd
	done chan struct{}
}

// start starts a program, which dies with us.
func (p *place) start(name string, as *syscall.Credential, env []string, argv ...string) (*process, error) {
	c := &process{name: name, argv: argv, as: as, env: env, log: filepath.Join(p.dir, name+".log")}
	p.mu.Lock()
	p.running = append(p.running, c)
	p.mu.Unlock()
	return c, c.start()
}

func (c *process) start() error {
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	cmd.Stdout, cmd.Stderr, cmd.Env = log, log, append(os.Environ(), c.env...)
	cmd.Dir = filepath.Dir(c.log)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL, Credential: c.as}
	// The death signal is that of the thread, which must live on: main locks none.
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	done := make(chan struct{})
	go func() { cmd.Wait(); close(done) }()
	c.mu.Lock()
	c.cmd, c.done = cmd, done
	c.mu.Unlock()
	return nil
}

// signal sends a signal to the program and all that it has started.
func (c *process) signal(s syscall.Signal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	syscall.Kill(-c.cmd.Process.Pid, s)
}

// kill ends the program as a loss of power does.
func (c *process) kill() {
	c.signal(syscall.SIGKILL)
	<-c.done
}

// stop asks the program to end, and kills it after some time.
func (c *process) stop(patience time.Duration) (itself bool) {
	c.signal(syscall.SIGTERM)
	select {
	case <-c.done:
		return true
	case <-time.After(patience):
		c.kill()
		return false
	}
}

// alive reports whether the program runs.
func (c *process) alive() bool {
	select {
	case <-c.done:
		return false
	default:
		return true
	}
}

// close ends everything, the last that was started first.
func (p *place) close() {
	for i := len(p.running) - 1; i >= 0; i-- {
		if c := p.running[i]; c.cmd != nil && c.alive() {
			c.kill()
		}
	}
}

// path is a folder in the place, which is made.
func (p *place) path(name string) string {
	dir := filepath.Join(p.dir, name)
	os.MkdirAll(dir, 0o755)
	return dir
}

// run runs a command to its end and returns what it printed.
func run(ctx context.Context, argv ...string) (string, error) { return runWith(ctx, nil, argv...) }

// runWith is run with more in its environment.
func runWith(ctx context.Context, env []string, argv ...string) (string, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", argv[0], err, out)
	}
	return string(out), nil
}

// port is one of loopback that nobody has.
func port() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// ports are n of them, all different.
func ports(n int) ([]int, error) {
	var taken []net.Listener
	defer func() {
		for _, l := range taken {
			l.Close()
		}
	}()
	found := make([]int, n)
	for i := range found {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		taken = append(taken, l)
		found[i] = l.Addr().(*net.TCPAddr).Port
	}
	return found, nil
}

// answers waits until a URL answers with one of the statuses; none: with any.
func answers(ctx context.Context, url string, patience time.Duration, statuses ...int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := http.Client{Timeout: 3 * time.Second}
	var last error
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		answer, err := client.Do(request)
		if err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
			if len(statuses) == 0 {
				return nil
			}
			for _, s := range statuses {
				if s == answer.StatusCode {
					return nil
				}
			}
			err = errors.New(answer.Status)
		}
		if ctx.Err() == nil || last == nil {
			last = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w", url, last)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// unprivileged is the user that PostgreSQL runs as: it refuses root.
func unprivileged(name string) (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}
