// Package tasks is everything that is done with original files: sorting them into
// profiles, writing tables, showing a layout, exporting and merging. A [Task] is
// plain data and its answer too, so that it can be done here, as the command line
// and tests do, or by a child process that a hostile file may take down: package
// confine.
//
// Whatever a task is told comes from the server. Whatever it reads comes from
// strangers.
package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"proflens/internal/recovery"
	"proflens/profile/stored"
)

// Task is one piece of work. Its fields are what it needs to know.
type Task interface {
	// do does it. Its answer is marshalled as JSON.
	do(ctx context.Context, out Out) (any, error)
}

// Out is where a task says things before it is done.
type Out struct {
	// Progress hears how far the task has come; it may be nil.
	Progress func(Progress)
	// Begin is called before the first byte of a task that writes a stream, with
	// what is known of it; the stream goes where it says. Nil for other tasks.
	Begin func(Head) (io.Writer, error)
}

func (o Out) progress(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Progress is how far a task has come.
type Progress struct {
	Stage       Stage
	Describe    string // what was recognised
	Done, Total uint64 // Total 0 is unknown
	Shown       bool   // the preview is there: the first rows can be shown
}

// Stage is a part of a task.
type Stage string

// The stages of [Write].
const (
	Recognised Stage = "recognised"
	Decoding   Stage = "decoding"
	Reading    Stage = Stage(stored.Reading)
	Indexing   Stage = Stage(stored.Indexing)
	Writing    Stage = Stage(stored.Writing)
)

// Runner does tasks: [Here], or a pool of child processes. The answer is
// unmarshalled into answer, which may be nil. Errors about a file are
// [*model.FormatError]; a task that brought its process down gives [*Death].
type Runner interface {
	Run(ctx context.Context, t Task, answer any, out Out) error
}

// tasks are the tasks by name, as they travel.
var tasks = map[string]func() Task{
	"sort":      func() Task { return new(Sort) },
	"recognise": func() Task { return new(Recognise) },
	"write":     func() Task { return new(Write) },
	"anatomy":   func() Task { return new(Anatomy) },
	"fields":    func() Task { return new(Fields) },
	"locate":    func() Task { return new(Locate) },
	"export":    func() Task { return new(Export) },
	"outlook":   func() Task { return new(ProfdataPreview) },
	"merge":     func() Task { return new(Merge) },
}

// NameOf is what a task is called on its way.
func NameOf(t Task) string {
	for name, make := range tasks {
		if fmt.Sprintf("%T", make()) == fmt.Sprintf("%T", t) {
			return name
		}
	}
	panic(fmt.Sprintf("%T is in no list", t))
}

// Parse makes a task of its name and its fields as JSON.
func Parse(name string, fields []byte) (Task, error) {
	make := tasks[name]
	if make == nil {
		return nil, fmt.Errorf("no task is called %q", name)
	}
	t := make()
	return t, json.Unmarshal(fields, t)
}

// Here does tasks in this process. A panic, or a page of the disk that cannot be
// read, is an error; memory is the process's own.
type Here struct{}

// Run does a task.
func (Here) Run(ctx context.Context, t Task, answer any, out Out) error {
	body, err := Do(ctx, t, out)
	if err != nil || answer == nil {
		return err
	}
	return json.Unmarshal(body, answer)
}

// Do does a task and returns its answer as JSON.
func Do(ctx context.Context, t Task, out Out) (body []byte, err error) {
	err = recovery.Do(func() error {
		answer, err := t.do(ctx, out)
		if err == nil {
			body, err = json.Marshal(answer)
		}
		return err
	})
	if err != nil {
		fault := FaultOf(err) // as it arrives from another process
		return nil, fault.Err()
	}
	return body, nil
}
