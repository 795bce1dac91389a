package symbol

import "encoding/binary"

// What linkers write as the address of a sequence that they removed.
const (
	removedAddress   = ^uint64(0)
	removedAddress32 = 0xffffffff
)

// maxOperands is more than any opcode to come will have.
const maxOperands = 8

// lineMachine runs a line number program (DWARF 5 §6.2). It reads the program
// itself and not through a cursor: it is where most of the time goes.
type lineMachine struct {
	row
	t      *lineTable
	made   bool // the last step made a row
	failed bool // the program ended inside an operation
	gone   bool // the sequence is of code that the linker removed
}

// start is a machine at the beginning of the program.
func (t *lineTable) start() lineMachine {
	m := lineMachine{t: t}
	m.reset()
	return m
}

// resume is a machine that has just made the row r.
func (t *lineTable) resume(r row) lineMachine {
	return lineMachine{t: t, row: r, made: true}
}

// reset is the state at the beginning of a sequence.
func (m *lineMachine) reset() {
	m.row = row{pos: m.pos, file: 1, line: 1}
	m.gone = false
}

// step runs one operation. It is false at the end of the program.
func (m *lineMachine) step() bool {
	if m.made {
		m.made, m.discriminator = false, 0
		if m.end {
			m.reset()
		}
	}
	if m.pos >= len(m.t.program) || m.failed {
		return false
	}
	op := m.t.program[m.pos]
	m.pos++
	if op >= m.t.opcodeBase {
		m.special(op)
		return true
	}
	switch op {
	case lnsExtended:
		m.extended()
	case lnsCopy:
		m.made = !m.gone
	case lnsAdvancePC:
		m.advance(m.uleb())
	case lnsAdvanceLine:
		m.line += uint32(m.sleb())
	case lnsSetFile:
		m.file = m.uleb()
	case lnsSetColumn:
		m.column = uint32(m.uleb())
	case lnsNegateStmt, lnsSetBasicBlock, lnsPrologueEnd, lnsEpilogueBegin:
	case lnsConstAddPC:
		if m.t.lineRange != 0 {
			m.advance(uint64((255 - m.t.opcodeBase) / m.t.lineRange))
		}
	case lnsFixedAdvancePC:
		m.address += m.number(2)
		m.opIndex = 0
	case lnsSetISA:
		m.uleb()
	default:
		n := m.t.lengths[op-1]
		m.failed = m.failed || n > maxOperands
		for range min(n, maxOperands) {
			m.uleb()
		}
	}
	return !m.failed
}

// special moves address and line at once and makes a row.
func (m *lineMachine) special(op uint8) {
	if m.t.lineRange != 0 {
		op -= m.t.opcodeBase
		m.advance(uint64(op / m.t.lineRange))
		m.line += uint32(int32(m.t.lineBase) + int32(op%m.t.lineRange))
	}
	m.made = !m.gone
}

// advance moves the address by operations, of which a machine word may have
// several.
func (m *lineMachine) advance(ops uint64) {
	if m.t.maxOps > 1 {
		ops += uint64(m.opIndex)
		m.opIndex = uint8(ops % uint64(m.t.maxOps))
		ops /= uint64(m.t.maxOps)
	}
	m.address += ops * uint64(m.t.minInst)
}

// extended runs an operation that has its length before it.
func (m *lineMachine) extended() {
	size := m.uleb()
	if m.failed || size > uint64(len(m.t.program)-m.pos) {
		m.failed = true
		return
	}
	end := m.pos + int(size)
	if size == 0 {
		return
	}
	op := m.t.program[m.pos]
	m.pos++
	switch op {
	case lneEndSequence:
		m.end, m.made = true, !m.gone
		if m.gone {
			m.reset()
		}
	case lneSetAddress:
		switch size - 1 {
		case 4, 8:
			m.address = m.number(int(size - 1))
			m.gone = size == 9 && m.address == removedAddress || size == 5 && m.address == removedAddress32
		}
		m.opIndex = 0
	case lneSetDiscriminator:
		m.discriminator = uint32(m.uleb())
	}
	m.pos = end
}

// number reads an integer of 2, 4 or 8 bytes.
func (m *lineMachine) number(size int) uint64 {
	if size > len(m.t.program)-m.pos {
		m.failed = true
		return 0
	}
	b := m.t.program[m.pos : m.pos+size]
	m.pos += size
	var order binary.ByteOrder = binary.LittleEndian
	if m.t.bigEndian {
		order = binary.BigEndian
	}
	switch size {
	case 2:
		return uint64(order.Uint16(b))
	case 4:
		return uint64(order.Uint32(b))
	}
	return order.Uint64(b)
}

// uleb reads an unsigned LEB128. Bits past the 64th are lost.
func (m *lineMachine) uleb() (v uint64) {
	for shift := uint(0); m.pos < len(m.t.program); shift += 7 {
		b := m.t.program[m.pos]
		m.pos++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	m.failed = true
	return 0
}

// sleb reads a signed LEB128.
func (m *lineMachine) sleb() (v int64) {
	for shift := uint(0); m.pos < len(m.t.program); {
		b := m.t.program[m.pos]
		m.pos++
		v |= int64(b&0x7f) << shift
		shift += 7
		if b < 0x80 {
			if b&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			return v
		}
	}
	m.failed = true
	return 0
}
