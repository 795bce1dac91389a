package encode_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/encode"
)

// grafted is one profile with the heap profile of another, so that this stands
// at another offset when written.
type grafted struct {
	instrprof.Source
	info instrprof.Info
}

func graft(of, heap instrprof.Source) grafted {
	g := grafted{of, *of.Info()}
	g.info.Variant |= instrprof.MemProf
	g.info.MemProf, g.info.MemProfSection = heap.Info().MemProf, heap.Info().MemProfSection
	return g
}

func (g grafted) Info() *instrprof.Info { return &g.info }

func TestProfdataMovesHeapProfiles(t *testing.T) {
	for _, name := range []string{"mem_v2.profdata", "mem_v3.profdata", "mem_v4.profdata", "mem_dap_v4.profdata"} {
		whole := input(t, name)
		same, _ := profdata(t, whole, encode.ProfdataOptions{})
		if got := openData(t, name, same).Info(); !bytes.Equal(got.MemProf, whole.Info().MemProf) {
			t.Errorf("%s: another heap profile at the same offset", name)
		}
		moved, findings := profdata(t, graft(input(t, "clang-22_ir_c.profraw").Source, whole), encode.ProfdataOptions{})
		info := openData(t, name, moved).Info()
		if info.MemProfSection.Offset == whole.Info().MemProfSection.Offset ||
			len(info.MemProf) != len(whole.Info().MemProf) || len(findings) > 0 {
			t.Fatalf("%s: at %x, %d bytes, %v", name, info.MemProfSection.Offset, len(info.MemProf), findings)
		}
		// Moving it back is the file that it came from.
		back, _ := profdata(t, graft(whole.Source, openData(t, name, moved)), encode.ProfdataOptions{})
		if !bytes.Equal(back, same) {
			t.Errorf("%s: there and back it differs", name)
		}
	}
}

// Every word of a heap profile is tried with values that lead nowhere.
func TestProfdataRefusesDamagedHeapProfiles(t *testing.T) {
	whole := input(t, "mem_v4.profdata")
	section := whole.Info().MemProf
	refused := 0
	for at := 0; at+8 <= len(section); at += 8 {
		for _, value := range []uint64{0, 5, 1 << 63, 1<<64 - 1, uint64(len(section)) + 1} {
			damaged := bytes.Clone(section)
			binary.LittleEndian.PutUint64(damaged[at:], value)
			src := graft(input(t, "pseudo.proftext").Source, whole)
			src.info.MemProf = damaged
			_, err := encode.Profdata(new(bytes.Buffer), src, encode.ProfdataOptions{})
			if err != nil && model.KindOf(err) != model.KindLossy {
				t.Fatal(err)
			}
			if err != nil {
				refused++
			}
			if _, err := encode.Profdata(new(bytes.Buffer), src, encode.ProfdataOptions{Lossy: true}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	for n := range min(len(section), 100) {
		src := graft(input(t, "pseudo.proftext").Source, whole)
		src.info.MemProf = section[:n:n]
		if _, err := encode.Profdata(new(bytes.Buffer), src, encode.ProfdataOptions{}); model.KindOf(err) != model.KindLossy {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
