// Package unpack takes files out of gzip, zstd, xz and bzip2 streams and of zip
// and tar archives, one in another as they come, recognised by content and
// never by name.
//
// What it reads is hostile: everything streams under a Budget, so that a small
// archive that claims to hold a large one costs no more than the budget; names
// are made safe; links, devices and the litter of file managers are left out.
// 7z, rar, lz4 and encrypted archives are not read.
package unpack

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"strings"
)

// Budget limits what comes out of archives. It may be shared by several calls
// of Expand, one after another, which then spend it together.
type Budget struct {
	Bytes int64 // that all files may have together, and that any one layer may
	// Ratio is how many bytes may come out for each byte of the archives, beyond
	// the first [Free]; 0 is as many as Bytes allows.
	Ratio   int64
	Members int    // files
	Depth   int    // layers one in another; app.tar.gz has two
	TempDir string // for a zip inside something else, which has to be a file; "" is the system's

	packed  int64    // bytes of the archives so far
	files   int      // that came out so far
	entries int      // of all archives, links and folders too
	bytes   int64    // of the files
	layers  []*int64 // bytes that came out of each layer, the outermost first
	xz      dictionaries
}

// Free is how many bytes may come out of archives of any size. Runs of one value
// shrink without bound, and a profile of a program that hardly ran is such.
const Free = 64 << 20

// most is how many bytes may come out, of a layer and in all.
func (b *Budget) most() int64 {
	if b.Ratio <= 0 || b.packed > (b.Bytes-Free)/b.Ratio {
		return b.Bytes
	}
	return min(b.Bytes, Free+b.Ratio*b.packed)
}

// tooMuch is the fault of an archive that holds more than may come out.
func (b *Budget) tooMuch(name string) error {
	e := &Error{
		Kind: TooLarge, Member: name, Limit: b.most(), Unit: "bytes", Budget: true,
		Msg: "the archive unpacks to too many bytes",
	}
	if e.Limit < b.Bytes {
		e.Ratio, e.Msg = b.Ratio, "the archive unpacks to too many bytes for its size"
	}
	return e
}

// layer is where bytes of a depth, from 1, are counted.
func (b *Budget) layer(depth int) *int64 {
	for len(b.layers) < depth {
		b.layers = append(b.layers, new(int64))
	}
	return b.layers[depth-1]
}

// Packed reports whether the first bytes are those of an archive that Expand
// would open.
func Packed(r io.ReaderAt) bool {
	head := make([]byte, sniffLen)
	n, _ := r.ReadAt(head, 0) // short is fine
	return sniff(head[:n]) != none
}

// Expand calls emit for every file inside the archive r, which is size bytes
// long and called name. emit must read as far as it wants to before it returns;
// its errors, and ctx's, end the work and are returned as they are. A fault of
// the archive is an *Error, and so is a budget that does not suffice; some files
// may have been emitted by then. A file that is not packed is emitted as it is.
func Expand(ctx context.Context, r io.ReaderAt, size int64, name string, b *Budget,
	emit func(name string, r io.Reader) error) error {
	x := &expander{ctx: ctx, budget: b, archive: name, emit: emit}
	before := b.files
	b.packed += size
	if err := x.file(r, size, CleanName(name), 0); err != nil {
		return x.describe(err)
	}
	if b.files == before {
		return &Error{Kind: Malformed, Archive: name, Member: name, Msg: "the archive holds no files"}
	}
	return nil
}

// expander is one call of Expand.
type expander struct {
	ctx     context.Context
	budget  *Budget
	archive string
	emit    func(name string, r io.Reader) error
	windows int // streams that are open and look back, one in another
}

// file opens one file that can be read anywhere.
func (x *expander) file(r io.ReaderAt, size int64, name string, depth int) error {
	src := &source{ctx: x.ctx, ReaderAt: r}
	head := make([]byte, sniffLen)
	n, err := src.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return err
	}
	if sniff(head[:n]) == zipArchive {
		if err := x.deeper(name, depth); err != nil {
			return err
		}
		return x.zip(src, size, name, depth+1)
	}
	return x.stream(io.NewSectionReader(src, 0, size), name, depth)
}

// stream opens one file that can be read once.
func (x *expander) stream(r io.Reader, name string, depth int) error {
	br := bufio.NewReaderSize(r, 64<<10)
	head, err := br.Peek(sniffLen)
	if err != nil && err != io.EOF {
		return err
	}
	f := sniff(head)
	if f == none {
		return x.member(br, name, depth)
	}
	if err := x.deeper(name, depth); err != nil {
		return err
	}
	switch f {
	case zipArchive:
		return x.bufferedZip(br, name, depth+1)
	case tarArchive:
		return x.tar(br, name, depth+1)
	}
	dec, err := x.decompressor(f, br)
	if err != nil {
		return fault(f, name, err)
	}
	defer dec.Close()
	return x.stream(x.from(f, dec, name, depth+1), f.inner(name), depth+1)
}

