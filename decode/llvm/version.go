package llvm

import (
	"encoding/binary"
	"fmt"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// versionEnd is where the version ends in the headers of LLVM's binary profiles:
// it is their second word.
const versionEnd = 16

// describe says what a binary profile is: what was read of its header or, where err
// says that its version is not known, or the file ends before it, no more than that.
func describe(said, kind string, version uint64, data []byte, err error) string {
	if len(data) < versionEnd {
		return kind
	}
	switch model.KindOf(err) {
	case model.KindRawVersionMismatch, model.KindUnsupportedVersion:
		return fmt.Sprintf("%s v%d, an unknown version", kind, version)
	}
	return said
}

// versionWord is the version of a little-endian file with all its flags; 0 of one
// that ends before it.
func versionWord(data []byte) uint64 {
	if len(data) < versionEnd {
		return 0
	}
	return binary.LittleEndian.Uint64(data[versionEnd-8:])
}

// describeIndexed is describe for an indexed profile, whose reader forgets the
// version of a header that it cannot read to its end.
func describeIndexed(info *instrprof.Info, data []byte, err error) string {
	version, variant := instrprof.SplitVersion(versionWord(data))
	said := info.Describe
	if info.Version != version && model.KindOf(err) == model.KindBadHeader {
		cut := *info
		cut.Version, cut.Variant = version, variant
		if version >= 8 && variant.Has(instrprof.MemProf) {
			cut.Families = nil // whether it has counters stands at its end
		}
		cut.Name()
		said = cut.Describe
	}
	return describe(said, "LLVM indexed", version, data, err)
}
