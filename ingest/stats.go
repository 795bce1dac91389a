package ingest

import (
	"maps"
	"strconv"
	"sync"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
)

// Outcome is how decodings of one kind of file ended.
type Outcome struct {
	Format  model.Format
	Version string // empty: the format has none, or it was not found
	Kind    string // "ready", or the kind of what was wrong
}

// Stats counts decodings since the service was made.
type Stats struct {
	Decodes map[Outcome]int64
	Took    time.Duration // all of them together

	TakenOver int64 // jobs of other processes, whose leases had ended, that wait again
}

// highestCounted bounds the versions that are counted by themselves: a file may
// claim any.
const highestCounted = 32

// counts is a Stats in the making. The zero value is ready for use.
type counts struct {
	mu    sync.Mutex
	stats Stats
}

func (c *counts) count(format model.Format, version uint64, kind string, took time.Duration) {
	o := Outcome{Format: format, Kind: kind}
	if version > highestCounted {
		o.Version = "other"
	} else if version > 0 {
		o.Version = strconv.FormatUint(version, 10)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stats.Decodes == nil {
		c.stats.Decodes = map[Outcome]int64{}
	}
	c.stats.Decodes[o]++
	c.stats.Took += took
}

func (c *counts) takenOver(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stats.TakenOver += n
}

// failed counts a decoding by what the upload was recognised as.
func (c *counts) failed(e *catalog.Entry, kind model.Kind, took time.Duration) {
	c.count(e.Format, e.Version, string(kind), took)
}

// Stats is the count so far.
func (s *Service) Stats() Stats {
	s.counts.mu.Lock()
	defer s.counts.mu.Unlock()
	stats := s.counts.stats
	stats.Decodes = maps.Clone(stats.Decodes)
	return stats
}
