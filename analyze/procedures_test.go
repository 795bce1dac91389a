package analyze_test

import (
	"testing"

	"proflens/analyze"
	"proflens/decode/dcpi"
)

func TestProcedureMap(t *testing.T) {
	m := analyze.NewProcedureMap([]dcpi.Procedure{
		{Address: 0x300, Name: "last"}, {Address: 0x100, Size: 0x10, Name: "sized"}, {Address: 0x200, Name: "b"},
		{Address: 0x200, Name: "a"},
	}, 0x380)
	for _, test := range []struct {
		address uint64
		want    string
	}{
		{0xff, ""}, {0x100, "sized"}, {0x10f, "sized"}, {0x110, ""}, {0x1ff, ""}, {0x200, "b"}, {0x2ff, "b"},
		{0x300, "last"}, {0x37f, "last"}, {0x380, ""}, {1<<64 - 1, ""},
	} {
		got := ""
		if i, ok := m.Find(test.address); ok {
			p, _ := m.At(i)
			got = p.Name
		}
		if got != test.want {
			t.Errorf("0x%x is in %q, not in %q", test.address, got, test.want)
		}
	}
	if !m.Overlaps(0, 0x101) || m.Overlaps(0, 0x100) || m.Overlaps(0x301, 0x400) {
		t.Error("Overlaps")
	}
}
