package memprof_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/internal/memtest"
)

var bound = memtest.Bound{Base: 96 << 20, Rate: 256}

// nests is a program of two functions, from 0x1000 and 0x2000 on, each with as many
// others inlined into each other at all of its addresses.
func nests(depth int) []byte {
	le := binary.LittleEndian
	abbrev := []byte{
		1, 0x11, 1, 0x11, 0x01, 0x12, 0x06, 0, 0, // unit: low_pc addr, high_pc data4
		2, 0x2e, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x06, 0, 0, // subprogram: name string, low_pc, high_pc
		3, 0x1d, 1, 0x03, 0x08, 0x59, 0x0b, 0x11, 0x01, 0x12, 0x06, 0, 0, // inlined: name, call_line data1
		0,
	}
	entries := le.AppendUint32(le.AppendUint64([]byte{1}, 0x1000), 0x2000)
	for n := range 2 {
		at := uint64(0x1000 * (n + 1))
		entries = append(entries, 2, 'a'+byte(n), 0)
		entries = le.AppendUint32(le.AppendUint64(entries, at), 0x1000)
		for d := range depth {
			entries = append(entries, 3, 'c'+byte(n), 'a'+byte(d%26), 0, byte(d))
			entries = le.AppendUint32(le.AppendUint64(entries, at), 0x1000)
		}
		entries = append(entries, make([]byte, depth+1)...)
	}
	entries = append(entries, 0)
	unit := append([]byte{4, 0, 0, 0, 0, 0, 8}, entries...)
	unit = append(le.AppendUint32(nil, uint32(len(unit))), unit...)
	names := []byte("\x00.debug_info\x00.debug_abbrev\x00.shstrtab\x00")
	b := make([]byte, 64+56)
	copy(b, "\x7fELF\x02\x01\x01")
	le.PutUint16(b[16:], 2)
	le.PutUint32(b[20:], 1)
	le.PutUint64(b[32:], 64) // programs
	le.PutUint16(b[52:], 64)
	le.PutUint16(b[54:], 56)
	le.PutUint16(b[56:], 1)
	le.PutUint16(b[58:], 64)
	le.PutUint16(b[60:], 4)
	le.PutUint16(b[62:], 3)
	p := b[64:]
	le.PutUint32(p, 1)
	le.PutUint32(p[4:], 5)
	for i, v := range []uint64{0x1000, 0x1000, 0x1000, 0x2000, 0x2000, 0x1000} { // offset, addresses, sizes
		le.PutUint64(p[8+8*i:], v)
	}
	headers := make([]byte, 64)
	for _, s := range []struct {
		name uint32
		data []byte
	}{{1, unit}, {13, abbrev}, {27, names}} {
		h := make([]byte, 64)
		le.PutUint32(h, s.name)
		le.PutUint32(h[4:], 1)
		le.PutUint64(h[24:], uint64(len(b)))
		le.PutUint64(h[32:], uint64(len(s.data)))
		headers, b = append(headers, h...), append(b, s.data...)
	}
	le.PutUint64(b[40:], uint64(len(b)))
	return append(b, headers...)
}

// An address of eight bytes is in a hundred functions, and so is each of a stack.
func TestInlinedFramesAreOfTheSizeOfTheProfile(t *testing.T) {
	program := nests(120)
	r := recorded{version: 1, stacks: map[uint64][]uint64{}}
	random := rand.New(rand.NewPCG(1, 2))
	for id := range uint64(2000) {
		r.mibs = append(r.mibs, recordedMIB{id: id, fields: object(1, 1, 2)})
		for range 100 {
			r.stacks[id] = append(r.stacks[id], 0x1000*(1+random.Uint64N(2))+0x800)
		}
	}
	open := func(data []byte) (*memprof.Profile, error) {
		image, err := symbol.Open("x", program, nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := memprof.OpenRaw(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		return raw.Profile(t.Context(), []*memprof.Program{memprof.NewProgram(image, nil)})
	}
	data := r.build()
	bound.Check(t, "deep", len(data)+len(program), func() any {
		p, err := open(data)
		if f := fault(t, err); f.Kind != model.KindTooLarge || !strings.Contains(f.Expected, "of this size") {
			t.Errorf("%+v", f)
		}
		return p
	})
	// One stack of them is read.
	r.mibs, r.stacks = r.mibs[:1], map[uint64][]uint64{0: r.stacks[0]}
	p, err := open(r.build())
	if err != nil {
		t.Fatal(err)
	}
	if depth := p.Stacks[p.Contexts[0].Stack].Depth; depth != 100*121 {
		t.Errorf("a stack of %d frames", depth)
	}
}

// Strings that inflate are of the allowance together.
func TestStringsInflateTogether(t *testing.T) {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write(bytes.Repeat([]byte("variable\x01"), 1<<16))
	w.Close()
	piece := binary.AppendUvarint(nil, 9<<16)
	piece = append(binary.AppendUvarint(piece, uint64(packed.Len())), packed.Bytes()...)
	for pieces, kind := range map[int]model.Kind{1: "", 20: "", 400: model.KindTooLarge} {
		blob := bytes.Repeat(piece, pieces)
		size := len(blob)
		blob = append(blob, make([]byte, -size&7)...)
		data := dataAccess(1, 0, size, string(blob), 0, 0)
		bound.Check(t, "strings", len(data), func() any {
			p, err := memprof.OpenIndexed(data, 0, nil)
			if kind == "" && err != nil || kind != "" && fault(t, err).Kind != kind {
				t.Errorf("%d pieces: %v", pieces, err)
			}
			return p
		})
	}
	long := strings.Repeat("v", model.MaxName+1)
	blob := binary.AppendUvarint(nil, uint64(len(long)))
	blob = append(append(blob, 0), long...)
	size := len(blob)
	_, err := memprof.OpenIndexed(dataAccess(1, 0, size, string(append(blob, make([]byte, -size&7)...)), 0, 0), 0, nil)
	if f := fault(t, err); f.Kind != model.KindTooLarge || f.Expected != model.NameBound {
		t.Errorf("%+v", f)
	}
}
