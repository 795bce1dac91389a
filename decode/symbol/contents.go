package symbol

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// How many bytes zstd may look back, at its highest level; in a section of fewer bytes
// as at its usual ones.
const (
	maxWindow   = 128 << 20
	leastWindow = 16 << 20
)

// gnuCompressed begins a section whose name begins with ".zdebug": its size
// follows, big-endian, and then a zlib stream. Linkers wrote it before ELF had
// compressed sections.
const gnuCompressed = "ZLIB"

// Contents is the bytes of a section, inflated when it is compressed; packed
// says so, since an offset in them is then none in the file.
//
// Errors: truncated when the section runs past the end of the file or has no bytes
// in it, uncompress_failed, too_large, unsupported_version for another
// compression than zlib and zstd.
func (i *Image) Contents(name string, s Section) (data []byte, packed bool, err error) {
	data, ok := i.bytes(s)
	switch {
	case s.Type == elf.SHT_NOBITS:
		return nil, false, i.Fault(model.KindTruncated, name, min(s.Offset, uint64(len(i.data))),
			"the section was left out of the file; give the program as it was linked")
	case !ok:
		size := uint64(len(i.data))
		fault := i.Fault(model.KindTruncated, name, min(s.Offset, size), "the section runs past the end of the file")
		fault.Expected, fault.Found = fmt.Sprintf("%s at 0x%x", wire.Plural(s.Size, "byte"), s.Offset),
			fmt.Sprintf("a file of %d", size)
		return nil, false, fault
	case s.Flags&elf.SHF_COMPRESSED != 0:
		data, err = i.inflate(name, s, data)
		return data, true, err
	case bytes.HasPrefix(data, []byte(gnuCompressed)) && len(data) >= 12 && i.hasPrefix(s, ".zdebug"):
		data, err = i.unpack(name, s, data[12:], elf.COMPRESS_ZLIB, binary.BigEndian.Uint64(data[4:]))
		return data, true, err
	}
	return data, false, nil
}

func (i *Image) hasPrefix(s Section, prefix string) bool {
	return uint64(s.name) < uint64(len(i.strings)) && bytes.HasPrefix(i.strings[s.name:], []byte(prefix))
}

// inflate reads the header of a compressed section and inflates what follows.
func (i *Image) inflate(name string, s Section, data []byte) ([]byte, error) {
	c := wire.New(name, data, s.Offset)
	c.SetOrder(i.BigEndian)
	kind := elf.CompressionType(c.U32("ch_type"))
	if i.PointerSize == 8 {
		c.U32("ch_reserved")
	}
	size := c.Ptr("ch_size", i.PointerSize)
	c.Ptr("ch_addralign", i.PointerSize)
	if err := c.Err(); err != nil {
		return nil, i.Named(err)
	}
	return i.unpack(name, s, c.Rest(), kind, size)
}

// unpack inflates a stream to size bytes, no more and no fewer. Memory grows as
// data prove the size.
func (i *Image) unpack(name string, s Section, stream []byte, kind elf.CompressionType, size uint64) ([]byte, error) {
	if allowed := i.Allowance(); !allowed.Take(size) {
		fault := i.Fault(model.KindTooLarge, name, s.Offset, "the section inflates beyond its limit")
		fault.Expected, fault.Found = allowed.Most(), fmt.Sprint(size)
		return nil, fault
	}
	var r io.Reader
	var err error
	switch kind {
	case elf.COMPRESS_ZLIB:
		r, err = zlib.NewReader(bytes.NewReader(stream))
	case elf.COMPRESS_ZSTD:
		var z *zstd.Decoder
		z, err = zstd.NewReader(bytes.NewReader(stream), zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(max(size, leastWindow)), zstd.WithDecoderMaxWindow(maxWindow))
		if err == nil {
			defer z.Close()
			r = z
		}
	default:
		fault := i.Fault(model.KindUnsupportedVersion, name, s.Offset, "the section's compression is unknown")
		fault.Expected, fault.Found = "zlib (1) or zstd (2)", fmt.Sprint(uint32(kind))
		return nil, fault
	}
	var out bytes.Buffer
	if err == nil {
		out.Grow(int(min(size, 8*uint64(len(stream)))) + bytes.MinRead)
		_, err = io.Copy(&out, io.LimitReader(r, int64(size)+1))
	}
	if err == nil && uint64(out.Len()) != size {
		err = errors.New("the stream's length is wrong")
	}
	if err != nil {
		fault := i.Fault(model.KindUncompressFailed, name, s.Offset, "the section does not inflate: "+err.Error())
		fault.Expected = wire.Plural(size, "byte")
		return nil, fault
	}
	return out.Bytes(), nil
}
