package unpack

import (
	"compress/bzip2"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// decompressor opens a compressed stream. Closing it gives its memory back.
func (x *expander) decompressor(f format, r io.Reader) (io.ReadCloser, error) {
	if f == gzipStream {
		return gzip.NewReader(r)
	}
	m, err := x.window()
	if err != nil {
		return nil, err
	}
	s := &windowed{memory: m}
	switch f {
	case zstdStream:
		var d *zstd.Decoder
		if d, err = zstd.NewReader(newZstdGuard(r, m), zstdOptions...); err == nil {
			s.Reader, s.close = zstdReader{d}, d.Close
		}
	case xzStream:
		s.Reader, err = xz.ReaderConfig{DictCap: 1 << 16}.NewReader(newXZGuard(r, &x.budget.xz, m))
	case bzip2Stream:
		err = m.take(bzip2Memory)
		s.Reader = bzip2.NewReader(r)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// bzip2Memory is what a bzip2 stream takes: four bytes for each of a block.
const bzip2Memory = 4 * 900_000

// windowed is a stream with the memory that it takes.
type windowed struct {
	io.Reader
	memory *memory
	close  func()
}

// Close ends the stream; it may be called again.
func (s *windowed) Close() error {
	if s.memory == nil {
		return nil
	}
	if s.close != nil {
		s.close()
	}
	memory := s.memory
	*s = windowed{Reader: failing{io.ErrClosedPipe}}
	memory.free()
	return nil
}

// One goroutine a stream, and no more memory than its window.
var zstdOptions = []zstd.DOption{
	zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
	zstd.WithDecoderMaxWindow(MaxDictionary), zstd.WithDecoderMaxMemory(2 * MaxDictionary),
}

// zstdReader gives a window that is too large its kind.
type zstdReader struct{ io.Reader }

func (z zstdReader) Read(p []byte) (int, error) {
	n, err := z.Reader.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = dictionaryTooLarge(MaxDictionary, err)
	}
	return n, err
}

func dictionaryTooLarge(most int64, err error) error {
	return &Error{Kind: TooLarge, Limit: most, Unit: "bytes", Msg: "the stream asks for too large a dictionary", Err: err}
}
