package confine

import (
	"maps"

	"proflens/ingest/tasks"
)

// Why children end beside the causes of [tasks.Death].
const (
	Stopped tasks.Cause = "stopped" // nobody wanted its answer any more
	Retired tasks.Cause = "retired" // it had done enough tasks, or the server ended
)

// Stats counts the children of a pool since it was made.
type Stats struct {
	Started int64
	Ended   map[tasks.Cause]int64
}

// Stats is the count so far.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Stats{p.stats.Started, maps.Clone(p.stats.Ended)}
}

// start starts a child and counts it.
func (p *Pool) start() (*child, error) {
	c, err := start(&p.limits)
	if err == nil {
		p.mu.Lock()
		p.stats.Started++
		p.mu.Unlock()
	}
	return c, err
}

// end waits for a child that is killed or gone, and counts it.
func (p *Pool) end(c *child, cause tasks.Cause) {
	c.wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stats.Ended == nil {
		p.stats.Ended = map[tasks.Cause]int64{}
	}
	p.stats.Ended[cause]++
}
