package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// attack is an upload that is small, or none, and requests whose answer would be large. Each
// was the end of a server once.
type attack struct {
	name, file string
	write      func(w io.Writer)
	requests   []string // "POST path" sends body
	body       func(w io.Writer)
}

// attacks are what one client can do without a token.
var attacks = []attack{
	{"a diff of added lines", "c.zip", covered(10, 1), []string{"POST /api/v1/profiles/{id}/changed"}, func(w io.Writer) {
		io.WriteString(w, "--- a/f0.c\n+++ b/f0.c\n@@ -1,0 +1,30000000 @@\n")
		for range 1 << 10 {
			io.WriteString(w, strings.Repeat("+\n", 30<<10))
		}
	}},
	{"paths of their own", "paths.proftext.gz", packed(func(w io.Writer) {
		for i := range 60_000 {
			fmt.Fprintf(w, "p%d%s/f.c;f\n%d\n1\n1\n\n", i, strings.Repeat("/x", 58), i)
		}
	}), []string{"/p/{id}/tree?by=path", "/api/v1/profiles/{id}/tree?by=path&rewrite=p1%3Dq",
		"/api/v1/profiles/{id}/tree?by=path&rewrite=p2%3Dq"}, nil},
	{"long sample names", "names.afdotext.gz", packed(func(w io.Writer) {
		pad := strings.Repeat("n", 990)
		for i := range 900_000 {
			fmt.Fprintf(w, "%s%d:10:1\n 1: 5\n", pad, i)
		}
	}), []string{"/p/{id}", "/p/{id}/functions?q=n1", "/api/v1/profiles/{id}/functions?q=n2"}, nil},
	{"deep contexts", "flame.afdotext.gz", packed(func(w io.Writer) {
		var frames strings.Builder
		for k := range 4_999 {
			fmt.Fprintf(&frames, " @ f%d:%d", k, 1+k%9)
		}
		for i := range 4_000 {
			fmt.Fprintf(w, "[m%d:1%s @ leaf]:10:1\n 1: 5\n", i, frames.String())
		}
	}), []string{"/p/{id}/flame", "/api/v1/profiles/{id}/flamegraph"}, nil},
	{
		"deep folders", "deep.zip", covered(60_000, 60),
		[]string{"/p/{id}/files", "/compare/{id}...{id}", "/compare/{id}...{id}?family=coverage"}, nil,
	},
	{"calls of everything", "calls.afdotext.gz", packed(func(w io.Writer) {
		for i := range 4_100 {
			fmt.Fprintf(w, "f%d:2000:1\n", i)
			for line := range 20 {
				fmt.Fprintf(w, " %d: 100", line+1)
				for k := range 100 {
					fmt.Fprintf(w, " f%d:1", (i+line*100+k)%4_100)
				}
				io.WriteString(w, "\n")
			}
		}
	}), []string{"/p/{id}/calls", "/api/v1/profiles/{id}/calls"}, nil},
	{"a deep heap", "heap.yaml.gz", packed(func(w io.Writer) {
		io.WriteString(w, "---\nHeapProfileRecords:\n")
		for i := range 600 {
			fmt.Fprintf(w, "  - GUID: 0x%x\n    AllocSites:\n", i+1)
			for k := range 100 {
				io.WriteString(w, "      - Callstack:\n")
				for d := range 120 {
					of := i + 1
					if d > 0 {
						of = 1000 + (i*100+k)*7%5000 + d
					}
					fmt.Fprintf(w, "          - { Function: 0x%x, LineOffset: %d, Column: %d, IsInlineFrame: false }\n", of, k, d)
				}
				io.WriteString(w, "        MemInfoBlock:\n          AllocCount: 1\n          TotalSize: 2\n          "+
					"TotalLifetime: 3\n          TotalLifetimeAccessDensity: 4\n")
			}
			io.WriteString(w, "    CallSites: []\n")
		}
		io.WriteString(w, "...\n")
	}), []string{"/p/{id}/sites", "/p/{id}/flame", "/api/v1/profiles/{id}/allocations?sort=-bytes"}, nil},
	{"names that demangle long", "long.proftext.gz", packed(func(w io.Writer) {
		doubled := "1BIiiE"
		for k := range 13 { // each type is twice as long as the one before
			before := "S" + strings.ToUpper(strconv.FormatInt(int64(k), 36)) + "_"
			doubled += "S_I" + before + before + "E"
		}
		for i := range 20_000 {
			name := fmt.Sprintf("f%d", i)
			fmt.Fprintf(w, "_Z%d%s%s\n%d\n1\n1\n\n", len(name), name, doubled, i)
		}
	}), []string{"/api/v1/profiles/{id}/functions?q=a", "/api/v1/profiles/{id}/functions?q=f7(b%3Cint",
		"/p/{id}/functions?q=a"}, nil},
	{"a source of short lines", "s.zip", func(w io.Writer) {
		z := zip.NewWriter(w)
		coveredIn(z, 1, 1)
		f, _ := z.Create("f0.c")
		f.Write(bytes.Repeat([]byte("\n"), 16<<20))
		z.Close()
	}, []string{"/p/{id}/files?file=f0.c"}, nil},
}

