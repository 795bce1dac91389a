package handlers_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/handlers/webtest"
	"proflens/ingest"
)

// promised are the profiles that a client was told are stored, each with the
// least number of its files; a profile goes before its deletion is asked for.
type promised struct {
	mu    sync.Mutex
	files map[string]int
	token map[string]string
}

func (p *promised) put(id, token string, files int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[id], p.token[id] = files, token
}

// pick takes a profile out, for somebody who changes it.
func (p *promised) pick() (id, token string, files int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id, files := range p.files {
		token := p.token[id]
		delete(p.files, id)
		return id, token, files
	}
	return "", "", 0
}

func (p *promised) all() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	files := map[string]int{}
	for id, n := range p.files {
		files[id] = n
	}
	return files
}

// client uploads, adds to, merges and deletes profiles until ctx ends.
func (p *promised) client(ctx context.Context, l *webtest.Server, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	send := func(method, path, body string, headers ...string) (map[string]any, error) {
		req, err := http.NewRequest(method, l.URL+path, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		for i := 0; i < len(headers); i += 2 {
			req.Header.Set(headers[i], headers[i+1])
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode/100 != 2 {
			return nil, fmt.Errorf("%s %s: %s: %s, %v", method, path, res.Status, b, err)
		}
		if len(b) == 0 {
			return nil, nil
		}
		return (&webtest.Answer{Response: res, Bytes: b}).Object(l.T), nil
	}
	text := func() string { return fmt.Sprintf("main\n7\n1\n%d\n", r.Uint32()) }
	upload := func() (string, error) {
		o, err := send("PUT", "/api/v1/profiles/a.proftext?wait=5s", text())
		if err != nil {
			return "", err
		}
		p.put(o["id"].(string), o["delete_token"].(string), 1)
		return o["id"].(string), nil
	}
	for ctx.Err() == nil {
		id, err := upload()
		if err != nil {
			return err
		}
		switch r.IntN(4) {
		case 0, 1:
			id, token, _ := p.pick()
			if id == "" {
				continue
			}
			if _, err := send("DELETE", "/api/v1/profiles/"+id, "", "X-Delete-Token", token); err != nil {
				return err
			}
		case 2:
			id, token, files := p.pick()
			if id == "" {
				continue
			}
			if _, err := send("POST", "/api/v1/profiles/"+id+"/files?name=b.proftext", text(), "X-Delete-Token", token,
				"Content-Type", "application/octet-stream"); err != nil {
				return err
			}
			p.put(id, token, files+1)
		case 3:
			// Its input may be deleted by another client meanwhile.
			o, err := send("POST", "/api/v1/merge?wait=5s",
				fmt.Sprintf(`{"profiles":[{"id":%q,"weight":1},{"id":%q,"weight":2}]}`, id, id))
			if err == nil {
				p.put(o["id"].(string), o["delete_token"].(string), 1)
			}
		}
	}
	return nil
}

// Backups that are taken while clients upload, add, merge and delete hold every profile
// that was promised before and not deleted until the end.
func TestBackupsUnderLoad(t *testing.T) {
	l := webtest.Start(t, nil)
	data := filepath.Dir(l.Catalog.StagingDir())
	p := &promised{files: map[string]int{}, token: map[string]string{}}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 4)
	always := l.Upload("always.proftext", webtest.Proftext("always")) // no client has its token
	for seed := range uint64(4) {
		go func() { ended <- p.client(ctx, l, seed) }()
	}
	previous, struck := "", 0
	for round := range 4 {
		time.Sleep(500 * time.Millisecond)
		for len(p.all()) < 3 && len(ended) == 0 { // a busy machine takes longer to promise something
			time.Sleep(50 * time.Millisecond)
		}
		before := p.all()
		to := filepath.Join(t.TempDir(), "backup")
		o := catalog.BackupOptions{}
		if previous != "" {
			o.LinkFrom = []string{previous}
		}
		m, err := catalog.Backup(t.Context(), catalog.Place{Dir: data}, to, o, func(f catalog.Fault) { t.Error(f) })
		if err != nil {
			t.Fatal(err)
		}
		after := p.all()
		struck += m.Struck
		t.Logf("round %d: promised before: %d; %d profiles, deleted meanwhile: %d", round, len(before), m.Profiles, m.Struck)
		for id, files := range before {
			if _, kept := after[id]; kept {
				before[id] = files
			} else {
				delete(before, id) // deleted, or in the hands of somebody who may
			}
		}
		before[always] = 1
		checkRestored(t, to, before, round == 3)
		previous = to
	}
	stop()
	for range 4 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	t.Logf("profiles deleted under the backups: %d", struck)
}

// checkRestored restores a backup and looks for profiles with their originals; when it is
// served, all of them become ready.
func checkRestored(t *testing.T, from string, want map[string]int, serve bool) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "restored")
	if _, err := catalog.Restore(t.Context(), dir, from, catalog.RestoreOptions{},
		func(f catalog.Fault) { t.Error(f) }); err != nil {
		t.Fatal(err)
	}
	c, err := catalog.Open(t.Context(), catalog.Place{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(want) == 0 {
		t.Error("no profile was promised all the time")
	}
	for id, files := range want {
		e, err := c.Entry(t.Context(), id)
		if err != nil || len(e.Files) < files {
			t.Errorf("%s: %v; expected %d files or more", id, err, files)
			continue
		}
		for _, f := range e.Files {
			original, err := c.OpenObject(t.Context(), f.SHA256)
			if err != nil {
				t.Errorf("%s: %v", id, err)
				continue
			}
			original.Close()
		}
	}
	if _, err := catalog.Check(t.Context(), catalog.Place{Dir: dir}, func(f catalog.Fault) {
		if strings.HasPrefix(string(f.What), "original") || f.What == "unknown to the catalog" {
			t.Error(f)
		}
	}); err != nil {
		t.Error(err)
	}
	if !serve {
		return
	}
	service := ingest.New(c, ingest.Config{}, nil)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	left := len(want)
	for end := time.Now().Add(10 * time.Minute); left > 0 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		left = 0
		for id := range want {
			if e, err := c.Entry(t.Context(), id); err != nil || e.State != catalog.Ready {
				left++
			}
		}
	}
	if left > 0 {
		t.Errorf("%d of %d profiles are not ready", left, len(want))
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
