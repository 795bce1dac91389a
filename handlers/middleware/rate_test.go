package middleware

import (
	"container/list"
	"context"
	"testing"
	"time"
)

// What other processes have allowed a client counts here too.
func TestARateHoldsForAllProcesses(t *testing.T) {
	var told map[string]int64
	l := &rates{perSecond: 1, clients: map[string]*list.Element{}, made: map[string]int64{},
		tally: func(_ context.Context, made map[string]int64) (map[string]int64, error) {
			told = made
			return map[string]int64{"a": 8}, nil
		}}
	for range 2 {
		if !l.allow("a") || !l.allow("b") {
			t.Fatal("the first requests are refused")
		}
	}
	l.tell(t.Context())
	if told["a"] != 2 || told["b"] != 2 {
		t.Errorf("told %v", told)
	}
	if l.allow("a") {
		t.Error("two here and eight elsewhere are all of ten")
	}
	if !l.allow("b") {
		t.Error("another client is refused")
	}
	l.told = time.Now().Add(-tellEvery)
	l.tell(t.Context())
	if told["a"] != 0 || told["b"] != 1 || l.elsewhere["a"] != 8 {
		t.Errorf("told %v then", told)
	}
}
