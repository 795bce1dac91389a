package symbol

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// DebugLink is the name of the file that has the debug info of a stripped
// program, and the CRC-32 of all its bytes, from .gnu_debuglink; false without.
func (i *Image) DebugLink() (name string, crc uint32, ok bool) {
	s, ok := i.Section(".gnu_debuglink")
	if !ok {
		return "", 0, false
	}
	data, _, err := i.Contents(".gnu_debuglink", s)
	if err != nil {
		return "", 0, false
	}
	text, ok := cString(data)
	if !ok || len(text) == 0 {
		return "", 0, false
	}
	c := wire.New(".gnu_debuglink", data, s.Offset)
	c.SetOrder(i.BigEndian)
	c.Skip("name", uint64(len(text)+4)&^3)
	crc = c.U32("crc")
	return string(text), crc, c.Err() == nil
}

// IsDebugFileOf reports whether the image is the debug info of a program: by
// their build IDs, or else by the program's debug link.
func (i *Image) IsDebugFileOf(program *Image) bool {
	if !i.HasDebugInfo() {
		return false
	}
	if i.buildID != nil && program.buildID != nil {
		return bytes.Equal(i.buildID, program.buildID)
	}
	_, crc, ok := program.DebugLink()
	return ok && crc == crc32.ChecksumIEEE(i.data)
}

// CheckBuildID is an error of kind incompatible, unless the image has one of
// the build IDs that a profile wants.
func (i *Image) CheckBuildID(want ...[]byte) error {
	if slices.ContainsFunc(want, func(id []byte) bool { return len(id) > 0 && bytes.Equal(id, i.buildID) }) {
		return nil
	}
	ids := make([]string, len(want))
	for n, id := range want {
		ids[n] = hex.EncodeToString(id)
	}
	fault := i.Fault(model.KindIncompatible, "build id", 0, "this is not the profiled program, or it was rebuilt since")
	fault.Expected, fault.Found = strings.Join(ids, " or "), hex.EncodeToString(i.buildID)
	if i.buildID == nil {
		fault.Msg, fault.Found = "the program has no build ID to know it by", "none"
	}
	return fault
}

// NeedsDebugInfo is an error of kind unable_to_symbolize when an image has no
// debug info; it says which file may have it. It is nil for other images.
func (i *Image) NeedsDebugInfo() error {
	if i.HasDebugInfo() {
		return nil
	}
	fault := i.Fault(model.KindUnableToSymbolize, ".debug_info", 0,
		"the program has no debug info, so functions and lines are unknown")
	fault.Expected = "a program linked with -g and not stripped, or its debug file"
	if name, _, ok := i.DebugLink(); ok {
		fault.Expected += fmt.Sprintf(", %q", name)
	}
	if i.buildID != nil {
		fault.Expected += ", with the build ID " + hex.EncodeToString(i.buildID)
	}
	return fault
}
