package analyze_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
)

// TestRadixSize works the size of the array of call stacks out of the stacks
// alone: it is that of the array which llvm-profdata wrote (memprof.md §3.7), and
// the frames are as many as it wrote.
func TestRadixSize(t *testing.T) {
	files, _ := filepath.Glob("../decode/memprof/testdata/*.profdata*")
	own, _ := filepath.Glob("testdata/prune/*.profdata")
	tried := 0
	for _, file := range append(files, own...) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, ".gz") {
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		src, err := instrprof.OpenIndexed(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		section, base := src.Info().MemProf, src.Info().MemProfSection.Offset
		p, err := memprof.OpenIndexed(section, base, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Version < 3 {
			continue
		}
		tried++
		got := analyze.StackSizesOf(p)
		stacks, records := binary.LittleEndian.Uint64(section[8:]), binary.LittleEndian.Uint64(section[16:])
		if want := records - stacks; got.Radix() != want {
			t.Errorf("%s: %d bytes, of %+v; the file has %d", filepath.Base(file), got.Radix(), got, want)
		}
		if got.Flat() < got.Radix() || got.Shared() < 0 || got.Frames > len(p.Frames) {
			t.Errorf("%s: %+v", filepath.Base(file), got)
		}
	}
	if tried < 8 {
		t.Errorf("only %d files", tried)
	}
}
