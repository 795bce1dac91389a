package instrprof_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// TestDebugProbesOfDamage: whatever a byte of a program is, its probes are listed, or an error
// says what is wrong.
func TestDebugProbesOfDamage(t *testing.T) {
	for _, name := range []string{"clang-22_dbg_m32.elf", "clang-22_zstd.elf", "clang-22_dwarf5_macho.dsym"} {
		whole, err := os.ReadFile("testdata/correlate/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(whole); n += 7 {
			data := bytes.Clone(whole)
			data[n] ^= []byte{0x01, 0x80, 0xff}[n/7%3]
			listDamaged(t, data)
			listDamaged(t, whole[:n:n])
		}
	}
}

func listDamaged(t *testing.T, data []byte) {
	t.Helper()
	images, err := symbol.OpenProgram("p", data, nil)
	if err != nil {
		return
	}
	_, probes, err := instrprof.DebugProbes(t.Context(), images[0])
	if err == nil {
		for p, wrong := range probes {
			if err = wrong; err == nil && p.Address == nil && !p.Entry.Code {
				t.Fatalf("%+v was not linked", p)
			}
		}
	}
	if _, ok := errors.AsType[*model.FormatError](err); err != nil && !ok {
		t.Fatalf("%#v", err)
	}
}