// member hands out one file that is not packed. One that never was in an
// archive costs nothing.
func (x *expander) member(r io.Reader, name string, depth int) error {
	b := x.budget
	if depth > 0 {
		if b.files >= b.Members {
			return &Error{
				Kind: TooLarge, Member: name, Limit: int64(b.Members), Unit: "files", Msg: "the archive holds too many files",
			}
		}
		r = &counted{x: x, r: r, name: name, spent: &b.bytes}
	}
	b.files++
	return x.emit(name, r)
}

// deeper checks that one more layer may be opened.
func (x *expander) deeper(name string, depth int) error {
	if depth >= x.budget.Depth {
		return &Error{
			Kind: TooLarge, Member: name, Limit: int64(x.budget.Depth), Unit: "layers", Msg: "archives are nested too deeply",
		}
	}
	return nil
}

// bufferedZip writes a zip to a file, since its directory stands at its end.
func (x *expander) bufferedZip(r io.Reader, name string, depth int) error {
	f, err := os.CreateTemp(x.budget.TempDir, "unpack-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	size, err := io.Copy(f, r)
	if err != nil {
		return err
	}
	return x.zip(&source{ctx: x.ctx, ReaderAt: f}, size, name, depth)
}

// describe names the archive in an *Error.
func (x *expander) describe(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Archive = x.archive
		return e
	}
	if e, ok := errors.AsType[readError](err); ok {
		return e.error
	}
	return err
}

// counted spends the budget on what comes out of a decompressor or an archive
// and turns its errors into *Error.
type counted struct {
	x      *expander
	r      io.Reader
	format format
	name   string
	spent  *int64 // of the layer
	n      int64  // of this stream
}

// from is the stream that comes out of a format, at a depth from 1.
func (x *expander) from(f format, r io.Reader, name string, depth int) *counted {
	return &counted{x: x, r: r, format: f, name: name, spent: x.budget.layer(depth)}
}

func (c *counted) Read(p []byte) (int, error) {
	if err := c.x.ctx.Err(); err != nil {
		return 0, err
	}
	left := max(c.x.budget.most()-*c.spent, 0)
	if int64(len(p)) > left+1 {
		p = p[:left+1] // one more than may come tells too much from just right
	}
	n, err := c.r.Read(p)
	if int64(n) > left {
		return 0, c.x.budget.tooMuch(c.name)
	}
	c.n += int64(n)
	*c.spent += int64(n)
	if err != nil && err != io.EOF {
		err = faultAt(c.format, c.name, c.n, err)
	}
	return n, err
}

// source is the archive itself: it stops when the context does, and marks its
// own errors, which are not the archive's fault.
type source struct {
	ctx context.Context
	io.ReaderAt
}

var errNegative = errors.New("a part begins before the archive does")

// readError is an error of the disk or of the context.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

func (s *source) ReadAt(p []byte, off int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, readError{err}
	}
	if off < 0 { // a zip's directory says so: its fault, not the disk's
		return 0, errNegative
	}
	n, err := s.ReaderAt.ReadAt(p, off)
	if err != nil && err != io.EOF {
		err = readError{err}
	}
	return n, err
}

// maxNameLen bounds a name, in bytes.
const maxNameLen = 255

// CleanName makes a name out of an archive, or out of a request, safe to show
// and to keep: a relative path with slashes, without "..", control characters
// or bytes that are not UTF-8.
func CleanName(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '\\':
			return '/'
		case r < ' ', 0x7f <= r && r < 0xa0, 0x202a <= r && r <= 0x202e, 0x2066 <= r && r <= 0x2069:
			return '\uFFFD' // control characters, and those that turn text around
		}
		return r
	}, name)
	name = strings.TrimPrefix(path.Clean("/"+name), "/")
	if len(name) > maxNameLen { // the end tells more than the beginning
		name = strings.ToValidUTF8(name[len(name)-maxNameLen:], "")
	}
	if name == "" {
		return "unnamed"
	}
	return name
}

// litter reports whether a name is one that file managers leave in archives.
func litter(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(base, "._") || base == ".DS_Store" || base == "Thumbs.db" || base == "desktop.ini" ||
		strings.HasPrefix(name, "__MACOSX/") || strings.Contains(name, "/__MACOSX/")
}