func packed(write func(w io.Writer)) func(io.Writer) {
	return func(w io.Writer) {
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		b := bufio.NewWriter(z)
		write(b)
		b.Flush()
		z.Close()
	}
}

// covered is a program of so many files, each as deep, and its counters.
func covered(files, depth int) func(io.Writer) {
	return func(w io.Writer) {
		z := zip.NewWriter(w)
		coveredIn(z, files, depth)
		z.Close()
	}
}

func coveredIn(z *zip.Writer, files, depth int) {
	const hash = 16
	var names, paths, counters, functions bytes.Buffer
	paths.Write(binary.AppendUvarint(nil, uint64(files+1)))
	for i := -1; i < files; i++ {
		path := fmt.Sprintf("f%d.c", i)
		if i < 0 {
			path = "/" // the compilation's folder
		} else if depth > 1 {
			path = fmt.Sprintf("p%d%s/%s", i, strings.Repeat("/x", depth-1), path)
		}
		paths.Write(append(binary.AppendUvarint(nil, uint64(len(path))), path...))
	}
	blob := binary.AppendUvarint(nil, uint64(files+1))
	rest := paths.Bytes()[len(blob):]
	blob = append(binary.AppendUvarint(blob, uint64(len(rest))), 0)
	blob = append(blob, rest...)
	for len(blob)%8 != 0 {
		blob = append(blob, 0)
	}
	of := md5.Sum(blob)
	u32, u64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	for i := range files {
		name := fmt.Sprintf("fn%d", i)
		if i > 0 {
			names.WriteByte(1)
		}
		names.WriteString(name)
		fmt.Fprintf(&counters, "%s\n%d\n1\n1\n\n", name, hash)
		data := append(binary.AppendUvarint([]byte{1}, uint64(i+1)), 0, 1, 1, 1, 1, 9, 5)
		id := md5.Sum([]byte(name))
		record := u64(u64(u32(append([]byte{}, id[:8]...), uint32(len(data))), hash), binary.LittleEndian.Uint64(of[:8]))
		record = append(record, data...)
		for len(record)%8 != 0 {
			record = append(record, 0)
		}
		functions.Write(record)
	}
	section := append(binary.AppendUvarint(nil, uint64(names.Len())), 0)
	section = append(section, names.Bytes()...)
	program := binary.AppendUvarint([]byte("llvmcovmtestdata"), uint64(len(section)))
	program = append(append(program, 0), section...)
	for len(program)%8 != 0 {
		program = append(program, 0)
	}
	program = u32(u32(u32(u32(program, 0), uint32(len(blob))), 0), 5)
	program = append(append(program, blob...), functions.Bytes()...)
	for name, data := range map[string][]byte{"program.covmapping": program, "counters.proftext": counters.Bytes()} {
		f, _ := z.Create(name)
		f.Write(data)
	}
}

// What one request may cost, in the server itself.
const (
	mostGrowth    = 300 << 20
	mostProcessor = 5 * time.Second
)

// attackAll makes each attack on a server of its own, one request after the other, and
// then four at once on one that has 4 GB of addresses. It prints what each cost.
func attackAll(binary string) error {
	fmt.Printf("%-26s %9s %9s %9s  %s\n", "attack", "kB sent", "MB more", "seconds", "request: answer")
	var failed error
	for i := range attacks {
		if only := os.Getenv("ATTACK"); only == "" || strings.Contains(attacks[i].name, only) {
			failed = errors.Join(failed, attacks[i].run(binary))
		}
	}
	if only := os.Getenv("ATTACK"); only != "" && only != "at once" {
		return failed
	}
	return errors.Join(failed, attackTogether(binary))
}

