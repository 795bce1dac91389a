package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// promise is what a client was told of a profile.
type promise struct {
	token     string
	sum       [32]byte // of its original
	functions int
	deleted   bool
	unsure    bool // somebody asks for its deletion, or got no answer
}

// clients use the service as people and scripts do, and hold it to what it says.
type clients struct {
	url  string
	http *http.Client

	mu       sync.Mutex
	promises map[string]*promise
	did      map[string]int // what was answered, by kind and status
	broken   []string       // what must not happen
	took     map[string][]time.Duration
}

func newClients(url string) *clients {
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	return &clients{url: url, http: &http.Client{Timeout: 2 * time.Minute, Transport: transport},
		promises: map[string]*promise{}, did: map[string]int{}, took: map[string][]time.Duration{}}
}

// answer is what the service said; status 0: no answer arrived.
type answer struct {
	status int
	head   http.Header
	body   []byte
}

func (a *answer) object() (o struct {
	ID          string `json:"id"`
	DeleteToken string `json:"delete_token"`
	Status      string `json:"status"`
	Pending     bool   `json:"pending"`
	Functions   int    `json:"functions"`
}) {
	json.Unmarshal(a.body, &o) // what lacks is empty
	return o
}

// ask sends a request and notes how it was answered. What is wrong with every answer is
// found here: a fault of the server that does not say so plainly.
func (c *clients) ask(ctx context.Context, what, method, path, token string, body []byte) answer {
	return c.askAt(ctx, c.url, what, method, path, token, body)
}

func (c *clients) askAt(ctx context.Context, url, what, method, path, token string, body []byte) answer {
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), method, url+path, bytes.NewReader(body))
	if err != nil {
		panic(err) // ours
	}
	request.Header.Set("X-Delete-Token", token)
	request.Header.Set("Accept", "application/json")
	began := time.Now()
	response, err := c.http.Do(request)
	var a answer
	if err == nil {
		defer response.Body.Close()
		a = answer{status: response.StatusCode, head: response.Header}
		if a.body, err = io.ReadAll(response.Body); err != nil {
			a.status = 0
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.did[fmt.Sprintf("%s %d", what, a.status)]++
	if a.status >= 200 && a.status < 300 {
		c.took[what] = append(c.took[what], time.Since(began))
	}
	// HAProxy says 502, 503 and 504 itself, without JSON.
	plain := strings.HasPrefix(a.head.Get("Content-Type"), "application/problem+json")
	if a.status == 500 || plain && a.status == 503 && a.head.Get("Retry-After") == "" {
		c.breaks("%s: %d without a reason to act on: %s", what, a.status, a.body)
	}
	return a
}

// breaks notes what must not happen; the caller holds the lock.
func (c *clients) breaks(format string, args ...any) {
	if len(c.broken) < 50 {
		c.broken = append(c.broken, fmt.Sprintf(format, args...))
	}
}

// content is a profile in text that no other is like.
func content(rng *rand.Rand, functions int) []byte {
	var b bytes.Buffer
	for i := range functions {
		fmt.Fprintf(&b, "function_%d_%x\n%d\n2\n%d\n%d\n\n", i, rng.Uint64(), i, rng.Uint32(), rng.Uint32())
	}
	return b.Bytes()
}

// work has some clients at work until ctx ends.
func (c *clients) work(ctx context.Context, n int, seed uint64) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			rng := rand.New(rand.NewPCG(seed, uint64(i)))
			for ctx.Err() == nil {
				switch what := rng.IntN(20); {
				case what == 0:
					c.upload(ctx, rng, 20_000, "0s")
				case what < 6:
					c.upload(ctx, rng, 1+rng.IntN(50), []string{"0s", "2s"}[rng.IntN(2)])
				case what < 8:
					c.remove(ctx, rng)
				default:
					c.read(ctx, rng)
				}
				if a := c.ask(ctx, "home", "GET", "/api/v1/profiles?limit=20", "", nil); a.status >= 500 || a.status == 0 {
					time.Sleep(200 * time.Millisecond) // as people do
				}
			}
		})
	}
	all.Wait()
}

// upload returns the id of what was taken; empty: nothing was.
func (c *clients) upload(ctx context.Context, rng *rand.Rand, functions int, wait string) string {
	data := content(rng, functions)
	a := c.ask(ctx, "upload", "PUT", "/api/v1/profiles/a.proftext?wait="+wait, "", data)
	if a.status != http.StatusCreated && a.status != http.StatusAccepted {
		return ""
	}
	o := a.object()
	c.mu.Lock()
	c.promises[o.ID] = &promise{token: o.DeleteToken, sum: sha256.Sum256(data), functions: functions}
	c.mu.Unlock()
	// Whoever is asked next knows it.
	if a := c.ask(ctx, "read after upload", "GET", "/api/v1/profiles/"+o.ID, "", nil); a.status == http.StatusNotFound {
		c.mu.Lock()
		c.breaks("%s was taken and is not found a moment later", o.ID)
		c.mu.Unlock()
	}
	return o.ID
}

