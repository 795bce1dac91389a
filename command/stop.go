package command

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// stopper ends a server in good order. Its ConnState is the server's.
type stopper struct {
	notice time.Duration // between /readyz falling and the end of listening
	drain  time.Duration // for the requests under way

	mu     sync.Mutex
	silent map[net.Conn]bool // connections that have sent nothing yet
	open   int               // all connections
}

// connState counts connections and notes who has sent nothing: to net/http such a
// connection might send a request any moment, and it waits for that.
func (s *stopper) connState(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.open++
		if s.silent == nil {
			s.silent = map[net.Conn]bool{}
		}
		s.silent[c] = true
		return
	case http.StateClosed, http.StateHijacked:
		s.open--
	}
	delete(s.silent, c)
}

// connections is how many are open.
func (s *stopper) connections() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return float64(s.open)
}

// stop stops listening and lets requests end, for a while. When a service manager
// asked for it, whoever sends requests here has some time to see that
// the server is not ready any more.
func (s *stopper) stop(ctx context.Context, server *http.Server) error {
	if terminated(ctx) {
		time.Sleep(s.notice)
	}
	left, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.drain)
	defer cancel()
	s.mu.Lock()
	for c := range s.silent {
		c.Close()
	}
	s.mu.Unlock()
	if err := server.Shutdown(left); err != nil {
		return server.Close()
	}
	return nil
}
