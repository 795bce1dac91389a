package deflate

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// TestAsZlib: streams are zlib's, byte for byte, whatever is compressed; testdata/make.py asks it.
func TestAsZlib(t *testing.T) {
	golden, err := os.ReadFile("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(golden)) {
		var size, letters, repeats int
		var want string
		if _, err := fmt.Sscan(line, &size, &letters, &repeats, &want); err != nil {
			t.Fatal(err)
		}
		data := deep()
		if letters > 0 {
			data = invented(size, letters, repeats)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(Zlib(data))); got != want {
			t.Errorf("%d bytes of %d letters, %d %% repeated: %s, not %s", size, letters, repeats, got, want)
		}
	}
}

// FuzzZlib: what is compressed is what comes out again.
func FuzzZlib(f *testing.F) {
	f.Add([]byte("name\x01other name\x01name of another"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := zlib.NewReader(bytes.NewReader(Zlib(data)))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if _, err := got.ReadFrom(r); err != nil || !bytes.Equal(got.Bytes(), data) {
			t.Errorf("%q became %q: %v", data, &got, err)
		}
	})
}

// invented is data as testdata/make.py invents it.
func invented(size, letters, repeats int) []byte {
	seed := 1
	number := func(below int) int {
		seed = (seed*1103515245 + 12345) % (1 << 31)
		return (seed >> 8) % below
	}
	var data []byte
	for len(data) < size {
		if len(data) > 0 && number(100) < repeats%100 {
			back, most := 1+number(min(len(data), 40000)), 300
			if repeats > 100 && len(data) > 1<<15 {
				back, most = 32500+number(12), 6
			}
			for range 3 + number(most) {
				data = append(data, data[len(data)-back])
			}
		} else {
			data = append(data, byte(number(letters)))
		}
	}
	return data
}

// deep are letters of which each is used as often as the two before it together.
func deep() (data []byte) {
	for letter, a, b := 0, 1, 1; letter < 20; letter, a, b = letter+1, b, a+b {
		data = append(data, bytes.Repeat([]byte{byte(letter)}, a)...)
	}
	return data
}
