package mip

import (
	"fmt"
	"path"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// extensions are the names that files of these kinds go by (mip.md §1, 7).
var extensions = map[string]model.MIPFileType{
	".mip": model.MIPFileProfile, ".mipmap": model.MIPFileMap, ".mipraw": model.MIPFileRaw, ".mipret": model.MIPFileRet,
}

// KindOfName is the file type that a file's name says; 0 where it says none.
func KindOfName(name string) model.MIPFileType { return extensions[strings.ToLower(path.Ext(name))] }

// Peek reads the header of a file. name is the file's, by whose ending it has
// to be the kind that it says.
func Peek(name string, data []byte) (*model.Info, error) {
	h, err := readHeader(wire.New("header", data, 0), KindOfName(name))
	return infoOf(&h, name), err
}

// infoOf is what a header says of a file, or what its name does where the
// header says nothing.
func infoOf(h *model.MIPHeader, name string) *model.Info {
	info := &model.Info{Format: model.MIPProfile, Families: []model.Family{model.MIPFam}, Version: uint64(h.Version), MIP: h}
	kind := h.FileType & model.MIPFileKind
	if kind == 0 {
		kind = KindOfName(name)
	}
	switch kind {
	case model.MIPFileMap:
		info.Format = model.MIPMap
	case model.MIPFileRaw:
		info.Format = model.MIPRaw
	}
	switch h.FileType & model.MIPFileWidth {
	case model.MIPFile64:
		info.PointerSize = 8
	case model.MIPFile32:
		info.PointerSize = 4
	}
	return info
}

// ProgramKey is equal for the maps and raw files of one program: those that may
// be joined, as far as their headers tell.
func ProgramKey(h *model.MIPHeader) string {
	return fmt.Sprintf("mip %08x %x %x", h.ModuleHash, uint32(h.ProfileType), uint16(h.FileType&model.MIPFileWidth))
}
