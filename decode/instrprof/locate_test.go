package instrprof_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// In raw files of every version, class and byte order, with pointers of every
// kind, the sums lead to the bytes that were put there.
func TestLocateRawOfEveryVersion(t *testing.T) {
	functions := []rawFunction{
		{name: "main", hash: 1, counters: []uint64{11, 12}, bitmap: []byte{5}, uniform: []uint64{1, 2}, address: 0x1000},
		{
			name: "a.c;second", hash: 0x1122334455667788, counters: []uint64{21, 22, 23}, bitmap: []byte{0xa0, 0xa1},
			uniform: []uint64{3, 4, 5}, address: 0x2000, sites: [3][][][2]uint64{{{{0x1000, 7}}}},
		},
		{
			name: "third", hash: 3, counters: []uint64{31}, bitmap: []byte{7}, uniform: []uint64{6}, address: 0x3000,
			sites: [3][][][2]uint64{{{{0x2000, 9}, {0xdead, 1}}}},
		},
	}
	for _, version := range []string{
		"1", "2", "3", "4", "5a", "5b", "6", "7", "7 relative", "8", "8 narrow", "9", "10", "11",
	} {
		for _, pointerSize := range []int{4, 8} {
			for _, bigEndian := range []bool{false, true} {
				for _, compress := range []bool{false, true} {
					x := &builtRaw{pointerSize: pointerSize, bigEndian: bigEndian, functions: functions, compress: compress}
					var how string
					x.version, how, _ = strings.Cut(version, " ")
					x.relative, x.narrow = how == "relative", how == "narrow" && pointerSize == 8
					if x.compress && x.number() < 3 {
						continue
					}
					x.functions = slices.Clone(functions)
					for i := range x.functions {
						if f := &x.functions[i]; x.number() < 9 {
							f.bitmap, f.uniform = nil, nil
						} else if x.number() < 11 {
							f.uniform = nil
						}
					}
					checkSums(t, fmt.Sprintf("version %s, %d-bit, big-endian %v", version, 8*pointerSize, bigEndian), x)
				}
			}
		}
	}
}

func checkSums(t *testing.T, what string, x *builtRaw) {
	t.Helper()
	data := x.bytes()
	order := binary.ByteOrder(binary.LittleEndian)
	if x.bigEndian {
		order = binary.BigEndian
	}
	for n, f := range x.functions {
		record := uint64(n)
		l, _, err := instrprof.LocateRaw(data, nil, model.Wanted{Record: &record})
		if err != nil || l == nil || l.Records != uint64(len(x.functions)) {
			t.Errorf("%s: %+v, %v", what, l, err)
			continue
		}
		of := map[string]*model.Sum{}
		for i := range l.Sums {
			of[l.Sums[i].Of] = &l.Sums[i]
		}
		if l.Function != f.name || l.FuncHash != fmt.Sprintf("%016x", f.hash) {
			t.Errorf("%s: record %d is %s %s", what, n, l.Function, l.FuncHash)
		}
		if s := of["name"]; x.compress != (s.Size == 0) || !x.compress && string(data[s.Offset:s.Offset+s.Size]) != f.name {
			t.Errorf("%s: the name of %s is at %+v", what, f.name, s)
		}
		s := of["counters"]
		for i, want := range f.counters {
			if got := order.Uint64(data[s.Offset+8*uint64(i):]); got != want || s.Values[i] != fmt.Sprint(want) ||
				s.Size != 8*uint64(len(f.counters)) {
				t.Errorf("%s: counter %d of %s is %d: %+v", what, i, f.name, got, s)
			}
		}
		wraps := "modulo 2^64"
		if x.pointerSize == 4 || x.narrow {
			wraps = "modulo 2^32"
		}
		shrinks := x.isRelative()
		if len(s.Terms) != map[bool]int{true: 6, false: 5}[shrinks] || !strings.Contains(fmt.Sprint(s.Terms), wraps) ||
			strings.Contains(fmt.Sprint(s.Terms), "record size") != shrinks {
			t.Errorf("%s: %+v", what, s.Terms)
		}
		if s := of["bitmap"]; x.number() >= 9 && (s == nil || string(data[s.Offset:s.Offset+s.Size]) != string(f.bitmap)) {
			t.Errorf("%s: the bitmap of %s is at %+v", what, f.name, s)
		}
		if s := of["uniform counters"]; x.number() == 11 && (s == nil || order.Uint64(data[s.Offset:]) != f.uniform[0]) {
			t.Errorf("%s: the uniform counters of %s are at %+v", what, f.name, s)
		}
		s = of["value data"]
		if hasSites := x.number() >= 2 && len(f.sites[0]) > 0; hasSites != (s != nil) {
			t.Errorf("%s: the value data of %s are at %+v", what, f.name, s)
		} else if s != nil {
			if total := order.Uint32(data[s.Offset:]); uint64(total) != s.Size || len(s.Values) != len(f.sites[0][0]) {
				t.Errorf("%s: the value data of %s are at %+v, where %d stands", what, f.name, s, total)
			}
		}
	}
}

// In an indexed profile the bucket leads to the item.
func TestLocateIndexedByBucket(t *testing.T) {
	for version := uint64(1); version <= 14; version++ {
		data := builtSample(version).bytes()
		x, err := instrprof.OpenIndexed(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		record := uint64(0)
		for f, err := range x.Functions() {
			if err != nil {
				t.Fatal(err)
			}
			l, _, err := instrprof.LocateIndexed(data, model.Wanted{Record: &record})
			record++
			if err != nil || l == nil || l.Function != string(f.Name) || l.FuncHash != fmt.Sprintf("%016x", f.FuncHash) {
				t.Fatalf("version %d: %+v, %v", version, l, err)
			}
			for _, s := range l.Sums {
				switch {
				case s.Of == "name" && string(data[s.Offset:s.Offset+s.Size]) != l.Function,
					s.Of == "record" && binary.LittleEndian.Uint64(data[s.Offset:]) != f.FuncHash,
					s.Of == "counters" && len(f.Counters) > 0 && binary.LittleEndian.Uint64(data[s.Offset:]) != f.Counters[0]:
					t.Errorf("version %d: %+v of %s", version, s, l.Function)
				}
			}
		}
	}
}
