package mip

import (
	"fmt"
	"path"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// extensions are the names that files of these kinds go by (mip.md §1, 7).
var extensions = map[string]FileType{
	".mip": FileProfile, ".mipmap": FileMap, ".mipraw": FileRaw, ".mipret": FileRet,
}

// KindOfName is the file type that a file's name says; 0 where it says none.
func KindOfName(name string) FileType { return extensions[strings.ToLower(path.Ext(name))] }

// Peek reads the header of a file. name is the file's, by whose ending it has
// to be the kind that it says. What the file is, is also said with an error.
func Peek(name string, data []byte) (*Header, *model.Info, error) {
	h, err := readHeader(wire.New("header", data, 0), KindOfName(name))
	return &h, infoOf(&h, name), err
}

// infoOf is what a header says of a file, or what its name does where the
// header says nothing.
func infoOf(h *Header, name string) *model.Info {
	info := &model.Info{Format: FormatProfile, Families: []model.Family{Family}, Version: uint64(h.Version)}
	kind := h.FileType & FileKind
	if kind == 0 {
		kind = KindOfName(name)
	}
	switch kind {
	case FileMap:
		info.Format = FormatMap
	case FileRaw:
		info.Format = FormatRaw
	}
	switch h.FileType & FileWidth {
	case File64:
		info.PointerSize = 8
	case File32:
		info.PointerSize = 4
	}
	info.Describe = Describe(info, h)
	return info
}

// Describe says what a file or a profile is: "MIP map v8, 64-bit, function
// coverage, block coverage, module 0x1f2e3d4c".
func Describe(info *model.Info, h *Header) string {
	s := map[model.Format]string{FormatProfile: "MIP profile", FormatMap: "MIP map", FormatRaw: "MIP raw"}[info.Format]
	if h.FileType&FileRet != 0 {
		s = "MIP call edge samples"
	}
	s += fmt.Sprintf(" v%d", info.Version)
	if info.PointerSize > 0 {
		s += fmt.Sprintf(", %d-bit", info.PointerSize*8)
	}
	for _, word := range h.ProfileType.Words() {
		s += ", " + strings.ToLower(word)
	}
	return s + fmt.Sprintf(", module 0x%08x", h.ModuleHash)
}

// ProgramKey is equal for the maps and raw files of one program: those that may
// be joined, as far as their headers tell.
func ProgramKey(h *Header) string {
	return fmt.Sprintf("mip %08x %x %x", h.ModuleHash, uint32(h.ProfileType), uint16(h.FileType&FileWidth))
}
