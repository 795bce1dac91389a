package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"
)

// What streams in is stored and hashed as it came, in one piece or in many, and after
// what was written before it.
func TestStagedReadFrom(t *testing.T) {
	s := openStore(t, t.TempDir())
	for _, size := range []int{0, 1, len(block{}) - 1, len(block{}), 5*len(block{}) + 1, syncEvery + 1} {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(i * 7 >> 3)
		}
		for _, r := range []io.Reader{
			bytes.NewReader(content), iotest.DataErrReader(bytes.NewReader(content)),
			iotest.HalfReader(bytes.NewReader(content)),
		} {
			g, err := s.Stage()
			if err != nil {
				t.Fatal(err)
			}
			defer g.Discard()
			if _, err := io.WriteString(g, "before "); err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(g, struct{ io.Reader }{r}); err != nil || n != int64(size) {
				t.Errorf("%d bytes: copied %d, %v", size, n, err)
			}
			if err := g.Seal(); err != nil {
				t.Fatal(err)
			}
			want := append([]byte("before "), content...)
			sum := sha256.Sum256(want)
			if found, err := os.ReadFile(g.Path); err != nil || !bytes.Equal(found, want) ||
				g.SHA256 != hex.EncodeToString(sum[:]) || g.Size != int64(len(want)) {
				t.Errorf("%d bytes: stored %d, size %d, SHA-256 %s, %v", size, len(found), g.Size, g.SHA256, err)
			}
		}
	}
}

// The end of a stream that is cut off is not taken for its end.
func TestStagedReadFromOfAStreamThatIsCutOff(t *testing.T) {
	s := openStore(t, t.TempDir())
	for _, cut := range []error{io.ErrUnexpectedEOF, errors.New("another")} {
		g, err := s.Stage()
		if err != nil {
			t.Fatal(err)
		}
		defer g.Discard()
		if n, err := g.ReadFrom(io.MultiReader(bytes.NewReader([]byte("abc")), iotest.ErrReader(cut))); n != 3 || err != cut {
			t.Errorf("%d bytes, %v; want 3, %v", n, err, cut)
		}
	}
}
