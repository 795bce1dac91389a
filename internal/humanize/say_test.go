package humanize

import (
	"math/big"
	"testing"
)

type word string

func TestSay(t *testing.T) {
	for _, test := range []struct {
		sentence string
		given    []any
		want     string
	}{
		{"plain", nil, "plain"},
		{"{} of {row}.", []any{1234, uint32(1)}, "1\u00a0234 of 1 row."},
		{"{row}, {entry|entries}", []any{uint64(2), int64(0)}, "2 rows, 0 entries"},
		{"{entry|entries} {}", []any{1, "as it {is}"}, "1 entry as it {is}"},
		{"{} {}", []any{word("text"), -5}, "text -5"},
		{"{profile is|profiles are} left", []any{1}, "1 profile is left"},
		{"{%} {%0} {%2}", []any{0.5, 0.125, 0.12345}, "50.0\u00a0% 13\u00a0% 12.35\u00a0%"},
		{"{:bytes} in {:count}", []any{uint64(3 << 20), 23456}, "3.0\u00a0MiB in 23.5\u00a0k"},
		{"{:count row}, {:count call}", []any{1, big.NewInt(1_000_000)}, "1 row, 1.00\u00a0M calls"},
		{"{}", []any{big.NewInt(12345)}, "12\u00a0345"},
	} {
		if got := Say(test.sentence, test.given...); got != test.want {
			t.Errorf("%q of %v is %q, want %q", test.sentence, test.given, got, test.want)
		}
	}
}

func TestMore(t *testing.T) {
	for n, want := range map[int]string{-1: "", 0: "", 1: "1 more", 1200: "1\u00a0200 more"} {
		if got := More(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
