package covmap

import (
	"strconv"

	"proflens/decode/model"
)

// Kind is what a region is (formats/covmap.md, section 4). Its values are those
// of llvm-cov's JSON.
type Kind uint8

// The kinds of regions.
const (
	Code       Kind = 0
	Expansion  Kind = 1 // of a macro or an include: Expanded is the file id of what it became
	Skipped    Kind = 2 // by the preprocessor; no counter
	Gap        Kind = 3 // between code: counts only for the lines after the one it begins on
	Branch     Kind = 4 // a condition: Counter is its true side, False its false side
	Decision   Kind = 5 // of MC/DC: several conditions
	MCDCBranch Kind = 6 // a condition of a decision
)

// Counter is how often a region ran: the low two bits are a Tag, the rest is the
// id of a profile's counter or of an expression.
type Counter uint32

// Tag says what the id of a Counter numbers.
type Tag uint8

// The tags of counters.
const (
	Zero       Tag = 0
	Profiled   Tag = 1 // id is the index of a counter of the profile's record
	Difference Tag = 2 // id is an Expression: Left - Right
	Sum        Tag = 3 // id is an Expression: Left + Right
)

// Tag is the counter's tag.
func (c Counter) Tag() Tag { return Tag(c & 3) }

// ID is the index of a profile's counter, or of an expression.
func (c Counter) ID() int { return int(c >> 2) }

// Expression is two counters that are added or subtracted: which of the two, the
// tag of the counter says that refers to it.
type Expression struct{ Left, Right Counter }

// Position is a line and a column, both from 1; columns count bytes.
type Position struct{ Line, Column uint32 }

// String is both with a colon between: "126:9".
func (p Position) String() string {
	return strconv.Itoa(int(p.Line)) + ":" + strconv.Itoa(int(p.Column))
}

// Region is a piece of source, from Start up to and without End, that ran as
// often as its counter says.
type Region struct {
	Start, End     Position
	Counter, False Counter // False: of Branch and MCDCBranch alone
	File           uint32  // file id: an index of Mapping.Files
	Expanded       uint32  // file id, of Expansion alone
	Kind           Kind
	// Of Decision alone: where its bits lie in the record's bitmap, as recorded
	// (section 7), and how many conditions it has.
	Bitmap     uint32
	Conditions uint16
	// Of MCDCBranch alone: the condition's id, from 0, and which condition
	// comes next when it is true or false; -1: the decision is known.
	ID, NextTrue, NextFalse int16
}

// Mapping is one function's mapping, decoded: which file ids it has, and its
// regions in the order of the file.
type Mapping struct {
	Files       []string // by file id; one name may be behind several
	Expressions []Expression
	Regions     []Region

	first, expander []int32 // while expansions are counted, by file id
	chain           []link
}

// Function is one function record of an object (section 3), its mapping not yet
// decoded.
type Function struct {
	Name string // as the compiler mangled it; of a static function with its file before it
	Hash uint64 // FuncHash, which the profile's record must have too
	// Dummy: a record of a function that its unit saw and did not emit
	// (section 5); all its counts are zero.
	Dummy bool
	names []string // the file names of its translation unit, by index
	data  []byte   // the mapping bytes (section 4)
	at    uint64   // where data lies in the file
}

// Object is the coverage mapping of one object: a program, a library, an object
// file, or a member of an archive.
type Object struct {
	Name    string // as given; of a member "libx.a(member.o)"
	Version int    // of the mapping, 1 to 7: one more than on disk
	BuildID []byte // nil: it has none
	// Functions are the records that count, one for each name, in the order in
	// which llvm-cov meets them (section 5).
	Functions []Function
	// Names are all function names of the object's names section, for those
	// that have no record.
	Names []string
	// Faults are the records that could not be read, of an object opened with
	// [Options.Lenient].
	Faults []Fault
}

// Fault is a part of the mapping that is left out since it is damaged.
type Fault struct {
	Function string // empty: a block of file names, or a record whose name is lost
	Unit     string // the source of its translation unit; empty where it is lost
	Names    bool   // the file names of a unit, and each of its functions is a fault too
	Err      *model.FormatError
}

// Said says of which function and unit the fault is, as far as that is known, and what it is.
func (f *Fault) Said() string {
	of := f.Function
	switch {
	case of != "" && f.Unit != "":
		of += ", of " + f.Unit + ": "
	case of != "":
		of += ": "
	}
	return of + f.Err.Msg
}
