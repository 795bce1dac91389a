package wire

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"proflens/decode/model"
)

// MaxFields bounds what a recorder keeps of one section, so that the anatomy
// of a large file stays small: others are read again when someone looks.
const MaxFields = 256

// What a recorder keeps of a file. Profiles may be written one behind another, each
// with sections of its own.
const (
	maxSections  = 1 << 14
	maxAllFields = 1 << 16
	// maxAround is how many sections are looked at for the one that a field is in; it
	// is mostly the last.
	maxAround = 1 << 10
)

// maxHex is how many bytes of an identifier a recorder shows.
const maxHex = 64

// Recorder keeps what cursors read: the sections of a file and their fields.
// A nil Recorder ignores everything.
type Recorder struct {
	// Allowance is what the files that it hears of may be made to; nil lets every
	// cursor have its own.
	Allowance *Allowance

	quiet    bool
	fields   int // kept
	left     int // sections that are not kept
	sections []*recorded
	last     *model.Field // the field just read, if it is kept
	window   string       // the section of which other fields are wanted than the first
	from     uint64       // the number of the first of these
	words    []string     // that these must have, lower-case
}

// recorded is a section, and how many of its fields have gone by.
type recorded struct {
	model.Section
	next uint64
}

// NewWindow is a recorder that keeps, of every section of that name, the fields
// from number from on, of those that have all of words in their name or value.
// Sections whose elements are all alike list their fields for it alone.
func NewWindow(section string, from uint64, words string) *Recorder {
	return &Recorder{window: section, from: from, words: strings.Fields(strings.ToLower(words))}
}

// wants reports whether a field has the words that are sought. Numbers have both
// their decimal and their hexadecimal digits.
func (r *Recorder) wants(name, value string) bool {
	text := name + " " + value
	if n, err := strconv.ParseUint(value, 10, 64); err == nil {
		text += " 0x" + strconv.FormatUint(n, 16)
	}
	text = strings.ToLower(text)
	return !slices.ContainsFunc(r.words, func(word string) bool { return !strings.Contains(text, word) })
}

// first is the number of the first field of a section that is kept.
func (r *Recorder) first(section string) uint64 {
	if r.window == section {
		return r.from
	}
	return 0
}

// Sections returns what was recorded, by offset; of two at one offset the one
// recorded first comes first.
func (r *Recorder) Sections() []model.Section {
	out := make([]model.Section, len(r.sections))
	for i, s := range r.sections {
		out[i] = s.Section
		if s.next > uint64(len(s.Fields)) {
			out[i].FieldCount, out[i].From = s.next, r.first(s.Name)
		}
	}
	if r.left > 0 {
		last := &out[len(out)-1]
		last.Note = strings.TrimPrefix(last.Note+fmt.Sprintf("; %s after this one are not listed",
			Plural(r.left, "section")), "; ")
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
	r.last = nil
	if len(r.sections) >= maxSections && (name != r.window || len(r.sections) >= 2*maxSections) {
		r.left++
		return
	}
	r.sections = append(r.sections, &recorded{Section: model.Section{Name: name, Offset: offset, Size: size}})
}

// number records a number, field any value. A field belongs to the innermost recorded section around
// its offset: sections split off later come first.
func (r *Recorder) number(name string, offset, size, value uint64) {
	if r != nil {
		r.field(name, offset, size, fmt.Sprint(value))
	}
}

func (r *Recorder) field(name string, offset, size uint64, value string) {
	if r.left > 0 && r.window == "" {
		r.last = nil
		return // it is in one that is not kept
	}
	for i := len(r.sections) - 1; i >= max(0, len(r.sections)-maxAround); i-- {
		s := r.sections[i]
		if offset < s.Offset || offset+size > s.Offset+s.Size {
			continue
		}
		r.last = nil
		if len(r.words) > 0 && s.Name == r.window && !r.wants(name, value) {
			return
		}
		if s.next++; s.next > r.first(s.Name) && len(s.Fields) < MaxFields && r.fields < maxAllFields {
			r.fields++
			s.Fields = append(s.Fields, model.Field{Name: name, Offset: offset, Size: size, Value: value})
			r.last = &s.Fields[len(s.Fields)-1]
		}
		return
	}
}

func (r *Recorder) note(meaning string) {
	if r != nil && r.last != nil {
		r.last.Meaning = meaning
	}
}

// describe notes something on the section recorded last under that name.
func (r *Recorder) describe(name string, offset uint64, note string) {
	if r == nil {
		return
	}
	if s := r.find(name, offset); s != nil {
		s.Note = note
	}
}

// find is the section recorded last under that name at that place.
func (r *Recorder) find(name string, offset uint64) *recorded {
	for _, s := range slices.Backward(r.sections) {
		if s.Name == name && s.Offset == offset {
			return s
		}
	}
	return nil
}
