package symbol_test

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"testing"

	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

var bound = memtest.Bound{Base: 96 << 20, Rate: 256}

// A program has one table of symbols of each kind. Ten thousand headers of one table
// are read as one.
func TestSymbolTablesOverAndOver(t *testing.T) {
	x := class{wide: true}
	var names, symbols []byte
	names = append(names, 0)
	for n := range 20_000 {
		symbols = x.u32(symbols, uint32(len(names)))
		symbols = append(symbols, byte(elf.STT_FUNC), 0, 1, 0)
		symbols = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(symbols, uint64(n)), 1)
		names = append(fmt.Appendf(names, "f%d", n), 0)
	}
	l := linked{
		class: x, sections: []linkedSection{{name: ".strtab", kind: 3, data: names},
			{name: ".symtab", kind: 2, data: symbols, link: 1}},
	}
	data := l.bytes()
	// The table of sections goes on with the same one, again and again.
	at := binary.LittleEndian.Uint64(data[40:])
	table := data[at+2*64 : at+3*64]
	count := binary.LittleEndian.Uint16(data[60:])
	last := append([]byte(nil), data[len(data)-64:]...)
	data = data[:len(data)-64]
	for range 10_000 {
		data = append(data, table...)
	}
	data = append(data, last...)
	binary.LittleEndian.PutUint16(data[60:], count+10_000)
	binary.LittleEndian.PutUint16(data[62:], count+10_000-1)
	bound.Check(t, "symbols", len(data), func() any {
		i, err := symbol.Open("x", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		list := i.Procedures()
		if len(list) != 20_000 || list[7].Name != "f7" {
			t.Errorf("%d procedures", len(list))
		}
		return list
	})
}

// Sections that inflate are of the allowance of all files.
func TestSectionsInflateTogether(t *testing.T) {
	zeros := make([]byte, 8<<20)
	stream := compressed(elf.COMPRESS_ZLIB, uint64(len(zeros)), deflate(zeros))
	data := builtELF{sections: []builtSection{{name: ".debug_info", flags: elf.SHF_COMPRESSED, data: stream}}}.bytes()
	allowed := wire.NewAllowance(uint64(100 * len(data)))
	opened, faults := 0, 0
	bound.Check(t, "programs", 100*len(data), func() any {
		var kept []any
		for range 100 {
			i, err := symbol.Open("x", data, wire.Allow(allowed))
			if err != nil {
				t.Fatal(err)
			}
			d, err := i.DWARF()
			switch {
			case err == nil:
				opened++
				kept = append(kept, d)
			case model.KindOf(err) == model.KindTooLarge:
				faults++
			default:
				t.Error(err)
			}
		}
		return kept
	})
	if opened == 0 || faults == 0 {
		t.Errorf("%d inflated, %d were too large", opened, faults)
	}
}
