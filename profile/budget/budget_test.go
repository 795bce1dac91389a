package budget

import (
	"context"
	"errors"
	"testing"
	"time"
)

func why(t *testing.T, err error) Why {
	t.Helper()
	refusal, ok := errors.AsType[*Refusal](err)
	if !ok {
		t.Fatalf("%v is no refusal", err)
	}
	return refusal.Why
}

// What one request takes alone beyond the limit is refused at once, and what it took goes
// back when it ends.
func TestOneRequestTakesNoMoreThanThereIs(t *testing.T) {
	b := New(1000)
	ctx, a := b.Open(t.Context())
	if err := Take(ctx, 600); err != nil {
		t.Fatal(err)
	}
	if err := Take(ctx, 401); why(t, err) != TooMuch {
		t.Error(err)
	}
	Give(ctx, 200)
	if err := Take(ctx, 600); err != nil || b.Held() != 1000 {
		t.Errorf("%v, %d held", err, b.Held())
	}
	a.Close()
	if b.Held() != 0 || Take(ctx, 5000) != nil || b.Held() != 0 { // a closed account holds nothing
		t.Errorf("%d are held after the end", b.Held())
	}
	if err := Take(t.Context(), 1<<40); err != nil {
		t.Errorf("without an account: %v", err)
	}
}

// Who waits for what others hold gets it when they end, or is told that they are busy.
func TestWaitingForOthers(t *testing.T) {
	b := New(1000)
	first, a := b.Open(t.Context())
	if err := Take(first, 900); err != nil {
		t.Fatal(err)
	}
	ctx, second := b.Open(t.Context())
	defer second.Close()
	if err := Take(ctx, 200); why(t, err) != Busy {
		t.Error(err)
	}
	got := make(chan error)
	go func() { got <- Take(ctx, 200) }()
	a.Close()
	if err := <-got; err != nil || b.Held() != 200 {
		t.Errorf("%v, %d held", err, b.Held())
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	b.Hold(800)
	if err := Take(ended, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("of one who left: %v", err)
	}
}

// Caches make room for what is asked for, as far as it takes.
func TestCachesMakeRoom(t *testing.T) {
	b := New(1000)
	kept := int64(900)
	b.Hold(kept)
	b.Evicts(func(need int64) int64 {
		freed := min(need+50, kept)
		kept -= freed
		b.Give(freed)
		return freed
	})
	ctx, a := b.Open(t.Context())
	defer a.Close()
	if err := Take(ctx, 300); err != nil || kept != 650 {
		t.Errorf("%v, %d are kept", err, kept)
	}
	// What the request uses of a cache counts as its own.
	if !a.Use("value", 600, func() { b.Give(600) }) || a.Use("value", 600, nil) {
		t.Error("a value is used twice")
	}
	kept = 0
	if err := Take(ctx, 101); why(t, err) != TooMuch {
		t.Error(err)
	}
}

// A request that builds for longer than it may is ended, with the reason; the time of one
// that waits does not count.
func TestTimeOfARequest(t *testing.T) {
	b := New(1000)
	b.Set(1000, time.Nanosecond)
	ctx, a := b.Open(t.Context())
	defer a.Close()
	if ctx.Err() != nil {
		t.Fatal("ended before it builds")
	}
	built := Build(ctx)
	for sink := 0; ctx.Err() == nil; sink++ { // it is looked at while this computes
	}
	if built() == 0 {
		t.Error("it took no time")
	}
	if err := RefusalOf(ctx); why(t, err) != TooLong {
		t.Error(err)
	}
	if err := RefusalOf(t.Context()); err != nil {
		t.Errorf("of one that goes on: %v", err)
	}
}

// A meter takes bytes many at a time, and each of them.
func TestMeter(t *testing.T) {
	b := New(10 << 20)
	ctx, a := b.Open(t.Context())
	defer a.Close()
	m := NewMeter(ctx)
	var err error
	n := 0
	for ; err == nil; n++ {
		err = m.Add(1 << 10)
	}
	if why(t, err) != TooMuch || n < 10<<10 || n > 11<<10 {
		t.Errorf("%v after %d", err, n)
	}
}

// What is built without being taken is ended when the process holds too much, once caches
// have nothing more to let go of; and one request at a time.
func TestWhatNobodyTookIsWeighed(t *testing.T) {
	b := New(1000)
	b.Set(1000, time.Hour)
	kept, cycle := int64(500), uint64(1)
	b.weigh = func() (int64, uint64) { return 900 + kept, cycle }
	b.Evicts(func(int64) int64 { freed := kept; kept = 0; return freed })
	ctx, a := b.Open(t.Context())
	defer a.Close()
	defer Build(ctx)()
	if a.look(); kept != 0 || ctx.Err() != nil {
		t.Errorf("%d are kept, and %v", kept, context.Cause(ctx))
	}
	kept, cycle = 400, 2
	b.room = nil
	if a.look(); why(t, RefusalOf(ctx)) != TooMuch {
		t.Error(context.Cause(ctx))
	}
	other, second := b.Open(t.Context())
	defer second.Close()
	defer Build(other)()
	if second.look(); other.Err() != nil {
		t.Errorf("another before anything was collected: %v", context.Cause(other))
	}
}
