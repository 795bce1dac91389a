package main

import (
	"fmt"
	"io"
	"net"
	"sync/atomic"
	"time"
)

// slow is a proxy of TCP that can be as slow as a bad network: each direction of each
// connection waits before it passes a piece on.
type slow struct {
	listener net.Listener
	to       string
	delay    atomic.Int64 // of each piece, in nanoseconds
	rate     atomic.Int64 // bytes a second of each direction; 0: no limit
}

func startSlow(to string) (*slow, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &slow{listener: l, to: to}
	go s.accept()
	return s, nil
}

func (s *slow) endpoint() string {
	return fmt.Sprintf("127.0.0.1:%d", s.listener.Addr().(*net.TCPAddr).Port)
}

// set makes it slow from now on; zeros end that.
func (s *slow) set(delay time.Duration, bytesPerSecond int64) {
	s.delay.Store(int64(delay))
	s.rate.Store(bytesPerSecond)
}

func (s *slow) accept() {
	for {
		in, err := s.listener.Accept()
		if err != nil {
			return
		}
		go func() {
			out, err := net.Dial("tcp", s.to)
			if err != nil {
				in.Close()
				return
			}
			go s.pass(out, in)
			s.pass(in, out)
		}()
	}
}

func (s *slow) pass(to, from net.Conn) {
	defer to.Close()
	defer from.Close()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if n > 0 {
			wait := time.Duration(s.delay.Load())
			if rate := s.rate.Load(); rate > 0 {
				wait += time.Duration(n) * time.Second / time.Duration(rate)
			}
			time.Sleep(wait)
			if _, err := to.Write(piece[:n]); err != nil {
				return
			}
		}
		if err == io.EOF || err != nil {
			return
		}
	}
}
