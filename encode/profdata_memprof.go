package encode

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"proflens/decode/instrprof"
)

// memProf is a way to write the heap profile of an indexed file.
type memProf struct {
	section     memProfSection // nil when there is none
	base        uint64         // an offset that it could stand at, as far as alignment goes
	version     uint64
	first, last int  // indexed versions whose readers read it
	carried     bool // as it stood in the file, not written anew
}

func (m memProf) fits(version int) bool {
	return m.section != nil && version >= m.first && version <= m.last
}

// memProfSection is a section whose offsets are absolute in the file.
type memProfSection interface {
	length() uint64 // in bytes
	// writeTo writes it as it is right at an offset of the file. The error is out's, or
	// says that the section cannot be moved.
	writeTo(out *bufio.Writer, at uint64) error
}

// carriedMemProf is a section of another file, which is moved.
type carriedMemProf struct {
	data []byte
	base uint64 // where it stood
}

func (c carriedMemProf) length() uint64 { return uint64(len(c.data)) }

func (c carriedMemProf) writeTo(out *bufio.Writer, at uint64) error {
	data, err := relocated(c.data, c.base, at)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	return err
}

// openMemProf finds a profile's heap profile and tries whether it can be moved.
// The error says why it cannot be carried over.
func openMemProf(info *instrprof.Info) (memProf, error) {
	if !info.Variant.Has(instrprof.MemProf) {
		return memProf{}, nil
	}
	c := carriedMemProf{info.MemProf, info.MemProfSection.Offset}
	if len(c.data) == 0 {
		return memProf{}, errors.New("it is damaged, or not where the header says")
	}
	words, err := memProfWords(c.data)
	if err == nil {
		_, err = relocated(c.data, c.base, c.base+8)
	}
	if err != nil {
		return memProf{}, err
	}
	// LLVM 15 to 18 write version 0 and read nothing else; 19, with indexed
	// version 12, reads 0 to 3, and later releases only from 2 on.
	m := memProf{section: c, base: c.base, version: words.version, first: sinceVTables, last: MaxVersion, carried: true}
	switch m.version {
	case 0:
		m.first, m.last = sinceMemProf, 12
	case 1:
		m.last = 12
	}
	return m, nil
}

// memProfHeader is where the words with offsets stand in a section, and which
// of them are of hash tables.
type memProfHeader struct {
	version       uint64
	first, offset int // of the section's words: the first offset, and how many
	tables        []int
}

// memProfWords is the header of a section by its version.
func memProfWords(section []byte) (memProfHeader, error) {
	if len(section) < 8 {
		return memProfHeader{}, errors.New("it ends inside its header")
	}
	var h memProfHeader
	switch v := binary.LittleEndian.Uint64(section); {
	case v >= 24: // the first word is an offset already
		h = memProfHeader{0, 0, 3, []int{0, 2}}
	case v == 1:
		h = memProfHeader{1, 1, 3, []int{1, 3}}
	case v == 2:
		h = memProfHeader{2, 1, 5, []int{1, 3, 5}}
	case v == 3:
		h = memProfHeader{3, 1, 3, []int{3}}
	case v == 4:
		h = memProfHeader{4, 1, 4, []int{3}}
	default:
		return h, fmt.Errorf("its MemProf version %d is not known", v)
	}
	if len(section) < 8*(h.first+h.offset) {
		return h, errors.New("it ends inside its header")
	}
	return h, nil
}

// relocated is a copy of a section that stood at offset from of a file, with
// all its offsets as they are right at offset to. It returns the section itself
// when that is where it stood.
func relocated(section []byte, from, to uint64) ([]byte, error) {
	if from == to {
		return section, nil
	}
	h, err := memProfWords(section)
	if err != nil {
		return nil, err
	}
	m := mover{section: bytes.Clone(section), from: from, to: to}
	for _, word := range h.tables {
		m.table(8 * uint64(word))
	}
	for i := range h.offset {
		m.move(8 * uint64(h.first+i))
	}
	return m.section, m.err
}

// mover changes offsets. It keeps the first fault.
type mover struct {
	section  []byte
	from, to uint64
	err      error
}

// move changes the offset that stands at a place of the section; 0 is none.
func (m *mover) move(at uint64) {
	if v := binary.LittleEndian.Uint64(m.section[at:]); v != 0 {
		if v < m.from || v-m.from > uint64(len(m.section)) {
			m.fail("an offset of it leads outside")
			return
		}
		binary.LittleEndian.PutUint64(m.section[at:], v-m.from+m.to)
	}
}

// table moves the buckets of the hash table whose offset stands at a place.
func (m *mover) table(at uint64) {
	n := uint64(len(m.section))
	start := binary.LittleEndian.Uint64(m.section[at:]) - m.from
	if start > n || n-start < 16 {
		m.fail("a hash table of it lies outside")
		return
	}
	buckets := binary.LittleEndian.Uint64(m.section[start:])
	if buckets > (n-start-16)/8 {
		m.fail("a hash table of it has more buckets than there is room for")
		return
	}
	for b := range buckets {
		m.move(start + 16 + 8*b)
	}
}

func (m *mover) fail(what string) {
	if m.err == nil {
		m.err = errors.New(what)
	}
}
