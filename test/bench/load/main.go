// Load asks a server of its own, on loopback, as many users at once do: it uploads
// small profiles and reads all kinds of pages of a large one, for a while, and
// prints how long the answers took, what failed, and how the server's memory grew.
//
//	go run ./bench/load -proflens build/proflens -functions 1000000 -profiles 10000 -for 1m
//	go run ./bench/load -proflens build/proflens -huge
//	go run ./bench/load -proflens build/proflens -hostile
//	go run ./bench/load -proflens build/proflens -store -profiles 10000
//	go run ./bench/load -proflens build/proflens -catalog 1000000
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"proflens/test/bench/scale"
)

type load struct {
	server    *server
	functions int
	profiles  int
	clients   int
	time      time.Duration

	large string // id of the large profile
	mu    sync.Mutex
	kinds map[string]*kind
}

// kind is what is known of one kind of request.
type kind struct {
	took   []time.Duration
	failed int
}

func main() {
	var l load
	binary := flag.String("proflens", "build/proflens", "the `program` to ask")
	flag.IntVar(&l.functions, "functions", 1_000_000, "`functions` of the large profile")
	flag.IntVar(&l.profiles, "profiles", 10_000, "`profiles` that are there before")
	flag.IntVar(&l.clients, "clients", 16, "`clients` at once")
	flag.DurationVar(&l.time, "for", time.Minute, "how `long`")
	large := flag.Bool("huge", false, "upload files far larger than a profile instead, and print the server's memory")
	hostile := flag.Bool("hostile", false,
		"attack servers with small uploads whose pages are large instead, and fail where one request costs too much")
	stores := flag.Bool("store", false,
		"compare a store of ten profiles with one of -profiles instead, for a single client")
	rows := flag.String("catalog", "",
		"make catalogs of so many `profiles` instead, 1000,1000000, rows without files, and measure a start and their pages")
	var made catalogs
	flag.StringVar(&made.dir, "dir", "", "with -catalog, keep data folders in a `folder`, and measure again what is there")
	flag.StringVar(&made.database, "postgres", "", "with -catalog, the `URL` of an empty database for one")
	flag.StringVar(&made.picture, "picture", "", "with -catalog, a `file` to draw in how what pages cost grows")
	flag.Parse()
	run := l.run
	switch {
	case *rows != "":
		for _, n := range strings.Split(*rows, ",") {
			size, err := strconv.Atoi(n)
			if err != nil {
				fmt.Fprintln(os.Stderr, "load:", err)
				os.Exit(1)
			}
			made.sizes = append(made.sizes, size)
		}
		run = made.measure
	case *large:
		run = uploadHuge
	case *hostile:
		run = attackAll
	case *stores:
		run = func(binary string) error { return measureStore(binary, 10, l.profiles) }
	}
	if err := run(*binary); err != nil {
		fmt.Fprintln(os.Stderr, "load:", err)
		os.Exit(1)
	}
}

func (l *load) run(binary string) (err error) {
	if l.server, err = serve(binary); err != nil {
		return err
	}
	defer l.server.stop()
	l.kinds = map[string]*kind{}
	if err := l.prepare(); err != nil {
		return err
	}
	before := l.server.memory()
	ctx, cancel := context.WithTimeout(context.Background(), l.time)
	defer cancel()
	var clients sync.WaitGroup
	var most int64
	clients.Go(func() { most = l.server.watch(ctx) })
	for i := range l.clients {
		clients.Go(func() { l.client(ctx, uint64(i)) })
	}
	clients.Wait()
	failed := l.print()
	after := l.server.memory()
	fmt.Printf("\nserver's own memory: %d MB before, %d MB after, %d MB at most; with mapped files %d MB at most\n",
		before.own>>20, after.own>>20, most>>20, after.most>>20)
	if failed > 0 {
		return fmt.Errorf("%d answers were wrong", failed)
	}
	return nil
}