// some is one of the profiles that are promised, and not about to be deleted.
func (c *clients) some(rng *rand.Rand, take bool) (string, *promise) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := slices.Sorted(maps.Keys(c.promises))
	for range min(10, len(ids)) {
		id := ids[rng.IntN(len(ids))]
		if p := c.promises[id]; !p.deleted && !p.unsure {
			p.unsure = take
			return id, p
		}
	}
	return "", nil
}

func (c *clients) remove(ctx context.Context, rng *rand.Rand) {
	id, p := c.some(rng, true)
	if p == nil {
		return
	}
	a := c.ask(ctx, "delete", "DELETE", "/api/v1/profiles/"+id, p.token, nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case a.status >= 200 && a.status < 300:
		p.deleted, p.unsure = true, false
	case a.status >= 400 && a.status < 500:
		p.unsure = false
	}
}

// read looks at a profile: its object, its functions, its original.
func (c *clients) read(ctx context.Context, rng *rand.Rand) {
	id, p := c.some(rng, false)
	if p == nil {
		return
	}
	if err := c.verify(ctx, c.url, id, p); err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !p.deleted && !p.unsure {
			c.breaks("%s: %v", id, err)
		}
	}
}

// verify reads a profile that is there; an error is a promise that was broken. What is
// not answered now breaks none.
func (c *clients) verify(ctx context.Context, url, id string, p *promise) error {
	a := c.askAt(ctx, url, "profile", "GET", "/api/v1/profiles/"+id, "", nil)
	if a.status == 0 || a.status >= 500 {
		return nil
	}
	if a.status != http.StatusOK && a.status != http.StatusAccepted {
		return fmt.Errorf("answers %d: %s", a.status, a.body)
	}
	o := a.object()
	if o.Status == "failed" {
		return fmt.Errorf("failed: %s", a.body)
	}
	if o.Status == "ready" {
		a := c.askAt(ctx, url, "functions", "GET", "/api/v1/profiles/"+id+"/export/ndjson", "", nil)
		if a.status == http.StatusOK {
			var end struct{ Rows int }
			lines := bytes.Split(bytes.TrimSpace(a.body), []byte("\n"))
			if err := json.Unmarshal(lines[len(lines)-1], &end); err != nil {
				return err
			}
			if end.Rows != p.functions {
				return fmt.Errorf("shows %d functions of %d", end.Rows, p.functions)
			}
		}
	}
	a = c.askAt(ctx, url, "original", "GET", "/api/v1/profiles/"+id+"/original?file=0", "", nil)
	if a.status == http.StatusOK && sha256.Sum256(a.body) != p.sum {
		return fmt.Errorf("its original is %d bytes of something else", len(a.body))
	}
	return nil
}

// recovered waits until the service takes, decodes and deletes again.
func (c *clients) recovered(ctx context.Context, patience time.Duration) (time.Duration, error) {
	began := time.Now()
	rng := rand.New(rand.NewPCG(uint64(began.UnixNano()), 1))
	for time.Since(began) < patience && ctx.Err() == nil {
		if id := c.upload(ctx, rng, 10, "10s"); id != "" {
			if a := c.ask(ctx, "profile", "GET", "/api/v1/profiles/"+id, "", nil); a.object().Status == "ready" {
				return time.Since(began), nil
			}
		}
		time.Sleep(250 * time.Millisecond)
	}
	return 0, fmt.Errorf("the service did not recover within %v", patience)
}

// check asks an instance for everything that was promised.
func (c *clients) check(ctx context.Context, url string) (checked int, broken []string) {
	var mu sync.Mutex
	var all sync.WaitGroup
	ids := make(chan string)
	for range 8 {
		all.Go(func() {
			for id := range ids {
				if err := c.checkOne(ctx, url, id, c.promises[id]); err != nil {
					mu.Lock()
					broken = append(broken, fmt.Sprintf("%s at %s: %v", id, url, err))
					mu.Unlock()
				}
			}
		})
	}
	for id, p := range c.promises {
		if !p.unsure {
			checked++
			ids <- id
		}
	}
	close(ids)
	all.Wait()
	return checked, broken
}

func (c *clients) checkOne(ctx context.Context, url, id string, p *promise) error {
	if p.deleted {
		if a := c.askAt(ctx, url, "deleted", "GET", "/api/v1/profiles/"+id, "", nil); a.status != http.StatusGone {
			return fmt.Errorf("it was deleted, and answers %d", a.status)
		}
		return nil
	}
	a := c.askAt(ctx, url, "profile", "GET", "/api/v1/profiles/"+id, "", nil)
	for end := time.Now().Add(2 * time.Minute); a.object().Pending && time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
		a = c.askAt(ctx, url, "profile", "GET", "/api/v1/profiles/"+id, "", nil)
	}
	if o := a.object(); o.Status != "ready" || o.Functions != p.functions {
		return fmt.Errorf("answers %d: %s", a.status, a.body)
	}
	return c.verify(ctx, url, id, p)
}
