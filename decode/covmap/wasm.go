package covmap

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

const wasmMagic = "\x00asm"

func isWasm(data []byte) bool { return bytes.HasPrefix(data, []byte(wasmMagic)) }

// The sections of WebAssembly that matter, and the names of data segments in its
// "name" section.
const (
	wasmCustom       = 0
	wasmData         = 11
	wasmSegmentNames = 9
)

// wasmModule is a WebAssembly module while it is read.
type wasmModule struct {
	*sections
	segments []piece       // of data
	named    []segmentName // those of them that matter
	linkable bool          // not linked
}

type segmentName struct {
	index uint64
	name  string
}

// wasm finds the sections in WebAssembly: covmap and covfun are custom sections, the
// names a data segment that the "name" section calls so.
func (s source) wasm(allowed *wire.Allowance) (*sections, error) {
	m := &wasmModule{sections: &sections{source: s, pointerSize: 4, architecture: "wasm32"}}
	c := m.cursor("Wasm", piece{s.data, s.base}, allowed)
	c.Skip("magic", 4)
	at := c.Offset()
	if version := c.U32("version"); c.Err() == nil && version != 1 {
		return nil, c.FailAt(at, model.KindUnsupportedVersion, "version", "this is no WebAssembly module of a known version",
			"1", version)
	}
	for c.Remaining() > 0 && c.Err() == nil {
		id := c.U8("section id")
		body := c.Section("Wasm section", c.ULEB("section size"))
		switch {
		case body.Err() != nil:
		case id == wasmData:
			m.readData(body)
		case id == wasmCustom:
			if err := m.readCustom(body); err != nil {
				return nil, err
			}
		}
		if err := body.Err(); err != nil {
			return nil, err
		}
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	for _, n := range m.named {
		switch {
		case n.index >= uint64(len(m.segments)):
		case n.name == elfNames.counters:
			m.hasCounters = true
		default:
			m.sections.names, m.hasNames = m.segments[n.index], len(m.segments[n.index].data) > 0
		}
	}
	if m.linkable && m.hasBlocks && !m.hasNames {
		return nil, s.fault(model.KindNoCoverage, "linking", s.base,
			"relocatable WebAssembly does not name its data: give the linked module")
	}
	return m.sections, nil
}

// readData keeps where the data segments are.
func (m *wasmModule) readData(c *wire.Cursor) {
	for range c.Count("data segments", c.ULEB("data segments"), 2) {
		switch flags := c.ULEB("flags"); flags {
		case 1: // passive: without a place in memory
		case 2:
			c.ULEB("memory")
			fallthrough
		case 0:
			skipExpression(c)
		default:
			c.Fail(model.KindMalformed, "flags", "a data segment is of no known kind", "0, 1 or 2", flags)
		}
		data := c.Bytes("data segment", c.ULEB("size of a data segment"))
		if c.Err() != nil {
			return
		}
		m.segments = append(m.segments, piece{data, c.Offset() - uint64(len(data))})
	}
}

// skipExpression moves past the constant expression of a place in memory.
func skipExpression(c *wire.Cursor) {
	for c.Err() == nil {
		switch op := c.U8("opcode"); op {
		case 0x0b: // end
			return
		case 0x41, 0x42, 0x23: // i32.const, i64.const, global.get
			for c.Err() == nil && c.U8("operand")&0x80 != 0 {
			}
		case 0x6a, 0x6b, 0x6c, 0x7c, 0x7d, 0x7e: // add, sub, mul
		default:
			c.Fail(model.KindMalformed, "opcode", "the place of a data segment is no constant", "", fmt.Sprintf("0x%x", op))
		}
	}
}

// readCustom reads the custom sections that matter.
func (m *wasmModule) readCustom(c *wire.Cursor) error {
	name := string(c.Bytes("name", min(c.ULEB("length of a name"), model.MaxName)))
	at := c.Offset()
	switch name {
	case elfNames.blocks:
		if m.hasBlocks {
			return c.Fail(model.KindMalformed, "name", "there is more than one section __llvm_covmap", "1", "2 or more")
		}
		m.blocks, m.hasBlocks = piece{c.Rest(), at}, true
	case elfNames.records:
		m.records = append(m.records, piece{c.Rest(), at})
	case "linking":
		m.linkable = true
	case "build_id":
		m.buildID = c.Bytes("build id", min(c.ULEB("size of the build id"), maxBuildID))
	case "name":
		for c.Remaining() > 0 && c.Err() == nil {
			id := c.U8("subsection id")
			body := c.Section("names of Wasm", c.ULEB("size of a subsection"))
			if id == wasmSegmentNames {
				m.readSegmentNames(body)
			}
			if err := body.Err(); err != nil {
				return err
			}
		}
	}
	return c.Err()
}

// maxBuildID is longer than linkers make them.
const maxBuildID = 256

// readSegmentNames keeps the names of data segments that matter.
func (m *wasmModule) readSegmentNames(c *wire.Cursor) {
	for range c.Count("names", c.ULEB("names"), 2) {
		index := c.ULEB("index")
		name := string(c.Bytes("name", c.ULEB("length of a name")))
		if name == elfNames.names || name == elfNames.counters {
			m.named = append(m.named, segmentName{index, name})
		}
	}
}
