package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"proflens/test/bench/plot"
	"proflens/test/bench/scale"
)

// growth is how something grows with the size of its input.
type growth struct {
	name   string
	wall   []plot.Point // seconds
	memory []plot.Point // bytes of the processes' own
}

func (g *growth) add(size int, took time.Duration, own int64) {
	g.wall = append(g.wall, plot.Point{Size: float64(size), Value: took.Seconds()})
	g.memory = append(g.memory, plot.Point{Size: float64(size), Value: float64(own)})
	fmt.Printf("  %-34s %9d %10s %10s\n", g.name, size, wall.format(took.Seconds()), memory.format(float64(own)))
}

// steep is how much faster than its input something may grow from one size to the next. What
// is small is not looked at: starting a program takes as long.
const (
	steep = 1.3
	small = 0.3 // seconds
)

// knee is the first size at which it grows faster than that, or 0.
func (g *growth) knee() float64 {
	for i, at := range g.wall[1:] {
		before := g.wall[i]
		if before.Value > small && at.Value/before.Value > steep*at.Size/before.Size {
			return at.Size
		}
	}
	return 0
}

// axis is what grows, of which a series of growths is.
type axis struct {
	of      string // what sizes count
	growths []*growth
}

func (a *axis) growth(name string) *growth {
	for _, g := range a.growths {
		if g.name == name {
			return g
		}
	}
	a.growths = append(a.growths, &growth{name: name})
	return a.growths[len(a.growths)-1]
}

// command measures the median run of a command of ours.
func (b bench) command(a *axis, name string, size int, args ...string) error {
	var took []time.Duration
	var most int64
	for range b.runs {
		cmd := exec.Command(b.proflens, args...)
		cmd.Stdout = io.Discard
		start := time.Now()
		if err := cmd.Start(); err != nil {
			return err
		}
		done, peak := make(chan struct{}), make(chan resident)
		go func() { peak <- watch(cmd.Process.Pid, done) }()
		err := cmd.Wait()
		took = append(took, time.Since(start))
		close(done)
		most = max(most, (<-peak).own)
		if err != nil {
			return fmt.Errorf("%s %v: %w", b.proflens, args, err)
		}
	}
	a.growth(name).add(size, medianOf(took), most)
	return nil
}

// kneeOfFunctions measures raw and indexed profiles of n functions.
func (b bench) kneeOfFunctions(a *axis, dir string, n int) error {
	var files [2]string
	for run := range files {
		raw := filepath.Join(dir, fmt.Sprintf("knee%d-%d.profraw", n, run))
		files[run] = filepath.Join(dir, fmt.Sprintf("knee%d-%d.profdata", n, run))
		if _, err := os.Stat(files[run]); err == nil {
			continue
		}
		if err := written(raw, func(w io.Writer) error { return scale.WriteRaw(w, n, meanCounters, 1, run) }); err != nil {
			return err
		}
		_, err := process(b.proflens, "merge", "-o", files[run], raw)
		os.Remove(raw)
		if err != nil {
			return err
		}
	}
	for _, form := range []string{"csv", "proftext", "profdata"} {
		if err := b.command(a, "export -f "+form, n, "export", "-f", form, "-o", os.DevNull, files[0]); err != nil {
			return err
		}
	}
	s, err := b.serve()
	if err != nil {
		return err
	}
	defer s.stop()
	base, err := b.kneeOfUpload(a, s, n, files[0])
	if err != nil {
		return err
	}
	test, err := s.uploaded(files[1])
	if err != nil {
		return err
	}
	if err := s.restart(); err != nil {
		return err
	}
	done, peak := make(chan struct{}), make(chan resident)
	go func() { peak <- s.watch(done) }()
	took, err := s.page("/compare/"+base+"..."+test, nil)
	close(done)
	a.growth("comparing two, first page").add(n, took, (<-peak).own)
	return err
}

// meanCounters is how many counters functions have on average.
const meanCounters = 9

