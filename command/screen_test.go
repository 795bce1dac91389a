package command

import (
	"bytes"
	"os"
	"testing"
)

// What a name holds is seen on a terminal and not obeyed, in whatever pieces it is
// written; a pipe and a file get it as it is.
func TestScreen(t *testing.T) {
	const text = "a\x1b[2Jb\tc\nnaïve \u202eevil\r\n函数"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		w := &screen{w: &b}
		for i := 0; i < len(text); i += size {
			piece := text[i:min(i+size, len(text))]
			if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
		}
		if want := "a\ufffd[2Jb\tc\nnaïve \ufffdevil\ufffd\n函数"; b.String() != want {
			t.Errorf("in pieces of %d: %q", size, b.String())
		}
	}
	var b bytes.Buffer
	if onScreen(&b) != &b {
		t.Error("a buffer is taken for a terminal")
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if onScreen(w) != w {
		t.Error("a pipe is taken for a terminal")
	}
}
