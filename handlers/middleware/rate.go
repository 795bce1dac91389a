package middleware

import (
	"container/list"
	"net/http"
	"strconv"
	"sync"

	"golang.org/x/time/rate"

	"proflens/handlers/site"
)

// clientsKept is of how many clients the server remembers how much they asked.
const clientsKept = 4096

// rates holds each client to so many requests a second, with ten seconds' worth at
// once.
type rates struct {
	perSecond float64

	mu      sync.Mutex
	clients map[string]*list.Element // of *client
	recent  list.List                // the latest first
}

type client struct {
	address string
	limit   *rate.Limiter
}

// burst is how many seconds' worth of requests a client may make at once.
const burst = 10

func (l *rates) allow(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.clients[address]
	if at == nil {
		if l.recent.Len() == clientsKept {
			oldest := l.recent.Remove(l.recent.Back()).(*client)
			delete(l.clients, oldest.address)
		}
		at = l.recent.PushFront(&client{address, rate.NewLimiter(rate.Limit(l.perSecond), max(1, int(burst*l.perSecond)))})
		l.clients[address] = at
	}
	l.recent.MoveToFront(at)
	return at.Value.(*client).limit.Allow()
}

// LimitRate answers a client with 429 who asks too much.
func LimitRate(s *site.Site, next http.Handler) http.Handler {
	if s.Rate <= 0 {
		return next
	}
	l := &rates{perSecond: s.Rate, clients: map[string]*list.Element{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isStatic(r) && !l.allow(addressOf(r)) {
			w.Header().Set("Retry-After", strconv.Itoa(max(1, int(1/s.Rate))))
			s.API(func(http.ResponseWriter, *http.Request) error { return site.ErrTooMany }).ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// isStatic is for what a page brings with it, and for probes.
func isStatic(r *http.Request) bool {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/favicon.ico":
		return true
	}
	return len(r.URL.Path) > 8 && r.URL.Path[:8] == "/static/"
}

// addressOf is who asks: of IPv6 a network of 64 bits is one client.
func addressOf(r *http.Request) string {
	address := site.ClientAddr(r)
	if address.Is6() {
		if network, err := address.Prefix(64); err == nil {
			return network.String()
		}
	}
	return address.String()
}
