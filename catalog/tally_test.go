package catalog

import "testing"

func TestTallies(t *testing.T) {
	a, b := two(t)
	tally := func(s *Catalog, client string, n, want int64) {
		t.Helper()
		elsewhere, err := s.Tally(t.Context(), map[string]int64{client: n})
		if err != nil || elsewhere[client] != want || len(elsewhere) > 1 {
			t.Errorf("%v, %v; expected %d", elsewhere, err, want)
		}
	}
	tally(a, "192.0.2.1", 3, 0)
	tally(b, "192.0.2.1", 2, 3)
	tally(b, "192.0.2.2", 5, 0)
	tally(a, "192.0.2.1", 4, 2)
	tally(b, "192.0.2.1", 0, 7)
}
