//go:build long && linux

package command

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"proflens/catalog"
)

// killRounds is how often the server is killed, and killMemory what it may have.
const (
	killRounds = 40
	killMemory = 512 << 20
)

// promise is what a client was told of a profile.
type promise struct {
	token   string
	sums    []string // of its originals
	deleted bool
	maybe   bool // a request about it was under way when the server was killed
}

// anything is the sum of a file that the server has made.
const anything = ""

// killed is a server that is killed again and again, and what it has promised.
type killed struct {
	t    *testing.T
	dir  string
	url  string
	cmd  *exec.Cmd
	http *http.Client

	mu       sync.Mutex
	promises map[string]*promise
	done     map[string]int
}

// TestKilledOverHTTP kills a server that several clients upload to, add to, merge
// in and delete from, small files and of 20 MB, under a limit of memory: whatever was
// acknowledged is there after the next start, whole, and nothing comes back.
func TestKilledOverHTTP(t *testing.T) {
	k := &killed{
		t: t, dir: t.TempDir(), http: &http.Client{Timeout: time.Minute}, promises: map[string]*promise{},
		done: map[string]int{},
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range killRounds {
		k.start()
		ctx, cancel := context.WithCancel(t.Context())
		var clients sync.WaitGroup
		for i := range 6 {
			clients.Go(func() { k.client(ctx, rand.New(rand.NewPCG(uint64(round), uint64(i)))) })
		}
		k.await(1+rng.IntN(15), round%10 == 9)
		time.Sleep(time.Duration(rng.IntN(30)) * time.Millisecond) // amid whatever
		k.cmd.Process.Kill()
		cancel()
		clients.Wait()
		k.cmd.Wait()
	}
	k.start()
	k.check()
	k.cmd.Process.Kill()
	k.cmd.Wait()
	_, err := catalog.Check(t.Context(), catalog.Place{Dir: k.dir}, func(f catalog.Fault) {
		if f.What != "unknown to the catalog" { // uploads that were cut off between file and catalog
			t.Error(f)
		}
	})
	if err != nil {
		t.Error(err)
	}
	t.Logf("acknowledged: %v", k.done)
	for _, what := range []string{"uploads", "additions", "merges", "deletes"} {
		if k.done[what] == 0 {
			t.Errorf("no %s were acknowledged", what)
		}
	}
}

// await returns when so much more was acknowledged, a merge among it where one is wanted.
func (k *killed) await(more int, merge bool) {
	acknowledged := func() (all, merges int) {
		k.mu.Lock()
		defer k.mu.Unlock()
		return k.done["uploads"] + k.done["additions"] + k.done["merges"] + k.done["deletes"], k.done["merges"]
	}
	before, merged := acknowledged()
	for {
		all, merges := acknowledged()
		if all >= before+more && (!merge || merges > merged) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

var listens = regexp.MustCompile(`http://[^/\s]+`)

func (k *killed) start() {
	self, err := os.Executable()
	if err != nil {
		k.t.Fatal(err)
	}
	k.cmd = exec.Command(self, "serve", "-addr", "127.0.0.1:0", "-data", k.dir, "-default-visibility", "listed")
	k.cmd.Env = append(os.Environ(), "PROFLENS_TEST_SERVER=1")
	said, err := k.cmd.StderrPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := k.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	most := unix.Rlimit{Cur: killMemory, Max: killMemory}
	if err := unix.Prlimit(k.cmd.Process.Pid, unix.RLIMIT_DATA, &most, nil); err != nil {
		k.t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		if k.url = listens.FindString(lines.Text()); k.url != "" {
			go io.Copy(io.Discard, said)
			return
		}
	}
	k.t.Fatalf("the server did not start: %v", k.cmd.Wait())
}

// content is a profile that no other is like.
func content(rng *rand.Rand, large bool) []byte {
	var b bytes.Buffer
	n := 1 + rng.IntN(5)
	if large {
		n = 250_000
	}
	for i := range n {
		fmt.Fprintf(&b, "function_%d_%x\n%d\n2\n%d\n%d\n\n", i, rng.Uint64(), i, rng.Uint32(), rng.Uint32())
	}
	return b.Bytes()
}

func (k *killed) client(ctx context.Context, rng *rand.Rand) {
	for ctx.Err() == nil {
		switch what := rng.IntN(20); {
		case what == 0:
			k.upload(ctx, content(rng, true), "0s")
		case what < 11:
			k.upload(ctx, content(rng, false), []string{"0s", "2s"}[rng.IntN(2)])
		case what < 14:
			k.add(ctx, rng)
		case what < 16:
			k.merge(ctx, rng)
		default:
			k.remove(ctx, rng)
		}
	}
}

// ask sends a request; the answer is nil when none arrived.
func (k *killed) ask(ctx context.Context, method, path, token string, body []byte) (status int, object map[string]any) {
	request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), method, k.url+path, bytes.NewReader(body))
	if err != nil {
		k.t.Error(err)
		return 0, nil
	}
	request.Header.Set("X-Delete-Token", token)
	request.Header.Set("Accept", "application/json")
	answer, err := k.http.Do(request)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	if json.NewDecoder(answer.Body).Decode(&object) != nil {
		return answer.StatusCode, nil
	}
	return answer.StatusCode, object
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}

func (k *killed) promised(what, id string, p *promise) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.promises[id] = p
	k.done[what]++
}

