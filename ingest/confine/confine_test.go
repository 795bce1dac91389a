package confine

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"proflens/decode/model"
	"proflens/ingest/tasks"
	"proflens/profile/stored"
)

func TestMain(m *testing.M) {
	if IsChild() {
		os.Exit(Child())
	}
	os.Exit(m.Run())
}

// newPool is a pool over a folder for originals and one for tables.
func newPool(t *testing.T, change ...func(*Limits)) (p *Pool, originals, tables string) {
	t.Helper()
	originals, tables = t.TempDir(), t.TempDir()
	l := Limits{Memory: 1 << 30, CPU: time.Hour, Read: []string{originals}, Write: []string{tables}}
	for _, f := range change {
		f(&l)
	}
	p = NewPool(l, slog.New(slog.DiscardHandler))
	t.Cleanup(p.Close)
	return p, originals, tables
}

// original puts a real profile into a folder.
func original(t *testing.T, dir, from string) tasks.File {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var r io.Reader = in
	if strings.HasSuffix(from, ".gz") {
		if r, err = gzip.NewReader(in); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "original")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, r); err != nil {
		t.Fatal(err)
	}
	return tasks.File{Name: filepath.Base(from), Path: path}
}

const realProfile = "../../decode/instrprof/testdata/raw/clang-22_ir_c.profraw"

// A child answers as this process would.
func TestAChildAnswersAsThisProcess(t *testing.T) {
	p, originals, tables := newPool(t)
	f := original(t, originals, realProfile)
	for name, ask := range map[string]func(r tasks.Runner) (string, error){
		"export": func(r tasks.Runner) (string, error) {
			var text strings.Builder
			err := r.Run(t.Context(), &tasks.Export{Files: []tasks.File{f}, Name: "proftext"}, nil, tasks.Out{
				Begin: func(tasks.Head) (io.Writer, error) { return &text, nil },
			})
			return text.String(), err
		},
		"anatomy": func(r tasks.Runner) (string, error) {
			var a tasks.Layout
			err := r.Run(t.Context(), &tasks.Anatomy{File: f}, &a, tasks.Out{})
			return a.Anatomy.Format, err
		},
		"tables": func(r tasks.Runner) (string, error) {
			var figures stored.Figures
			err := r.Run(t.Context(), &tasks.Write{Files: []tasks.File{f}, SHA256: []string{""},
				Path: filepath.Join(tables, "x.db")}, &figures, tasks.Out{})
			return figures.Describe + figures.Total, err
		},
		"lack": func(r tasks.Runner) (string, error) {
			err := r.Run(t.Context(), &tasks.Export{Files: []tasks.File{f}, Name: "mip"}, nil, tasks.Out{})
			return err.Error(), nil
		},
	} {
		want, err := ask(tasks.Here{})
		if err != nil || want == "" {
			t.Fatalf("%s: %q, %v", name, want, err)
		}
		if got, err := ask(p); got != want || err != nil {
			t.Errorf("%s: %q, %v; expected %q", name, got, err, want)
		}
	}
}

// 5 kB that inflate to 1.6 GB of names cost a child, and say so.
func TestABombEndsAChild(t *testing.T) {
	p, originals, tables := newPool(t, func(l *Limits) { l.Memory = 256 << 20 })
	f := original(t, originals, "testdata/names-bomb.profraw.gz")
	err := p.Run(t.Context(), &tasks.Write{Files: []tasks.File{f}, SHA256: []string{""},
		Path: filepath.Join(tables, "x.db")}, nil, tasks.Out{})
	death, died := errors.AsType[*tasks.Death](err)
	if died && death.Cause == tasks.NoMemory {
		return
	}
	if model.KindOf(err) != model.KindTooLarge {
		t.Errorf("%v %s", err, death.Stack)
	}
}

func TestAnEndedChildIsOneTasksFault(t *testing.T) {
	p, originals, _ := newPool(t)
	f := original(t, originals, realProfile)
	for _, test := range []struct {
		signal syscall.Signal
		cause  tasks.Cause
	}{{syscall.SIGKILL, tasks.Killed}, {syscall.SIGABRT, tasks.Crashed}} {
		c, err := p.take()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.cmd.Process.Signal(test.signal); err != nil {
			t.Fatal(err)
		}
		for !c.lost { // until the signal has arrived
			c.do(order{"anatomy", []byte(`{}`)}, nil, tasks.Out{})
		}
		if death, ok := errors.AsType[*tasks.Death](c.wait()); !ok || death.Cause != test.cause {
			t.Errorf("after %v: %v", test.signal, c.wait())
		}
	}
	if err := p.Run(t.Context(), &tasks.Anatomy{File: f}, nil, tasks.Out{}); err != nil {
		t.Errorf("the next task: %v", err)
	}
}

// A child that ended while it waited is replaced: no task is blamed.
func TestAChildThatEndedWhileItWaitedIsReplaced(t *testing.T) {
	p, originals, _ := newPool(t)
	f := original(t, originals, realProfile)
	c, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	p.keep(c)
	c.kill()
	time.Sleep(20 * time.Millisecond) // the signal takes a moment; when it has not arrived the task is done
	if err := p.Run(t.Context(), &tasks.Anatomy{File: f}, nil, tasks.Out{}); err != nil {
		t.Error(err)
	}
}

// A child that does not answer ends when its time does, and not later.
func TestTimeEndsAChild(t *testing.T) {
	p, originals, _ := newPool(t)
	f := original(t, originals, realProfile)
	c, err := p.take()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := p.Run(ctx, &tasks.Anatomy{File: f}, nil, tasks.Out{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	if c.cmd.ProcessState == nil {
		t.Error("the child is still there")
	}
}

// What a decoder is named by mistake, or by a fault that an attacker found, it cannot
// read or write.
func TestAChildHasNoRightsToOtherFiles(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Log("only Linux takes rights from a process")
		return
	}
	p, originals, _ := newPool(t)
	secret := original(t, t.TempDir(), realProfile)
	err := p.Run(t.Context(), &tasks.Anatomy{File: secret}, nil, tasks.Out{})
	if !errors.Is(err, syscall.EACCES) && restrictable() {
		t.Errorf("read a file elsewhere: %v", err)
	}
	f := original(t, originals, realProfile)
	err = p.Run(t.Context(), &tasks.Write{Files: []tasks.File{f}, SHA256: []string{""},
		Path: filepath.Join(originals, "x.db")}, nil, tasks.Out{})
	if !errors.Is(err, syscall.EACCES) && restrictable() {
		t.Errorf("wrote among the originals: %v", err)
	}
}

// Nothing that the server knows is in a child's environment.
func TestAChildKnowsNoSecrets(t *testing.T) {
	t.Setenv("PROFLENS_UPLOAD_TOKEN", "sesame")
	for _, v := range inherited() {
		if strings.Contains(v, "sesame") {
			t.Error(v)
		}
	}
}

func BenchmarkTask(b *testing.B) {
	dir := b.TempDir()
	p := NewPool(Limits{Memory: 1 << 30, CPU: time.Hour, Read: []string{dir}}, slog.New(slog.DiscardHandler))
	defer p.Close()
	data, err := os.ReadFile(realProfile)
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(dir, "original")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		b.Fatal(err)
	}
	for name, r := range map[string]tasks.Runner{"here": tasks.Here{}, "child": p} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := r.Run(b.Context(), &tasks.Sort{Files: []tasks.File{{Name: "a", Path: path}}}, nil,
					tasks.Out{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
