package sampleprof

import "testing"

// TestTable: std::unordered_map of GNU's C++ library has these keys in this order.
func TestTable(t *testing.T) {
	p := &Profile{}
	x := uint64(7)
	for i := range 40 {
		x = x*6364136223846793005 + 1442695040888963407
		p.Names = append(p.Names, Name{MD5: x})
		p.read = append(p.read, &Function{Name: NameID(i), Context: -1})
	}
	want := []NameID{
		38, 37, 33, 32, 31, 30, 29, 11, 39, 21, 27, 9, 7, 4, 8, 10, 0, 2, 6, 1,
		5, 22, 23, 14, 15, 36, 24, 12, 17, 18, 34, 3, 13, 19, 35, 20, 25, 16, 26, 28,
	}
	for _, f := range p.Table().Functions() {
		if len(want) == 0 || f.Name != want[0] {
			t.Fatalf("%d stands where %v should", f.Name, want)
		}
		want = want[1:]
	}
}

// What a table does not have is not taken out of it.
func TestRemove(t *testing.T) {
	p := &Profile{Names: []Name{{MD5: 1}, {MD5: 2}, {MD5: 14}}}
	f := []*Function{{Name: 0, Context: -1}, {Name: 1, Context: -1}, {Name: 2, Context: -1}}
	table := p.TableOf(f[:1])
	for _, other := range f[1:] { // of another bucket, and of the same
		table.Remove(other)
	}
	if got := table.Functions(); len(got) != 1 || got[0] != f[0] {
		t.Fatalf("the table has %v", got)
	}
	for range 2 {
		table.Remove(f[0])
	}
	if got := table.Functions(); len(got) != 0 {
		t.Errorf("the table has %v", got)
	}
}
