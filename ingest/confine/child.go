package confine

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"

	"proflens/ingest/tasks"
)

// Environment variables of a child. The first says that a process is one.
const (
	envLimits   = "PROFLENS_CHILD"
	envConfined = "PROFLENS_CONFINED" // it has given its rights up already
)

// IsChild reports whether this process was started to do tasks: then it calls
// Child and ends.
func IsChild() bool { return os.Getenv(envLimits) != "" }

// Child does tasks from standard input until that ends, and returns the exit
// status.
func Child() int {
	var l Limits
	if err := json.Unmarshal([]byte(os.Getenv(envLimits)), &l); err != nil {
		return childFailed("its limits", err)
	}
	if err := confine(&l); err != nil {
		return childFailed("its limits", err)
	}
	debug.SetMemoryLimit(l.Memory - l.Memory/8) // collecting more often comes before the end
	debug.SetGCPercent(collectAt)
	go watchMemory(l.Memory)
	if err := serve(os.Stdin, os.Stdout); !errors.Is(err, io.EOF) {
		return childFailed("its tasks", err)
	}
	return 0
}

// collectAt is by how many percent the memory of a child grows before it is collected.
// Most of it holds records, in which the collector has nothing to look for: for a million
// functions it takes a tenth less than at 15, for no processor time that can be measured.
const collectAt = 8

func childFailed(what string, err error) int {
	fmt.Fprintf(os.Stderr, "proflens child: %s: %v\n", what, err)
	return 1
}

// exitMemory is the exit status of a child that ends itself.
const exitMemory = 86

// watchMemory ends the process when it has more memory than it may: where the
// system does not see to that, and with words that can be told from others.
func watchMemory(most int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(10 * time.Millisecond) {
		metrics.Read(sample)
		if has := int64(sample[0].Value.Uint64() - sample[1].Value.Uint64()); has > most {
			fmt.Fprintf(os.Stderr, "proflens child: out of memory: %d bytes, at most %d\n", has, most)
			os.Exit(exitMemory)
		}
	}
}

// serve does one task after another, until an error, which is io.EOF where there are
// no more.
func serve(in io.Reader, out io.Writer) error {
	r := bufio.NewReader(in)
	s := &sender{w: bufio.NewWriterSize(out, 64<<10)}
	if err := s.frame(frameReady, nil); err != nil {
		return err
	}
	for {
		k, content, err := readFrame(r, nil)
		if err != nil {
			return err
		}
		var o order
		if err := json.Unmarshal(content, &o); err != nil || k != frameTask {
			return fmt.Errorf("a frame %q that is no task: %v", k, err)
		}
		task, err := tasks.Parse(o.Name, o.Fields)
		if err != nil {
			return err
		}
		body, err := tasks.Do(context.Background(), task, tasks.Out{Progress: s.progress, Begin: s.begin})
		if err != nil {
			fault := tasks.FaultOf(err)
			err = s.json(frameFault, &fault)
		} else if err = s.frame(frameAnswer, body); err != nil {
			err = s.json(frameFault, &tasks.Fault{Says: err.Error()})
		}
		if err != nil {
			return err
		}
	}
}

// sender writes the frames of a child; tasks speak from several goroutines.
type sender struct {
	mu   sync.Mutex
	w    *bufio.Writer
	last time.Time // of progress
	said tasks.Stage
}

func (s *sender) frame(k kind, content []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := writeFrame(s.w, k, content); err != nil {
		return err
	}
	return s.w.Flush()
}

func (s *sender) json(k kind, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.frame(k, content)
}

// progressEvery is how often progress is worth a frame.
const progressEvery = 50 * time.Millisecond

func (s *sender) progress(p tasks.Progress) {
	s.mu.Lock()
	soon := !p.Shown && p.Stage == s.said && time.Since(s.last) < progressEvery
	if !soon {
		s.last, s.said = time.Now(), p.Stage
	}
	s.mu.Unlock()
	if !soon {
		s.json(frameProgress, p) // a parent that is gone is noticed at the next task
	}
}

func (s *sender) begin(h tasks.Head) (io.Writer, error) { return dataWriter{s}, s.json(frameHead, h) }

type dataWriter struct{ s *sender }

func (w dataWriter) Write(p []byte) (int, error) { return len(p), w.s.frame(frameData, p) }
