package mt19937

import "testing"

// TestTenThousandth: the C++ standard says which number a std::mt19937 gives then.
func TestTenThousandth(t *testing.T) {
	g := New(DefaultSeed)
	var n uint32
	for range 10000 {
		n = g.Uint32()
	}
	if n != 4123659995 {
		t.Errorf("%d", n)
	}
}
