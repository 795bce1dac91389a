package covmap

import (
	"bytes"
	"encoding/binary"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// testingMagic begins a file of llvm-cov convert-for-testing (formats/covmap.md,
// section 18), and testingOld the first version of it.
const (
	testingMagic = "llvmcovm"
	testingOld   = "testdata"
)

// testing reads the sections of a file in the testing format.
func (s source) testing() (*sections, error) {
	found := &sections{source: s, hasNames: true, hasBlocks: true, pointerSize: 8}
	c := found.cursor("testing format", piece{s.data, s.base}, nil)
	c.Skip("magic", 8)
	at := c.Offset()
	version := c.Bytes("version", 8)
	old := string(version) == testingOld
	if c.Err() == nil && !old && binary.LittleEndian.Uint64(version) != 1 {
		return nil, c.FailAt(at, model.KindUnsupportedVersion, "version",
			"the testing format is of a newer version than is known", `"testdata" or 1`, "")
	}
	size := c.ULEB("size of names")
	found.namesAddr = c.ULEB("address of names")
	names := c.Bytes("names", size)
	found.names = piece{names, c.Offset() - uint64(len(names))}
	blocks := uint64(0)
	if !old {
		blocks = c.ULEB("size of covmap")
	}
	pad := func() { c.Skip("padding", min(-(c.Offset()-s.base)%8, c.Remaining())) }
	pad()
	if old && c.Err() == nil {
		// One block, of which the header says how long it is.
		blocks = c.Remaining()
		h := *c
		h.Skip("NRecords", 4)
		size := uint64(h.U32("FilenamesSize"))
		h.Skip("CoverageSize", 4)
		if version := h.U32("Version"); h.Err() == nil && version >= 3 {
			blocks = headerSize + size
		}
	}
	data := c.Bytes("covmap", blocks)
	found.blocks = piece{data, c.Offset() - uint64(len(data))}
	pad()
	if at := c.Offset(); c.Remaining() > 0 {
		if len(data) >= headerSize && data[headerSize-4] < 3 {
			return nil, model.InLLVM(c.Fail(model.KindMalformed, "", "records follow a mapping that has its own", "the end",
				wire.Plural(c.Remaining(), "byte")), ": data is not empty")
		}
		found.records = []piece{{c.Rest(), at}}
	}
	return found, c.Err()
}

func isTesting(data []byte) bool { return bytes.HasPrefix(data, []byte(testingMagic)) }
