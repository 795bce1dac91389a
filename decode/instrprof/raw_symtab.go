package instrprof

import (
	"bytes"
	"math"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// symtab finds names by NameRef. Names stand in one text, in the order in
// which they were added, each once; 24 bytes a name beside the text itself.
// The zero value is empty.
type symtab struct {
	text    []byte
	symbols []entry
	slots   []uint32 // open addressing by NameRef: index in symbols plus 1, or 0
}

type entry struct {
	ref      uint64
	at, size uint32 // in text
}

// addSection adds the names of a names section: the size bytes at the cursor.
func (t *symtab) addSection(c *wire.Cursor, size uint64) error {
	return eachNameBlob(c, size, func(blob []byte, offset uint64) error { return t.addBlob(c, blob, offset) })
}

// addBlob adds the names of one blob, which the cursor found at offset.
func (t *symtab) addBlob(c *wire.Cursor, blob []byte, offset uint64) error {
	if uint64(len(t.text))+uint64(len(blob)) > math.MaxUint32 {
		return c.FailAt(offset, model.KindTooLarge, "names", "the names pass 4 GiB", "", len(blob))
	}
	at := len(t.text)
	if at == 0 {
		t.text = blob[:len(blob):len(blob)] // often the only one
		t.room(min(bytes.Count(blob, []byte{nameSeparator})+1, len(blob)/plausibleName))
	} else {
		t.text = append(t.text, blob...)
	}
	for {
		size := bytes.IndexByte(t.text[at:], nameSeparator)
		last := size < 0
		if last {
			size = len(t.text) - at
		}
		if err := checkName(c, offset, size); err != nil {
			return err
		}
		t.insert(NameRef(t.text[at:at+size]), at, size)
		if last {
			return nil
		}
		at += size + 1
	}
}

// add adds one name. The text must stay below 4 GiB.
func (t *symtab) add(name []byte) {
	at := len(t.text)
	t.text = append(t.text, name...)
	t.insert(NameRef(name), at, len(name))
}

// clone is a copy that can be added to.
func (t *symtab) clone() symtab {
	return symtab{slices.Clip(t.text), slices.Clip(t.symbols), slices.Clone(t.slots)}
}

// insert adds the name at that place of the text, unless it is there already.
func (t *symtab) insert(ref uint64, at, size int) {
	if 2*len(t.symbols) >= len(t.slots) {
		t.grow()
	}
	slot := t.slot(ref)
	if *slot != 0 {
		return
	}
	t.symbols = append(t.symbols, entry{ref, uint32(at), uint32(size)})
	*slot = uint32(len(t.symbols))
}

// slot is where ref is, or would go; nil in an empty table.
func (t *symtab) slot(ref uint64) *uint32 {
	if len(t.slots) == 0 {
		return nil
	}
	mask := uint64(len(t.slots) - 1)
	for i := ref & mask; ; i = (i + 1) & mask {
		s := &t.slots[i]
		if *s == 0 || t.symbols[*s-1].ref == ref {
			return s
		}
	}
}

// plausibleName is about how long names are at least, on average: for more of them than such a
// text can have no room is made before they are seen, since they may all be one name.
const plausibleName = 16

// room makes room for so many names in an empty table.
func (t *symtab) room(names int) {
	t.symbols = make([]entry, 0, names)
	size := 64
	for size <= 2*names {
		size *= 2
	}
	t.slots = make([]uint32, size)
}

func (t *symtab) grow() {
	t.slots = make([]uint32, max(64, 2*len(t.slots)))
	for i := range t.symbols {
		*t.slot(t.symbols[i].ref) = uint32(i + 1)
	}
}

// name is the name of ref, empty when there is none.
func (t *symtab) name(ref uint64) []byte {
	return t.nameBehind(ref, new(int))
}

// nameBehind is name. Records mostly have the order of names: so it looks first at the place
// behind the name that was asked for last, which next is.
func (t *symtab) nameBehind(ref uint64, next *int) []byte {
	at := *next
	if at >= len(t.symbols) || t.symbols[at].ref != ref {
		s := t.slot(ref)
		if s == nil || *s == 0 {
			return nil
		}
		at = int(*s) - 1
	}
	*next = at + 1
	return t.bytes(t.symbols[at])
}

func (t *symtab) bytes(e entry) []byte {
	return t.text[e.at : e.at+e.size : e.at+e.size]
}

// each yields the names until yield returns false, and reports whether it did not.
func (t *symtab) each(yield func(ref uint64, name []byte) bool) bool {
	for _, e := range t.symbols {
		if !yield(e.ref, t.bytes(e)) {
			return false
		}
	}
	return true
}
