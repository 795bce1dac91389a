package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
)

// Inflater unpacks zlib streams and reuses one reader, since a program of many object
// files has as many of them. The zero Inflater is ready.
type Inflater struct {
	src bytes.Reader
	zr  io.ReadCloser
}

// ErrBomb is a stream that inflates to more than is allowed.
var ErrBomb = errors.New("inflates beyond what is allowed")

// Inflate unpacks one zlib stream of at most size bytes, and takes them from what is
// allowed. A stream that ends sooner is taken as it is, as LLVM does; one that goes on
// is a fault. One that is cut off is a fault too, but what there is comes with the
// error. Memory grows as data proves the size, never on its word.
func (z *Inflater) Inflate(packed []byte, size uint64, allowed *Allowance) (text []byte, err error) {
	defer func() { allowed.Take(uint64(len(text))) }()
	z.src.Reset(packed)
	if z.zr == nil {
		zr, err := zlib.NewReader(&z.src)
		if err != nil {
			return nil, err
		}
		z.zr = zr
	} else if err := z.zr.(zlib.Resetter).Reset(&z.src, nil); err != nil {
		return nil, err
	}
	limit := min(size, allowed.Left())
	text = make([]byte, 0, min(limit, 8*uint64(len(packed)))+1) // one more, so that the end is found without growing
	for {
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, err := z.zr.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case uint64(len(text)) > limit && limit < size:
			return nil, ErrBomb
		case uint64(len(text)) > limit:
			return nil, fmt.Errorf("the stream is longer than %d bytes", size)
		case err == io.EOF:
			return text, nil
		case err == io.ErrUnexpectedEOF:
			return text, errors.New("the stream ends early")
		case err != nil:
			return nil, err
		}
	}
}
