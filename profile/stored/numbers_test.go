package stored

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"
)

func TestNumbersAreReadAsTheyWerePacked(t *testing.T) {
	packed := binary.AppendUvarint(nil, 300)
	packed = binary.AppendVarint(packed, -129)
	packed = append(packed, 2, 'o', 'k', 4)
	n := ReadNumbers("a body", packed)
	if v := n.Uint(); v != 300 {
		t.Errorf("%d", v)
	}
	if v := n.Int(); v != -129 {
		t.Errorf("%d", v)
	}
	if b := n.Bytes(n.Count(1)); string(b) != "ok" {
		t.Errorf("%q", b)
	}
	if v := n.Below(5, "file id"); v != 4 || n.Left() != 0 || n.Err() != nil {
		t.Errorf("%d, %d left, %v", v, n.Left(), n.Err())
	}
}

func TestTheFirstFaultOfNumbersStays(t *testing.T) {
	for want, read := range map[string]func(n *Numbers){
		"a body: it is cut short":                  func(n *Numbers) { n.Bytes(3); n.Uint() },
		"a body: it counts 3 where 2 bytes follow": func(n *Numbers) { n.Count(1) },
		"a body: file id 3 of 3":                   func(n *Numbers) { n.Below(3, "file id") },
		"a body: 4 bytes expected, 3 left":         func(n *Numbers) { n.Bytes(4) },
		"a body: -1 bytes expected, 3 left":        func(n *Numbers) { n.Bytes(-1) },
	} {
		n := ReadNumbers("a body", []byte{3, 0x80, 0x80})
		read(&n)
		if n.Uint() != 0 || n.Left() != 0 || !errors.Is(n.Err(), ErrDamaged) || !strings.HasSuffix(n.Err().Error(), want) {
			t.Errorf("%v, expected %s", n.Err(), want)
		}
	}
}
