package symbol_test

import (
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/symbol"
)

// TestEntriesAreThoseOfTheStandardLibrary reads all entries of real debug info
// with both readers.
func TestEntriesAreThoseOfTheStandardLibrary(t *testing.T) {
	for name, data := range programs(t) {
		f, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		d, err := image(t, name, data).DWARF()
		if err == symbol.ErrNoDebugInfo && f.Section(".debug_info") == nil {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := f.DWARF()
		if err != nil {
			t.Fatal(err)
		}
		want, err := theirEntries(theirs)
		if err != nil && name == "clang-22_dwarf64.elf" {
			continue // the standard library takes its offsets of strings for 32 bits
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, ourEntries(t, d)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// annotation is DW_TAG_LLVM_annotation.
const annotation = dwarf.Tag(0x6000)

// anyTag wants all entries.
func anyTag(dwarf.Tag) bool { return true }

func ourEntries(t testing.TB, d *symbol.DWARF) (list []string) {
	t.Helper()
	for e, err := range d.Entries(context.Background(), anyTag) {
		if err != nil {
			t.Fatal(err)
		}
		name, _ := e.String(dwarf.AttrName)
		value, ok := e.String(dwarf.AttrConstValue)
		s := fmt.Sprintf("%d in %d %s %q", e.ID, e.Parent.ID, e.Tag, name)
		if ok {
			s += fmt.Sprintf(" = %q", value)
		} else if n, ok := e.Uint(dwarf.AttrConstValue); ok && e.Tag == annotation {
			s += fmt.Sprintf(" = %d", n)
		}
		if a, ok := e.Address(dwarf.AttrLowpc); ok {
			s += fmt.Sprintf(" at 0x%x", a)
		}
		list = append(list, s)
	}
	return list
}

func theirEntries(d *dwarf.Data) (list []string, err error) {
	r := d.Reader()
	var parents []dwarf.Offset
	for {
		e, err := r.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return list, nil
		}
		if e.Tag == dwarf.TagCompileUnit {
			parents = nil
		}
		if e.Tag == 0 {
			parents = parents[:max(len(parents)-1, 0)]
			continue
		}
		var parent dwarf.Offset
		if len(parents) > 0 {
			parent = parents[len(parents)-1]
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		s := fmt.Sprintf("%d in %d %s %q", e.Offset, parent, e.Tag, name)
		if f := e.AttrField(dwarf.AttrConstValue); f != nil {
			switch v := f.Val.(type) {
			case string:
				s += fmt.Sprintf(" = %q", v)
			case int64:
				if e.Tag == annotation { // others may be signed, and then are no Uint
					s += fmt.Sprintf(" = %d", uint64(v))
				}
			}
		}
		if a, ok := e.Val(dwarf.AttrLowpc).(uint64); ok {
			s += fmt.Sprintf(" at 0x%x", a)
		}
		list = append(list, s)
		if e.Children {
			parents = append(parents, e.Offset)
		}
	}
}

func TestLocationsOfCounters(t *testing.T) {
	for name, data := range programs(t) {
		i := image(t, name, data)
		d, err := i.DWARF()
		if err != nil {
			continue
		}
		counters, _ := i.Section("__llvm_prf_cnts")
		found := 0
		for e, err := range d.Entries(t.Context(), func(tag dwarf.Tag) bool { return tag == dwarf.TagVariable }) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Tag != dwarf.TagVariable {
				t.Fatalf("%s was not wanted", e.Tag)
			}
			if !e.HasPrefix(dwarf.AttrName, "__profc_") {
				continue
			}
			found++
			if at, ok := e.Location(); !ok || at < counters.Addr || at >= counters.Addr+counters.Size {
				t.Errorf("%s: at 0x%x, %v", name, at, ok)
			}
		}
		if found == 0 && !bytes.Contains([]byte(name), []byte("_bin")) {
			t.Errorf("%s: no counters", name)
		}
	}
}

// TestEntriesOfEveryForm reads a variable after one attribute of every form,
// whose name is only right when each was stepped over rightly.
func TestEntriesOfEveryForm(t *testing.T) {
	le := binary.LittleEndian
	forms := []struct {
		form  uint64
		value []byte
	}{
		{0x01, le.AppendUint64(nil, 0x1122)}, {0x03, []byte{1, 0, 9}}, {0x04, []byte{2, 0, 0, 0, 9, 9}}, {0x05, []byte{1, 2}},
		{0x06, []byte{1, 2, 3, 4}}, {0x07, make([]byte, 8)}, {0x08, []byte("abc\x00")}, {0x09, []byte{3, 1, 2, 3}},
		{0x0a, []byte{1, 7}}, {0x0b, []byte{1}}, {0x0c, []byte{1}}, {0x0d, []byte{0x80, 0x7f}}, {0x0e, make([]byte, 4)},
		{0x0f, []byte{0x81, 0x01}}, {0x10, make([]byte, 4)}, {0x11, []byte{1}}, {0x12, []byte{1, 2}}, {0x13, make([]byte, 4)},
		{0x14, make([]byte, 8)}, {0x15, []byte{0x80, 0x01}}, {0x16, []byte{0x0b, 5}}, {0x17, make([]byte, 4)},
		{0x18, []byte{2, 1, 1}}, {0x19, nil}, {0x1a, []byte{0x80, 0x01}}, {0x1b, []byte{3}}, {0x1c, make([]byte, 4)},
		{0x1d, make([]byte, 4)}, {0x1e, make([]byte, 16)}, {0x1f, make([]byte, 4)}, {0x20, make([]byte, 8)}, {0x21, nil},
		{0x22, []byte{1}}, {0x23, []byte{1}}, {0x24, make([]byte, 8)}, {0x25, []byte{1}}, {0x26, []byte{1, 2}},
		{0x27, []byte{1, 2, 3}}, {0x28, make([]byte, 4)}, {0x29, []byte{1}}, {0x2a, []byte{1, 2}}, {0x2b, []byte{1, 2, 3}},
		{0x2c, make([]byte, 4)}, {0x1f01, []byte{1}}, {0x1f02, []byte{1}}, {0x1f20, make([]byte, 4)},
		{0x1f21, make([]byte, 4)},
	}
	abbrev := []byte{1, 0x11, 1}
	entries := []byte{1}
	for n, f := range forms {
		abbrev = append(abbrev, 0x80+byte(n%64), 0x40) // attributes from 0x2000 on
		abbrev = binary.AppendUvarint(abbrev, f.form)
		if f.form == 0x21 {
			abbrev = append(abbrev, 0x7f)
		}
		entries = append(entries, f.value...)
	}
	abbrev = append(abbrev, 0, 0, 2, 0x80, 0xc0, 0x01, 0, 0x03, 0x08, 0x1c, 0x21, 0xe4, 0x00, 0, 0, 0)
	entries = append(entries, 2, 'v', 0, 0)
	d, err := image(t, "forms", builtDWARF(builtUnit(0, entries), abbrev, []byte("s\x00"))).DWARF()
	if err != nil {
		t.Fatal(err)
	}
	got := ourEntries(t, d)
	if len(got) != 2 || got[1] != fmt.Sprintf("%d in 11 %s %q = 100", 11+len(entries)-4, annotation, "v") {
		t.Errorf("%q", got)
	}
}

func TestEntriesEndWithTheContext(t *testing.T) {
	d, err := image(t, "x", programs(t)["clang-22_dbg.elf"]).DWARF()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for e, err := range d.Entries(ctx, anyTag) {
		if e != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", e, err)
		}
	}
}
