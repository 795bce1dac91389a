package symbol_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/symbol"
	"proflens/internal/memtest"
)

const embedded = "testdata/embedded"

func embeddedIn(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(embedded, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// What clang embeds is the text of the sources, byte for byte; a program without has none.
func TestEmbedded(t *testing.T) {
	for _, name := range []string{"clang-22.exe", "clang-19_zlib.exe"} {
		list := image(t, name, embeddedIn(t, name)).Embedded()
		if len(list) != 3 {
			t.Fatalf("%s: %v", name, list)
		}
		for _, s := range list {
			path, ok := strings.CutPrefix(s.Name, "/src/")
			if !ok || !bytes.Equal(s.Text, embeddedIn(t, path)) {
				t.Errorf("%s: %s: %q", name, s.Name, s.Text)
			}
		}
	}
	for name, data := range programs(t) {
		if list := image(t, name, data).Embedded(); list != nil {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// Whatever is changed in a program, its texts are parts of what it holds.
func TestEmbeddedChanged(t *testing.T) {
	whole := embeddedIn(t, "clang-22.exe")
	step := 1
	if testing.Short() {
		step = 3
	}
	for at := 0; at < len(whole); at += step {
		for _, to := range []byte{0, 1, 0x7f, 0xff} {
			data := bytes.Clone(whole)
			data[at] = to
			checkEmbedded(data)
		}
		checkEmbedded(whole[:at])
	}
}

func checkEmbedded(data []byte) {
	i, err := symbol.Open("x", data, nil)
	if err != nil {
		return
	}
	for _, s := range i.Embedded() {
		if s.Name == "" || len(s.Text) == 0 || bytes.IndexByte(s.Text, 0) >= 0 {
			panic(s)
		}
	}
}

func FuzzEmbedded(f *testing.F) {
	f.Add(embeddedIn(f, "clang-22.exe"))
	f.Add(embeddedIn(f, "clang-19_zlib.exe"))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		checkEmbedded(data)
	})
}
