package unpack

import (
	"archive/tar"
	"archive/zip"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// tar opens the files of a tar, in order.
func (x *expander) tar(r io.Reader, name string, depth int) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fault(tarArchive, name, err)
		}
		if err := x.entry(tarArchive, name); err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse || skipName(h.Name) {
			continue
		}
		member := CleanName(h.Name)
		if err := x.stream(x.from(tarArchive, t, member, depth), member, depth); err != nil {
			return err
		}
	}
}

// zip opens the files of a zip, in the order of its directory.
func (x *expander) zip(r io.ReaderAt, size int64, name string, depth int) error {
	z, err := x.zipDirectory(r, size, name)
	if err != nil {
		return err
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	for method, f := range map[uint16]format{zipBzip2: bzip2Stream, zstd.ZipMethodWinZip: zstdStream} {
		z.RegisterDecompressor(method, func(r io.Reader) io.ReadCloser {
			d, err := x.decompressor(f, r)
			if err != nil {
				return io.NopCloser(failing{err})
			}
			return d
		})
	}
	for _, f := range z.File {
		if err := x.entry(zipArchive, name); err != nil {
			return err
		}
		if !f.Mode().IsRegular() || skipName(f.Name) {
			continue
		}
		if err := x.zipMember(f, depth); err != nil {
			return err
		}
	}
	return nil
}

// From the zip specification: a method, and the flag of an encrypted member.
const (
	zipBzip2     = 12
	zipEncrypted = 1
)

func (x *expander) zipMember(f *zip.File, depth int) error {
	member := CleanName(f.Name)
	if f.Flags&zipEncrypted != 0 {
		return &Error{Kind: Unsupported, Member: member, Msg: "the zip member is encrypted"}
	}
	r, err := f.Open()
	if err != nil {
		return fault(zipArchive, member, err)
	}
	defer r.Close()
	return x.stream(x.from(zipArchive, r, member, depth), member, depth)
}

// failing is a stream that could not be opened.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// skipName reports whether a member is a folder or litter.
func skipName(name string) bool {
	return strings.HasSuffix(name, "/") || strings.HasSuffix(name, `\`) || litter(CleanName(name))
}
