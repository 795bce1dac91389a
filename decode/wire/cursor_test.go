package wire_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/model"
	"proflens/decode/wire"
)

func fault(t *testing.T, err error) *model.FormatError {
	t.Helper()
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		t.Fatalf("no FormatError: %v", err)
	}
	return f
}

func TestIntegersInBothByteOrders(t *testing.T) {
	data := []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
	for _, bigEndian := range []bool{false, true} {
		c := wire.New("s", data, 0)
		c.SetOrder(bigEndian)
		got := []uint64{uint64(c.U8("a")), uint64(c.U16("b")), uint64(c.U32("c")), c.U64("d")}
		want := []uint64{1, 0x0302, 0x07060504, 0x0f0e0d0c0b0a0908}
		if bigEndian {
			want = []uint64{1, 0x0203, 0x04050607, 0x08090a0b0c0d0e0f}
		}
		if diff := cmp.Diff(want, got); diff != "" || c.Err() != nil || c.Remaining() != 0 || c.BigEndian() != bigEndian {
			t.Errorf("big-endian %v: %v\n%s", bigEndian, c.Err(), diff)
		}
	}
}

func TestSizedIntegers(t *testing.T) {
	c := wire.New("s", bytes.Repeat([]byte{1}, 27), 0)
	got := []uint64{c.Uint("a", 1), c.Uint("b", 2), c.Uint("c", 4), c.Uint("d", 8), c.Ptr("e", 4), c.Ptr("f", 8)}
	want := []uint64{1, 0x0101, 0x01010101, 0x0101010101010101, 0x01010101, 0x0101010101010101}
	if diff := cmp.Diff(want, got); diff != "" || c.Err() != nil {
		t.Error(diff, c.Err())
	}
}

func TestFirstFaultIsKept(t *testing.T) {
	c := wire.New("names", []byte{1, 2, 3}, 100)
	c.U8("first")
	if v := c.U32("second"); v != 0 {
		t.Errorf("read %d", v)
	}
	c.U8("third")
	_ = c.Fail(model.KindMalformed, "fourth", "later", "", "")
	f := fault(t, c.Err())
	if f.Kind != model.KindTruncated || f.Section != "names" || f.Field != "second" || f.Offset != 101 ||
		c.Offset() != 101 {
		t.Errorf("%+v at %d", f, c.Offset())
	}
}

func TestULEB(t *testing.T) {
	for _, test := range []struct {
		data string
		want uint64
		kind model.Kind
	}{
		{"\x00", 0, ""},
		{"\x7f", 127, ""},
		{"\x80\x01", 128, ""},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 1<<64 - 1, ""},
		{"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 0, model.KindMalformed},
		{"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x00", 0, model.KindMalformed},
		{"\x80\x80", 0, model.KindTruncated},
		{"", 0, model.KindTruncated},
	} {
		c := wire.New("s", []byte(test.data), 0)
		got := c.ULEB("v")
		if got != test.want || test.kind == "" && c.Err() != nil || test.kind != "" && fault(t, c.Err()).Kind != test.kind {
			t.Errorf("%x: %d, %v", test.data, got, c.Err())
		}
	}
}

func TestCountsAreHeldAgainstTheBytes(t *testing.T) {
	for _, test := range []struct {
		n, size uint64
		ok      bool
	}{{2, 8, true}, {3, 8, false}, {1 << 61, 8, false}, {1<<64 - 1, 1, false}, {5, 0, false}, {0, 8, true}} {
		c := wire.New("s", make([]byte, 16), 0)
		n := c.Count("n", test.n, test.size)
		if test.ok != (c.Err() == nil) || test.ok && uint64(n) != test.n || !test.ok && n != 0 {
			t.Errorf("%d × %d: %d, %v", test.n, test.size, n, c.Err())
		}
	}
}

func TestSections(t *testing.T) {
	c := wire.New("file", []byte("headerBODYrest"), 10)
	head := c.Section("header", 6)
	body := c.Overrunning("body", 4)
	if got := string(head.Rest()); got != "header" {
		t.Errorf("header %q", got)
	}
	if got := string(body.Rest()); got != "BODYrest" || c.Offset() != 20 {
		t.Errorf("body %q, then 0x%x", got, c.Offset())
	}
	past := c.Section("past", 5)
	past.U64("x")
	if f := fault(t, past.Err()); f.Section != "past" || f.Offset != 20 || c.Err() == nil {
		t.Errorf("%+v", f)
	}
}

func TestHugeSizesOverflowNothing(t *testing.T) {
	for _, n := range []uint64{1 << 31, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		c := wire.New("s", []byte("abc"), 0)
		if b := c.Bytes("b", n); b != nil || fault(t, c.Err()).Kind != model.KindTruncated {
			t.Errorf("%d: %q, %v", n, b, c.Err())
		}
		if sub := wire.New("s", []byte("abc"), 0).Section("t", n); sub.Err() == nil || sub.Remaining() != 0 {
			t.Errorf("section of %d: %v", n, sub.Err())
		}
	}
}

func TestSkipZerosStopsAtItsEnd(t *testing.T) {
	c := wire.New("s", []byte{0, 0, 0, 1, 0}, 50)
	if c.SkipZeros(52); c.Offset() != 52 {
		t.Errorf("at %d", c.Offset())
	}
	if c.SkipZeros(99); c.Offset() != 53 {
		t.Errorf("at %d", c.Offset())
	}
}

func TestRecorderKeepsSectionsFieldsAndNotes(t *testing.T) {
	rec := &wire.Recorder{}
	c := wire.New("file", []byte{7, 0, 0xab, 0xcd, 9}, 0)
	c.RecordSections(rec)
	head := c.Section("header", 2)
	head.U16("Version")
	head.Note("version 7")
	ids := c.Section("ids", 2)
	ids.Hex("id", 2)
	ids.Describe("1 id")
	want := []model.Section{
		{Name: "header", Size: 2, Fields: []model.Field{{Name: "Version", Size: 2, Value: "7", Meaning: "version 7"}}},
		{
			Name: "ids", Offset: 2, Size: 2, Note: "1 id",
			Fields: []model.Field{{Name: "id", Offset: 2, Size: 2, Value: "abcd"}},
		},
	}
	if diff := cmp.Diff(want, rec.Sections()); diff != "" {
		t.Error(diff)
	}
}

func TestRecordingIsBounded(t *testing.T) {
	rec := &wire.Recorder{}
	c := wire.New("s", make([]byte, 100_000), 0)
	c.Record(rec)
	for range 100_000 {
		c.U8("b")
	}
	if n := len(rec.Sections()[0].Fields); n > 1000 {
		t.Errorf("%d fields", n)
	}
}

func TestWithoutARecorderNothingIsAllocated(t *testing.T) {
	data := make([]byte, 64)
	dst := make([]uint64, 4)
	allocs := testing.AllocsPerRun(100, func() {
		c := *wire.New("s", data, 0)
		c.U64("a")
		c.ULEB("b")
		c.Note("nothing")
		c.U64s("c", dst)
		c.Bytes("d", 8)
	})
	if allocs > 1 { // the cursor itself
		t.Errorf("%.0f allocations", allocs)
	}
}
