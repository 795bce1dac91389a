package middleware

import (
	"container/list"
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

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

	tally     func(ctx context.Context, made map[string]int64) (elsewhere map[string]int64, err error)
	telling   sync.Mutex
	told      time.Time        // when the others were told
	made      map[string]int64 // allowed since then
	elsewhere map[string]int64 // what they had allowed by then
}

type client struct {
	address string
	limit   *rate.Limiter
}

// Other processes are told every so often, and are not waited for longer than that.
const (
	tellEvery  = 2 * time.Second
	tellWithin = time.Second
)

// tell exchanges with the other processes what each has allowed. What they have allowed
// a client counts here too.
func (l *rates) tell(ctx context.Context) {
	if l.tally == nil || !l.telling.TryLock() {
		return
	}
	defer l.telling.Unlock()
	if time.Since(l.told) < tellEvery {
		return
	}
	l.told = time.Now()
	l.mu.Lock()
	made := l.made
	l.made = map[string]int64{}
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tellWithin)
	defer cancel()
	elsewhere, err := l.tally(ctx, made)
	if err != nil {
		return // each counts for itself until they hear each other again
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for address, n := range elsewhere {
		more := n - l.elsewhere[address]
		if at := l.clients[address]; at != nil && more > 0 {
			limit := at.Value.(*client).limit
			limit.ReserveN(time.Now(), int(min(more, int64(limit.Burst()))))
		}
	}
	l.elsewhere = elsewhere
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
	allowed := at.Value.(*client).limit.Allow()
	if allowed && l.tally != nil {
		l.made[address]++
	}
	return allowed
}

// LimitRate answers a client with 429 who asks too much.
func LimitRate(s *site.Site, next http.Handler) http.Handler {
	if s.Rate <= 0 {
		return next
	}
	l := &rates{perSecond: s.Rate, clients: map[string]*list.Element{}, tally: s.Tally, made: map[string]int64{}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.tell(r.Context())
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
