package unpack

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
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
	z, err := zip.NewReader(r, size)
	if err != nil {
		return fault(zipArchive, name, err)
	}
	z.RegisterDecompressor(zip.Deflate, flate.NewReader)
	z.RegisterDecompressor(zipBzip2, func(r io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(r)) })
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstdOptions...))
	for _, f := range z.File {
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

// skipName reports whether a member is a folder or litter.
func skipName(name string) bool {
	return strings.HasSuffix(name, "/") || strings.HasSuffix(name, `\`) || litter(CleanName(name))
}
