package covmap

import (
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/wire"
)

// TestBlocksOfOneHash: two lists of names that have one hash make it void, unless the
// names are the same.
func TestBlocksOfOneHash(t *testing.T) {
	raw := []byte("\x02\x05\x00\x00\x03t.c")
	for _, test := range []struct {
		name string
		void bool
	}{{"t.c", false}, {"u.c", true}} {
		other := &block{raw: []byte("another"), names: []string{"", test.name}}
		r := &reading{
			Object: &Object{Version: 7}, s: &sections{}, o: &Options{}, interned: map[string]string{},
			blocks: map[uint64]*block{instrprof.NameRef(raw): other},
		}
		if _, err := r.readBlock(wire.New("file names", raw, 0)); err != nil || other.void != test.void {
			t.Errorf("%s: %v, %v", test.name, other.void, err)
		}
	}
}