// kneeOfUpload measures the way to the first page, and until everything is stored.
func (b bench) kneeOfUpload(a *axis, s *server, n int, file string) (id string, err error) {
	done, peak := make(chan struct{}), make(chan resident)
	go func() { peak <- s.watch(done) }()
	start := time.Now()
	if id, err = s.upload(file); err == nil {
		err = s.until("/api/v1/profiles/"+id+"/functions?limit=1", `"items"`)
	}
	first := time.Since(start)
	if err == nil {
		err = s.until("/api/v1/profiles/"+id, `"status":"ready"`)
	}
	stored := time.Since(start)
	close(done)
	most := (<-peak).own
	if err == nil {
		a.growth("upload → first page").add(n, first, most)
		a.growth("upload → stored").add(n, stored, most)
	}
	return id, err
}

// kneeOfContexts measures raw heap profiles of n contexts with their program.
func (b bench) kneeOfContexts(a *axis, dir string, n int) error {
	raw, program, err := generatedMemProf(dir, n)
	if err != nil {
		return err
	}
	defer os.Remove(raw)
	indexed := raw + ".knee"
	defer os.Remove(indexed)
	for _, m := range [][]string{
		{"symbolize, export -f profdata", "profdata", indexed, raw, program},
		{"symbolize, store, export -f csv", "csv", os.DevNull, raw, program},
		{"indexed, export -f memprof-yaml", "memprof-yaml", os.DevNull, indexed},
	} {
		if err := b.command(a, m[0], n, append([]string{"export", "-f", m[1], "-o"}, m[2:]...)...); err != nil {
			return err
		}
	}
	return nil
}

// runFunctions is how many functions a program has of which many files are merged.
const runFunctions = 1000

// kneeOfFiles measures a merge of n raw profiles of one program.
func (b bench) kneeOfFiles(a *axis, dir string, n int) error {
	dir = filepath.Join(dir, "knee-files")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var list strings.Builder
	for run := range n {
		file := filepath.Join(dir, fmt.Sprintf("%d.profraw", run))
		fmt.Fprintln(&list, file)
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if err := written(file, func(w io.Writer) error {
			return scale.WriteRaw(w, runFunctions, meanCounters, 1,
				run)
		}); err != nil {
			return err
		}
	}
	names := filepath.Join(dir, "list")
	if err := os.WriteFile(names, []byte(list.String()), 0o644); err != nil {
		return err
	}
	return b.command(a, "merge", n, "merge", "-input-files", names, "-o", filepath.Join(dir, "merged.profdata"))
}

// ceiling is what the largest files take: the server and its child together.
type ceiling struct {
	what   string
	bytes  int64
	ready  time.Duration
	most   resident
	failed error
}

// largest takes in a raw file of 2 GB, and one with n functions.
func (b bench) largest(dir string, n int) (list []ceiling, err error) {
	for _, large := range []struct {
		what      string
		n, counts int
	}{
		{"a raw file of 2 GB", 4_000_000, 56},
		{fmt.Sprintf("a raw file of %d functions", n), n, meanCounters},
	} {
		file := filepath.Join(dir, "large.profraw")
		if err := written(file, func(w io.Writer) error {
			return scale.WriteRaw(w, large.n, large.counts, 1,
				0)
		}); err != nil {
			return nil, err
		}
		c := ceiling{what: large.what}
		if st, err := os.Stat(file); err == nil {
			c.bytes = st.Size()
		}
		s, err := b.serve("-decode-memory", fmt.Sprint(int64(8)<<30)) // so that it shows what is needed
		if err != nil {
			return nil, err
		}
		done, peak := make(chan struct{}), make(chan resident)
		go func() { peak <- s.watch(done) }()
		start := time.Now()
		_, c.failed = s.uploaded(file)
		c.ready = time.Since(start)
		close(done)
		c.most = <-peak
		s.stop()
		os.Remove(file)
		list = append(list, c)
		fmt.Printf("  %-34s %10s %10s own %10s %v\n", c.what, stored.format(float64(c.bytes)),
			wall.format(c.ready.Seconds()), memory.format(float64(c.most.own)), c.failed)
	}
	return list, nil
}

// written makes a file by a writer.
func written(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = write(f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
