package symbol

import (
	"bytes"
	"context"
	"debug/dwarf"
	"errors"
	"fmt"
	"iter"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// ErrNoDebugInfo says that an image has no section .debug_info.
var ErrNoDebugInfo = errors.New("the file has no debug info")

// DWARF is the debug info of an image, versions 2 to 5. It is read entry by
// entry, in the order of the file; nothing but abbreviations is kept.
type DWARF struct {
	image *Image

	info, abbrev, str, lineStr, strOffsets, addr debugSection
	line, ranges, rnglists                       debugSection // for a Symbolizer alone
}

// debugSection is one section of debug info, or an empty one.
type debugSection struct {
	name   string
	data   []byte
	at     uint64 // offset in the file
	packed bool   // data were inflated: an offset in them is none in the file
}

// base is the offset that a cursor over the section begins at: that in the
// file, unless the section was inflated.
func (s *debugSection) base() uint64 {
	if s.packed {
		return 0
	}
	return s.at
}

// DWARF reads the sections of debug info, inflated where they are compressed.
// It returns [ErrNoDebugInfo] or a [*model.FormatError] as [Image.Contents] does.
func (i *Image) DWARF() (*DWARF, error) {
	d := &DWARF{image: i}
	err := d.load("", []wantedSection{
		{"info", &d.info}, {"abbrev", &d.abbrev}, {"str", &d.str},
		{"line_str", &d.lineStr}, {"str_offsets", &d.strOffsets}, {"addr", &d.addr},
	})
	if err != nil {
		return nil, err
	}
	if len(d.info.data) == 0 {
		return nil, ErrNoDebugInfo
	}
	return d, nil
}

// wantedSection is a section of debug info, without ".debug_", and its place.
type wantedSection struct {
	name string
	into *debugSection
}

// load reads sections whose names end in suffix. One that is not there is empty.
func (d *DWARF) load(suffix string, list []wantedSection) error {
	for _, want := range list {
		want.into.name = ".debug_" + want.name + suffix
		s, ok := d.image.debugSection(want.name + suffix)
		if !ok {
			continue
		}
		data, packed, err := d.image.Contents(want.into.name, s)
		if err != nil {
			return err
		}
		*want.into = debugSection{want.into.name, data, s.Offset, packed}
	}
	return nil
}

// debugSection finds a section of debug info, under either of its names.
func (i *Image) debugSection(name string) (Section, bool) {
	if s, ok := i.Section(".debug_" + name); ok {
		return s, true
	}
	return i.Section(".zdebug_" + name)
}

// HasDebugInfo reports whether there is a section for [Image.DWARF] to read.
func (i *Image) HasDebugInfo() bool {
	_, ok := i.debugSection("info")
	return ok
}

// Size is the bytes of the entries and of their strings.
func (d *DWARF) Size() int { return len(d.info.data) + len(d.str.data) + len(d.lineStr.data) }

// cursor reads a section from its beginning.
func (d *DWARF) cursor(s *debugSection) *wire.Cursor {
	c := wire.New(s.name, s.data, s.base())
	c.SetOrder(d.image.BigEndian)
	return c
}

// fault names the file of an error about a section, and gives it an offset in
// the file: that of the section when it was inflated.
func (d *DWARF) fault(s *debugSection, err error) error {
	fault, ok := err.(*model.FormatError)
	if !ok {
		return err
	}
	copied := *fault
	copied.File = d.image.Name
	if s.packed {
		copied.Msg += fmt.Sprintf(" (at 0x%x of the inflated section)", copied.Offset)
		copied.Offset = s.at
	}
	return &copied
}

// maxDepth is deeper than entries of any program nest.
const maxDepth = 1 << 12

// Entries yields the debugging information entries whose tag is wanted, in the
// order of the file, and steps over the others. The entry is reused. An error
// ends the iteration; it is a [*model.FormatError] that names the file, or the
// context's.
func (d *DWARF) Entries(ctx context.Context, wanted func(dwarf.Tag) bool) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		w := walk{ctx: ctx, d: d, wanted: wanted, c: d.cursor(&d.info)}
		for w.c.Remaining() > 0 {
			u, err := w.nextUnit()
			if err != nil {
				yield(nil, d.fault(w.faulty, err))
				return
			}
			if u == nil {
				continue
			}
			for {
				more, err := w.next(u)
				if err != nil {
					yield(nil, d.fault(w.faulty, err))
					return
				}
				if !more {
					break
				}
				if w.entry.wanted && !yield(&w.entry, nil) {
					return
				}
			}
		}
	}
}

// walk is the state of one iteration over the entries.
type walk struct {
	ctx     context.Context
	d       *DWARF
	wanted  func(dwarf.Tag) bool
	c       *wire.Cursor  // over .debug_info
	faulty  *debugSection // that an error is about
	entry   Entry
	parents []Parent // the entries around the next one
	table   abbrevTable
	parsed  uint64 // bytes of abbreviations read so far
	steps   uint64 // entries so far
}

// stepsPerLook is how many entries pass between two looks at the context.
const stepsPerLook = 1 << 12

// step counts an entry, and returns the context's error once it has ended.
func (w *walk) step() error {
	if w.steps++; w.steps%stepsPerLook == 0 {
		return w.ctx.Err()
	}
	return nil
}

// next reads the next entry of the unit; there is none at the end of the unit.
// Null entries are taken in stride.
func (w *walk) next(u *unit) (bool, error) {
	w.faulty = &w.d.info
	for u.c.Remaining() > 0 {
		if err := w.step(); err != nil {
			return false, err
		}
		at := u.c.Offset()
		code := u.c.ULEB("abbreviation code")
		if code == 0 {
			if u.c.Err() != nil {
				return false, u.c.Err()
			}
			if len(w.parents) > 0 {
				w.parents = w.parents[:len(w.parents)-1]
			}
			continue
		}
		a, ok := w.table.find(code)
		if !ok {
			return false, u.c.FailAt(at, model.KindMalformed, "abbreviation code", "the unit has no such abbreviation", "",
				code)
		}
		w.entry.begin(u, a, at, w.parents)
		w.entry.wanted = a.wanted && w.wanted(a.tag)
		if err := w.entry.read(a); err != nil {
			return false, err
		}
		if !u.begun {
			u.begun = true
			u.setBases(&w.entry)
		}
		if a.children {
			if len(w.parents) >= maxDepth {
				return false, u.c.FailAt(at, model.KindTooLarge, "", "entries nest deeper than in any program",
					fmt.Sprintf("at most %d", maxDepth), "")
			}
			w.parents = append(w.parents, Parent{a.tag, w.entry.ID})
		}
		return true, nil
	}
	return false, nil
}

// maxString is how long a name in debug info may be.
const maxString = model.MaxName + 1

// cString is the bytes up to the first zero, false when there is none.
func cString(data []byte) ([]byte, bool) {
	n := bytes.IndexByte(data[:min(len(data), maxString)], 0)
	if n < 0 {
		return nil, false
	}
	return data[:n:n], true
}
