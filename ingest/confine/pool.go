package confine

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"proflens/ingest/tasks"
	"proflens/internal/recovery"
)

// Pool does tasks in children. It is safe for concurrent use; how many tasks run at
// once is for its callers to say.
type Pool struct {
	limits Limits
	log    *slog.Logger

	mu     sync.Mutex
	idle   []*child
	closed bool
	stats  Stats
}

// idleChildren is how many children wait for a task.
const idleChildren = 2

// NewPool returns a pool whose children have these limits, and starts the first.
func NewPool(l Limits, log *slog.Logger) *Pool {
	p := &Pool{limits: l, log: log}
	p.warmSoon()
	return p
}

// Run does a task; see [tasks.Runner]. When ctx ends, so does the child.
func (p *Pool) Run(ctx context.Context, t tasks.Task, answer any, out tasks.Out) error {
	fields, err := json.Marshal(t)
	if err != nil {
		return err
	}
	o := order{tasks.NameOf(t), fields}
	c, err := p.take()
	if err != nil {
		return err
	}
	defer p.warmSoon() // for the next
	err = p.give(ctx, c, o, answer, out)
	if c.lost && c.heard == 0 && c.waited > 0 && ctx.Err() == nil {
		// It had ended while it waited, which is no fault of the task's.
		if c, err = p.start(); err != nil {
			return err
		}
		err = p.give(ctx, c, o, answer, out)
	}
	return err
}

// give gives a task to a child, and sees to what becomes of the child.
func (p *Pool) give(ctx context.Context, c *child, o order, answer any, out tasks.Out) error {
	stop := context.AfterFunc(ctx, c.kill)
	err := c.do(o, answer, out)
	switch {
	case !stop():
		p.end(c, Stopped)
		err = context.Cause(ctx)
	case c.good:
		p.keep(c)
	default:
		c.kill()
		if died := c.wait(); c.lost {
			err = died
		}
		cause := Stopped // it did not do as it was told
		if death, ok := errors.AsType[*tasks.Death](err); ok {
			cause = death.Cause
		}
		p.end(c, cause)
	}
	return err
}

// take is a child that waits, or a new one.
func (p *Pool) take() (*child, error) {
	p.mu.Lock()
	if len(p.idle) > 0 {
		c := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		p.mu.Unlock()
		return c, nil
	}
	p.mu.Unlock()
	return p.start()
}

// keep takes a child back that has done its task, unless it has had enough.
func (p *Pool) keep(c *child) {
	p.mu.Lock()
	c.waited++
	kept := !p.closed && len(p.idle) < idleChildren && !c.worn()
	if kept {
		p.idle = append(p.idle, c)
	}
	p.mu.Unlock()
	if !kept {
		c.kill()
		p.end(c, Retired)
	}
}

// warmSoon starts a child ahead of the next task, beside what the caller does.
func (p *Pool) warmSoon() {
	go func() {
		if err := recovery.Do(p.warm); err != nil {
			p.log.Error("starting a decoder", "error", err)
		}
	}()
}

func (p *Pool) warm() error {
	p.mu.Lock()
	enough := p.closed || len(p.idle) > 0
	p.mu.Unlock()
	if enough {
		return nil
	}
	c, err := p.start()
	if err != nil {
		return err
	}
	p.keep(c)
	return nil
}

// Close ends the children that wait. Those at work end with their tasks.
func (p *Pool) Close() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, c := range idle {
		c.kill()
		p.end(c, Retired)
	}
}