func (k *killed) upload(ctx context.Context, data []byte, wait string) {
	status, o := k.ask(ctx, "PUT", "/api/v1/profiles/a.proftext?wait="+wait, "", data)
	if status == http.StatusCreated || status == http.StatusAccepted {
		k.promised("uploads", o["id"].(string), &promise{token: o["delete_token"].(string), sums: []string{sum(data)}})
	}
}

// some is a profile that nobody else asks about at the time.
func (k *killed) some(rng *rand.Rand) (id string, p *promise) {
	k.mu.Lock()
	defer k.mu.Unlock()
	var ids []string
	for id, p := range k.promises {
		if !p.deleted && !p.maybe {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return "", nil
	}
	slices.Sort(ids)
	id = ids[rng.IntN(len(ids))]
	k.promises[id].maybe = true // until it is answered
	return id, k.promises[id]
}

func (k *killed) answered(what string, p *promise, change func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p.maybe = false
	k.done[what]++
	change()
}

func (k *killed) add(ctx context.Context, rng *rand.Rand) {
	id, p := k.some(rng)
	if p == nil {
		return
	}
	data := content(rng, false)
	switch status, _ := k.ask(ctx, "POST", "/api/v1/profiles/"+id+"/files?filename=b.proftext&wait=0s", p.token, data); {
	case status == http.StatusCreated || status == http.StatusAccepted || status == http.StatusOK:
		k.answered("additions", p, func() { p.sums = append(p.sums, sum(data)) })
	case status != 0:
		k.answered("refused additions", p, func() {})
	}
}

func (k *killed) remove(ctx context.Context, rng *rand.Rand) {
	id, p := k.some(rng)
	if p == nil {
		return
	}
	switch status, _ := k.ask(ctx, "DELETE", "/api/v1/profiles/"+id, p.token, nil); {
	case status >= 200 && status < 300:
		k.answered("deletes", p, func() { p.deleted = true })
	case status != 0:
		k.answered("refused deletes", p, func() {})
	}
}

func (k *killed) merge(ctx context.Context, rng *rand.Rand) {
	id, p := k.some(rng)
	if p == nil {
		return
	}
	defer k.answered("asked to merge", p, func() {})
	body := fmt.Sprintf(`{"profiles":[{"id":%q,"weight":2}],"name":"sum"}`, id)
	status, o := k.ask(ctx, "POST", "/api/v1/merge", "", []byte(body))
	for status == http.StatusConflict && ctx.Err() == nil { // it is not decoded yet
		time.Sleep(10 * time.Millisecond)
		status, o = k.ask(ctx, "POST", "/api/v1/merge", "", []byte(body))
	}
	if status == http.StatusCreated || status == http.StatusAccepted {
		k.promised("merges", o["id"].(string), &promise{token: o["delete_token"].(string), sums: []string{anything}})
	}
}

// check holds the server to what it has promised.
func (k *killed) check() {
	for id, p := range k.promises {
		if p.maybe {
			continue
		}
		status, o := k.ask(k.t.Context(), "GET", "/api/v1/profiles/"+id, "", nil)
		for o["pending"] == true { // files that were added stand in it once they are decoded
			time.Sleep(20 * time.Millisecond)
			status, o = k.ask(k.t.Context(), "GET", "/api/v1/profiles/"+id, "", nil)
		}
		if p.deleted {
			if status != http.StatusGone {
				k.t.Errorf("%s was deleted, and answers %d", id, status)
			}
			continue
		}
		if status != http.StatusOK && status != http.StatusAccepted {
			k.t.Errorf("%s answers %d: %v", id, status, o)
			continue
		}
		for n := range p.sums {
			answer, err := k.http.Get(fmt.Sprintf("%s/api/v1/profiles/%s/original?file=%d", k.url, id, n))
			if err != nil {
				k.t.Fatal(err)
			}
			data, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if err != nil || answer.StatusCode != http.StatusOK || p.sums[n] != anything && !slices.Contains(p.sums, sum(data)) {
				k.t.Errorf("file %d of %s: %s, %d bytes, %v", n, id, answer.Status, len(data), err)
			}
		}
	}
}