func (a *attack) run(binary string) error {
	s, err := serve(binary, "-min-free", "1MiB")
	if err != nil {
		return err
	}
	defer s.stop()
	before := s.memory().own
	id, sent, err := s.attackWith(a)
	if err != nil {
		return fmt.Errorf("%s: %w", a.name, err)
	}
	cost := func(request string, growth int64, took time.Duration, said string) error {
		fmt.Printf("%-26s %9d %9d %9.1f  %s: %s\n", a.name, sent>>10, growth>>20, took.Seconds(), request, said)
		if growth > mostGrowth || took > mostProcessor {
			return fmt.Errorf("%s: %s grew the server by %d MB and took %v", a.name, request, growth>>20, took)
		}
		return nil
	}
	failed := cost("upload", s.memory().own-before, 0, "ready")
	for _, request := range a.requests {
		growth, took, said := s.cost(func() string { return s.attack(a, id, request) })
		failed = errors.Join(failed, cost(request, growth, took, said))
		if !strings.HasPrefix(said, "200") && !strings.HasPrefix(said, "503, after ") && !strings.HasPrefix(said, "4") {
			failed = errors.Join(failed, fmt.Errorf("%s: %s: %s", a.name, request, said))
		}
	}
	return failed
}

// attackWith uploads what an attack needs, and waits until that is stored.
func (s *server) attackWith(a *attack) (id string, sent int, err error) {
	var upload bytes.Buffer
	a.write(&upload)
	sent = upload.Len()
	if id, err = s.put(a.file, upload.Bytes(), "5m"); err != nil {
		return id, sent, err
	}
	state, err := s.ended(id)
	if !strings.HasPrefix(state, "ready") {
		err = errors.Join(err, fmt.Errorf("the upload %s", state))
	}
	time.Sleep(time.Second) // what the upload leads to in the background
	return id, sent, err
}

// attack sends one request and says what came back.
func (s *server) attack(a *attack, id, request string) string {
	method, path, ok := strings.Cut(request, " ")
	if !ok {
		method, path = http.MethodGet, request
	}
	var body io.Reader
	if a.body != nil {
		var b bytes.Buffer
		a.body(&b)
		body = &b
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.url+strings.ReplaceAll(path, "{id}", id), body)
	if err != nil {
		return err.Error()
	}
	answer, err := s.client.Do(r)
	if err != nil {
		return err.Error()
	}
	defer answer.Body.Close()
	n, err := io.Copy(io.Discard, answer.Body)
	if err != nil {
		return err.Error()
	}
	said := strconv.Itoa(answer.StatusCode)
	if after := answer.Header.Get("Retry-After"); after != "" {
		said += ", after " + after + " s"
	}
	return fmt.Sprintf("%s, %d kB", said, n>>10)
}

// cost is how much memory of its own a server takes more during a request, and how long it
// has the processor.
func (s *server) cost(request func() string) (growth int64, took time.Duration, said string) {
	before, processor := s.memory().own, s.processor()
	ctx, cancel := context.WithCancel(context.Background())
	most := make(chan int64)
	go func() { most <- s.watch(ctx) }()
	said = request()
	took = s.processor() - processor
	cancel()
	return <-most - before, took, said
}

// processor is how long the server has had a processor, 0 where Linux does not say.
func (s *server) processor() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.ParseInt(fields[11], 10, 64) // digits
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// together are attacks that are made at once, by name.
var together = []string{"a diff of added lines", "paths of their own", "long sample names", "deep contexts"}

// attackTogether makes four attacks at once on a server with 4 GB of addresses, and reads
// the home page meanwhile.
func attackTogether(binary string) error {
	limit, err := exec.LookPath("prlimit")
	if err != nil {
		return err
	}
	s, err := serve(binary, "-min-free", "1MiB")
	if err != nil {
		return err
	}
	defer s.stop()
	ids := make([]string, len(attacks))
	for i := range attacks {
		for _, name := range together {
			if attacks[i].name == name {
				if ids[i], _, err = s.attackWith(&attacks[i]); err != nil {
					return err
				}
			}
		}
	}
	if out, err := exec.Command(limit, "--as=4000000000", "--pid",
		strconv.Itoa(s.cmd.Process.Pid)).CombinedOutput(); err != nil {
		return fmt.Errorf("prlimit: %s: %w", out, err)
	}
	var clients sync.WaitGroup
	ended := make(chan struct{})
	var longest time.Duration
	for i, id := range ids {
		for _, request := range attacks[i].requests {
			if id != "" {
				clients.Go(func() { fmt.Printf("at once, %s: %s\n", request, s.attack(&attacks[i], id, request)) })
			}
		}
	}
	go func() { clients.Wait(); close(ended) }()
	for {
		start := time.Now()
		err := s.read("/")
		longest = max(longest, time.Since(start))
		if err != nil {
			return fmt.Errorf("the home page meanwhile: %w", err)
		}
		select {
		case <-ended:
			fmt.Printf("the home page meanwhile: %v at most\n", cmp.Or(longest, time.Nanosecond).Round(time.Millisecond))
			return s.read("/")
		case <-time.After(50 * time.Millisecond):
		}
	}
}
