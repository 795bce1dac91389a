package wire

import (
	"fmt"
	"slices"

	"proflens/decode/model"
)

// maxFields bounds what a recorder keeps of one section, so that the anatomy
// of a large file stays small: single records are read again when someone looks.
const maxFields = 256

// maxHex is how many bytes of an identifier a recorder shows.
const maxHex = 64

// Recorder keeps what cursors read: the sections of a file and their fields.
// A nil Recorder ignores everything.
type Recorder struct {
	sections []*model.Section
	last     *model.Section
}

// Sections returns what was recorded, by offset; of two at one offset the one
// recorded first comes first.
func (r *Recorder) Sections() []model.Section {
	out := make([]model.Section, len(r.sections))
	for i, s := range r.sections {
		out[i] = *s
	}
	slices.SortStableFunc(out, func(a, b model.Section) int {
		switch {
		case a.Offset < b.Offset:
			return -1
		case a.Offset > b.Offset:
			return 1
		}
		return 0
	})
	return out
}

func (r *Recorder) section(name string, offset, size uint64) {
	if r == nil {
		return
	}
	r.last = &model.Section{Name: name, Offset: offset, Size: size}
	r.sections = append(r.sections, r.last)
}

// number records a number, field any value. A field belongs to the innermost recorded section around
// its offset: sections split off later come first.
func (r *Recorder) number(name string, offset, size, value uint64) {
	if r != nil {
		r.field(name, offset, size, fmt.Sprint(value))
	}
}

func (r *Recorder) field(name string, offset, size uint64, value string) {
	for i := len(r.sections) - 1; i >= 0; i-- {
		s := r.sections[i]
		if offset < s.Offset || offset+size > s.Offset+s.Size {
			continue
		}
		r.last = s
		if len(s.Fields) < maxFields {
			s.Fields = append(s.Fields, model.Field{Name: name, Offset: offset, Size: size, Value: value})
		}
		return
	}
}

func (r *Recorder) note(meaning string) {
	if r == nil || r.last == nil || len(r.last.Fields) == 0 {
		return
	}
	r.last.Fields[len(r.last.Fields)-1].Meaning = meaning
}

// describe notes something on the section recorded last under that name.
func (r *Recorder) describe(name string, offset uint64, note string) {
	if r == nil {
		return
	}
	for _, s := range slices.Backward(r.sections) {
		if s.Name == name && s.Offset == offset {
			s.Note = note
			return
		}
	}
}
