package catalog

import (
	"context"
	"strings"

	"proflens/profile/stored"
)

// What processes that share a catalog tell each other: that a job waits, and that
// a profile was changed.
const (
	workMessage    = "work"
	changedMessage = "profile"
)

// Watch calls what OnWork and OnChange have set for what other processes do, until
// ctx ends. Where there are no others it returns at once. What it tells may be late or
// missed: it saves time and decides nothing.
func (s *Catalog) Watch(ctx context.Context) error {
	return s.db.Listen(ctx, func(message string) {
		what, id, _ := strings.Cut(message, " ")
		if what != changedMessage {
			s.worked()
		}
		if what != workMessage {
			s.changed(id)
		}
	})
}

// OnStop sets what is called with a profile's id when work on it has become
// useless: it was deleted, has expired, or got more files.
func (s *Catalog) OnStop(f func(id string)) { s.onStop.Store(&f) }

// OnWork sets what is called when the catalog itself, or another process, has put work
// into the queue.
func (s *Catalog) OnWork(f func()) { s.onWork.Store(&f) }

// OnChange sets what is called with a profile's id when a process that shares the
// catalog may have changed it, and with an empty one for any.
func (s *Catalog) OnChange(f func(id string)) { s.onChange.Store(&f) }

// OnOpen sets what is called with each handle that is opened, before anything reads it.
func (s *Catalog) OnOpen(f func(e *Entry, p *stored.Profile)) { s.onOpen.Store(&f) }

func (s *Catalog) stopped(id string) {
	if f := s.onStop.Load(); f != nil {
		(*f)(id)
	}
}

func (s *Catalog) worked() {
	if f := s.onWork.Load(); f != nil {
		(*f)()
	}
}

func (s *Catalog) changed(id string) {
	if f := s.onChange.Load(); f != nil {
		(*f)(id)
	}
}
