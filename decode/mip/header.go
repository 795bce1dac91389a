package mip

import (
	"bytes"
	"fmt"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// magic begins every file, and headerSize is the least that does (mip.md §2).
const (
	magic      = "\xfbMIP"
	headerSize = 32
	version    = 8
)

// oldHeaderSize is the offset to data of files before version 8's last edition.
const oldHeaderSize = 24

// Is reports whether data begin like a Machine IR Profile.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

// readHeader reads the header at the cursor, whatever it says, so that all of
// it is in the anatomy, and then checks it. kind is the file type that the file
// has to be, 0 for any.
//
// Errors: bad_magic, truncated, unsupported_version, bad_header,
// unsupported_feature.
func readHeader(c *wire.Cursor, kind FileType) (h Header, err error) {
	all := c.Remaining()
	s := c.Section("header", min(headerSize, all))
	if m := s.Hex("Magic", min(4, all)); !bytes.HasPrefix([]byte(magic), m) {
		return h, s.FailAt(s.Offset()-uint64(len(m)), model.KindBadMagic, "Magic", "this is not a Machine IR Profile",
			fmt.Sprintf("% x", magic), fmt.Sprintf("% x", m))
	}
	start := s.Offset() - min(4, all)
	h.Version = s.U16("Version")
	h.FileType = FileType(s.U16("FileType"))
	note(s, h.FileType.Words())
	h.ProfileType = ProfileType(s.U32("ProfileType"))
	note(s, h.ProfileType.Words())
	h.ModuleHash = s.U32("ModuleHash")
	if s.Recording() {
		s.Note(fmt.Sprintf("0x%08x: of the link unit's name, no build ID", h.ModuleHash))
	}
	h.RawSectionOffset = int64(s.U64("RawSectionOffset"))
	if h.FileType&FileWidth == File32 {
		h.RawSectionOffset = int64(int32(h.RawSectionOffset))
	}
	if s.Recording() && h.FileType&FileMap != 0 {
		s.Note(fmt.Sprintf("the raw section begins %+d bytes from the map", h.RawSectionOffset))
	}
	h.Reserved = s.U32("Reserved")
	h.OffsetToData = s.U32("OffsetToData")
	if err := s.Err(); err != nil {
		return h, err
	}
	if err := checkHeader(s, start, &h, all); err != nil {
		return h, err
	}
	if is := h.FileType & FileKind; kind != 0 && is != kind {
		return h, s.FailAt(start+6, model.KindBadHeader, "FileType", "the file's kind does not match its name",
			strings.Join(kind.Words(), ", "), strings.Join(is.Words(), ", "))
	}
	c.Skip("", uint64(h.OffsetToData)-headerSize)
	return h, c.Err()
}

func note(s *wire.Cursor, words []string) {
	if s.Recording() {
		s.Note(strings.Join(words, ", "))
	}
}

// checkHeader checks what a header says (mip.md §2, 9) in the order in which
// one fault makes the next meaningless. size is that of the file.
func checkHeader(s *wire.Cursor, start uint64, h *Header, size uint64) error {
	hex := func(v any) string { return fmt.Sprintf("0x%x", v) }
	t, kind := h.ProfileType, h.FileType&FileKind
	switch {
	case h.Version != version:
		return s.FailAt(start+4, model.KindUnsupportedVersion, "Version",
			"only version 8 can be read: earlier versions have a different header and different records",
			"8", h.Version)
	case h.OffsetToData == oldHeaderSize:
		return s.FailAt(start+28, model.KindUnsupportedVersion, "OffsetToData",
			"the 24-byte header belongs to an early form of version 8, with different records",
			"32", "24")
	case h.OffsetToData < headerSize:
		return s.FailAt(start+28, model.KindBadHeader, "OffsetToData", "the data begin inside the header", "at least 32",
			h.OffsetToData)
	case uint64(h.OffsetToData) > size:
		return s.FailAt(start+28, model.KindTruncated, "OffsetToData", "the data begin past the end of the file",
			fmt.Sprintf("at most %d", size), h.OffsetToData)
	case kind == 0 || kind&(kind-1) != 0 || h.FileType&^(FileKind|FileWidth) != 0:
		return s.FailAt(start+6, model.KindBadHeader, "FileType", "the file type is impossible",
			"one of Raw (1), Ret (2), Map (4) and Profile (8), and a width", hex(h.FileType))
	case h.FileType&FileWidth == FileWidth:
		return s.FailAt(start+6, model.KindBadHeader, "FileType", "the file is both 64-bit and 32-bit", "one width",
			hex(h.FileType))
	case kind == FileRet:
		return s.FailAt(start+6, model.KindUnsupportedFeature, "FileType",
			"these are call-edge samples by return address (.mipret): their layout was never published, and no finished tool "+
				"writes or reads them",
			"", strings.Join(append(h.FileType.Words(), t.Words()...), ", "))
	case t == 0 || t&^profileTypes != 0:
		return s.FailAt(start+8, model.KindBadHeader, "ProfileType", "the profile type is impossible",
			"bits of 0x1f, one at least", hex(t))
	case kind == FileProfile && t == bothEntries:
		return s.FailAt(start+8, model.KindBadHeader, "ProfileType",
			"the profile type is impossible: a function has a coverage byte, or a timestamp with a call count, never both",
			"either function coverage, or timestamps and call counts", hex(t))
	case kind == FileRaw && t.Has(ReturnAddress):
		return s.FailAt(start+8, model.KindUnsupportedFeature, "ProfileType",
			"the run was instrumented for return addresses: what its records then hold was never published",
			"no return addresses", strings.Join(t.Words(), ", "))
	}
	return nil
}
