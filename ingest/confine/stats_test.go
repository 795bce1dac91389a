package confine

import (
	"context"
	"testing"

	"proflens/ingest/tasks"
)

// Every child that was started is idle or has ended, with its cause.
func TestStats(t *testing.T) {
	p, originals, _ := newPool(t)
	f := original(t, originals, realProfile)
	if err := p.Run(t.Context(), &tasks.Anatomy{File: f}, nil, tasks.Out{}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Run(ctx, &tasks.Anatomy{File: f}, nil, tasks.Out{}); err == nil {
		t.Error("done for nobody")
	}
	p.Close()
	s := p.Stats()
	if s.Started < 1 || s.Ended[Stopped] != 1 || s.Ended[tasks.Crashed] != 0 {
		t.Errorf("%+v", s)
	}
}
