package buffer_test

import (
	"bytes"
	"io"
	"testing"

	"proflens/catalog"
	"proflens/handlers/buffer"
)

// A spool gives what was written, wherever it had to wait, and the fault last.
func TestSpool(t *testing.T) {
	c, err := catalog.Open(t.Context(), catalog.Place{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	want := bytes.Repeat([]byte("0123456789abcdef"), 200_000)
	waiting := buffer.New(c.Scratch)
	go func() {
		for rest := want; len(rest) > 0; rest = rest[min(len(rest), 70_001):] {
			waiting.Write(rest[:min(len(rest), 70_001)])
		}
		waiting.Close(io.ErrClosedPipe)
	}()
	var got bytes.Buffer
	if err := waiting.CopyTo(&got); err != io.ErrClosedPipe || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d of %d bytes, %v", got.Len(), len(want), err)
	}
	waiting.Discard()
	if n := c.Staged(); n != 0 {
		t.Errorf("%d bytes are held of nothing", n)
	}
}
