package stored

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// sumUpTo is what grows in these tests: the sum of the numbers so far.
type sumUpTo struct{ sum, next, end int }

func (s sumUpTo) Bytes() int64 { return 100 }
func (s sumUpTo) Whole() bool  { return s.next == s.end }

// growing counts how a value grows.
type growing struct {
	begun, batches atomic.Int32
	busy           atomic.Int32
	fault          error // of the next batch
	panics         bool  // in the next batch
}

// ask asks for the sum of the first ten numbers: a number a batch.
func (g *growing) ask(ctx context.Context, p *Profile) (sumUpTo, error) {
	return Grown(ctx, p, "sum", func() (sumUpTo, func(context.Context, func(sumUpTo)) error, error) {
		g.begun.Add(1)
		now := sumUpTo{end: 10}
		return now, func(budget context.Context, show func(sumUpTo)) error {
			if g.busy.Add(1) != 1 {
				panic("two grow at once")
			}
			defer g.busy.Add(-1)
			for more := true; more && !now.Whole(); more = budget.Err() == nil {
				if g.fault != nil {
					return g.fault
				}
				if g.panics {
					panic("a fault of ours")
				}
				g.batches.Add(1)
				now.sum, now.next = now.sum+now.next, now.next+1
				show(now)
			}
			return nil
		}, nil
	})
}

// With no time at all each question takes it a batch further, until it is whole
// and kept as that.
func TestGrownGoesOnWithEveryQuestion(t *testing.T) {
	p := cached(NewCache(1<<20), "file")
	g := &growing{}
	for i := 1; i <= 10; i++ {
		now, err := g.ask(t.Context(), p)
		if err != nil || now.next != i || now.Whole() != (i == 10) {
			t.Fatalf("question %d: %+v, %v", i, now, err)
		}
	}
	for range 2 {
		if now, err := g.ask(t.Context(), p); err != nil || now.sum != 45 {
			t.Errorf("%+v, %v", now, err)
		}
	}
	if g.begun.Load() != 1 || g.batches.Load() != 10 {
		t.Errorf("begun %d times, %d batches", g.begun.Load(), g.batches.Load())
	}
	if _, ok := Kept[sumUpTo](p, "sum"); !ok {
		t.Error("what is whole is not kept")
	}
	if _, ok := Kept[*growth[sumUpTo]](p, "sum growing"); ok {
		t.Error("what is whole is still growing")
	}
	p.cache.check(t)
}

// With time enough one question is answered whole.
func TestGrownUsesItsBudget(t *testing.T) {
	p := cached(NewCache(1<<20), "file")
	p.Budget = time.Minute
	if now, err := (&growing{}).ask(t.Context(), p); err != nil || !now.Whole() || now.sum != 45 {
		t.Errorf("%+v, %v", now, err)
	}
}

// What grew on a file that was closed reads nothing of it any more: on the file
// as it is open again all begins anew.
func TestGrownBeginsAnewOnAFileOpenedAgain(t *testing.T) {
	c := NewCache(1 << 20)
	before, again := cached(c, "file"), cached(c, "file")
	g := &growing{}
	for range 3 {
		if _, err := g.ask(t.Context(), before); err != nil {
			t.Fatal(err)
		}
	}
	now, err := g.ask(t.Context(), again)
	if err != nil || now.next != 1 || g.begun.Load() != 2 {
		t.Errorf("%+v, %v; begun %d times", now, err, g.begun.Load())
	}
	other := *again // another handle on the same open file goes on
	if now, err = g.ask(t.Context(), &other); err != nil || now.next != 2 || g.begun.Load() != 2 {
		t.Errorf("%+v, %v; begun %d times", now, err, g.begun.Load())
	}
}

// Several who ask at once share one growth: never do two grow it.
func TestGrownIsSharedByThoseWhoAskAtOnce(t *testing.T) {
	p := cached(NewCache(1<<20), "file")
	p.Budget = time.Second
	g := &growing{}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if now, err := g.ask(t.Context(), p); err != nil || now.sum != 45 {
				t.Errorf("%+v, %v", now, err)
			}
		})
	}
	wg.Wait()
	if g.begun.Load() != 1 || g.batches.Load() != 10 {
		t.Errorf("begun %d times, %d batches", g.begun.Load(), g.batches.Load())
	}
}

// Who comes while another is at it, and has no time to wait, sees how far that is.
func TestGrownShowsWhatAnotherHas(t *testing.T) {
	p := cached(NewCache(1<<20), "file")
	inside, leave := make(chan struct{}), make(chan struct{})
	begin := func() (sumUpTo, func(context.Context, func(sumUpTo)) error, error) {
		return sumUpTo{end: 2}, func(_ context.Context, show func(sumUpTo)) error {
			show(sumUpTo{next: 1, end: 2})
			close(inside)
			<-leave
			show(sumUpTo{next: 2, end: 2})
			return nil
		}, nil
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if now, err := Grown(t.Context(), p, "sum", begin); err != nil || !now.Whole() {
			t.Errorf("%+v, %v", now, err)
		}
	})
	<-inside
	now, err := Grown(t.Context(), p, "sum", begin)
	if err != nil || now.next != 1 {
		t.Errorf("%+v, %v", now, err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Grown(gone, p, "sum", begin); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left is answered: %v", err)
	}
	close(leave)
	wg.Wait()
}

// A fault is told, and does not stand in the way of the next who asks; nor does a
// panic, after which all begins anew.
func TestGrownOutlivesFaults(t *testing.T) {
	p := cached(NewCache(1<<20), "file")
	g := &growing{}
	if _, err := g.ask(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	g.fault = Damaged("a page is gone")
	if _, err := g.ask(t.Context(), p); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
	g.fault = nil
	if now, err := g.ask(t.Context(), p); err != nil || now.next != 2 {
		t.Errorf("%+v, %v", now, err)
	}
	g.panics = true
	func() {
		defer func() { _ = recover() }()
		_, _ = g.ask(t.Context(), p)
		t.Error("a panic was swallowed")
	}()
	g.panics = false
	if now, err := g.ask(t.Context(), p); err != nil || now.next != 1 || g.begun.Load() != 2 {
		t.Errorf("after a panic: %+v, %v; begun %d times", now, err, g.begun.Load())
	}
}

// What cannot begin leaves nothing behind.
func TestGrownThatCannotBegin(t *testing.T) {
	p := cached(NewCache(1<<20), "file")
	fault := fmt.Errorf("no such column")
	for range 2 {
		_, err := Grown(t.Context(), p, "sum", func() (sumUpTo, func(context.Context, func(sumUpTo)) error, error) {
			return sumUpTo{}, nil, fault
		})
		if !errors.Is(err, fault) {
			t.Error(err)
		}
	}
	if now, err := (&growing{}).ask(t.Context(), p); err != nil || now.next != 1 {
		t.Errorf("%+v, %v", now, err)
	}
}

// A growth counts as much as it may become, and still fits a small cache.
func TestGrownFitsSmallCaches(t *testing.T) {
	p := cached(NewCache(2000), "file")
	g := &growing{}
	for i := 1; i <= 3; i++ {
		if now, err := g.ask(t.Context(), p); err != nil || now.next != i {
			t.Fatalf("question %d: %+v, %v", i, now, err)
		}
	}
	p.cache.check(t)
}