// prepare uploads what is to be there.
func (l *load) prepare() error {
	var large bytes.Buffer
	if err := scale.Write(&large, l.functions, 1, 0); err != nil {
		return err
	}
	start := time.Now()
	id, err := l.server.put("large.proftext", large.Bytes(), "5m")
	if err != nil {
		return err
	}
	l.large = id
	fmt.Printf("%d functions, %d MB, are ready after %v\n", l.functions, large.Len()>>20,
		time.Since(start).Round(time.Millisecond))
	start = time.Now()
	var many sync.WaitGroup
	var failed error
	for i := range 4 {
		many.Go(func() {
			for n := i; n < l.profiles; n += 4 {
				if _, err := l.server.put(fmt.Sprintf("app-%d.proftext", n), small(uint64(n)), "1m"); err != nil {
					l.mu.Lock()
					failed = errors.Join(failed, err)
					l.mu.Unlock()
					return
				}
			}
		})
	}
	many.Wait()
	fmt.Printf("%d profiles are stored after %v\n", l.profiles, time.Since(start).Round(time.Millisecond))
	return failed
}

func small(seed uint64) []byte {
	var b bytes.Buffer
	scale.Write(&b, 50, seed, 0) // a buffer takes everything
	return b.Bytes()
}

// client is one user: nine in ten requests read.
func (l *load) client(ctx context.Context, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	base, page := "/api/v1/profiles/"+l.large, "/p/"+l.large
	sorts := []string{"total", "-total", "max", "-max", "name", "counters"}
	reads := []struct {
		name string
		path func() string
	}{
		{"home", func() string { return "/" }},
		{"overview", func() string { return page }},
		{"functions page", func() string { return page + "/functions?page=" + fmt.Sprint(1+rng.IntN(1000)) }},
		{"functions, an order", func() string { return base + "/functions?limit=100&sort=" + sorts[rng.IntN(len(sorts))] }},
		{"search", func() string {
			return base + "/functions?limit=100&q=" + []string{"cache", "token", "parse", "vector", "rare"}[rng.IntN(5)]
		}},
		{"tree", func() string { return page + "/tree?by=namespace" }},
		{"list, search", func() string { return "/api/v1/profiles?q=app-" + fmt.Sprint(rng.IntN(100)) }},
		{"raw page", func() string { return page + "/raw" }},
	}
	for n := 0; ctx.Err() == nil; n++ {
		if rng.IntN(10) == 0 {
			start := time.Now()
			_, err := l.server.put("new.proftext", small(seed<<32|uint64(n)), "30s")
			l.record("upload", start, err)
			continue
		}
		read := reads[rng.IntN(len(reads))]
		start := time.Now()
		l.record(read.name, start, l.server.read(read.path()))
	}
}

func (l *load) record(name string, start time.Time, err error) {
	took := time.Since(start)
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.kinds[name]
	if k == nil {
		k = &kind{}
		l.kinds[name] = k
	}
	k.took = append(k.took, took)
	if err != nil {
		if k.failed++; k.failed == 1 {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		}
	}
}

// print prints a line a kind, and returns how many answers were wrong.
func (l *load) print() (failed int) {
	fmt.Printf("\n%-22s %8s %10s %10s %10s %7s\n", "request", "answers", "p50", "p99", "longest", "failed")
	names := make([]string, 0, len(l.kinds))
	for name := range l.kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		k := l.kinds[name]
		slices.Sort(k.took)
		at := func(share float64) time.Duration {
			return k.took[int(share*float64(len(k.took)-1))].Round(100 * time.Microsecond)
		}
		fmt.Printf("%-22s %8d %10v %10v %10v %7d\n", name, len(k.took), at(0.5), at(0.99), at(1), k.failed)
		failed += k.failed
	}
	return failed
}

// read reads an answer whole.
func (s *server) read(path string) error {
	request, err := http.NewRequest(http.MethodGet, s.url+path, http.NoBody)
	if err != nil {
		return err
	}
	return s.readAnswer(request)
}

func (s *server) readAnswer(request *http.Request) error {
	answer, err := s.client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", request.URL, answer.Status)
	}
	return nil
}

// put uploads a profile and returns its id.
func (s *server) put(name string, data []byte, wait string) (string, error) {
	request, err := http.NewRequest(http.MethodPut, s.url+"/api/v1/profiles/"+name+"?wait="+wait, bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusCreated && answer.StatusCode != http.StatusAccepted {
		err = fmt.Errorf("upload: %s: %s", answer.Status, body)
	}
	return filepath.Base(answer.Header.Get("Location")), err
}
