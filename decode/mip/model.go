package mip

import "proflens/decode/model"

// Family is the family of Machine IR Profiles.
const Family model.Family = "mip"

// The formats of Machine IR Profiles.
const (
	FormatProfile model.Format = "mip"
	FormatMap     model.Format = "mipmap"
	FormatRaw     model.Format = "mipraw"
)

// FileType is the set of bits that says what a Machine IR Profile file is
// (mip.md §2).
type FileType uint16

// The file types. A file is exactly one of the first four.
const (
	FileRaw     FileType = 1
	FileRet     FileType = 2
	FileMap     FileType = 4
	FileProfile FileType = 8
	File64      FileType = 0x10
	File32      FileType = 0x20

	FileKind  = FileRaw | FileRet | FileMap | FileProfile
	FileWidth = File64 | File32
)

// Words names the bits that are set, lowest first, as the format's document
// spells them.
func (t FileType) Words() []string {
	return bitWords(uint32(t), []string{"Raw", "Ret", "Map", "Profile", "64 Bit", "32 Bit"})
}

// ProfileType is the set of bits that says what was instrumented (mip.md §2).
type ProfileType uint32

// The profile types. Compilers write function coverage, or the pair of
// timestamp and call count, each with block coverage or without. Any others are
// read too, see [Joiner].
const (
	FunctionCoverage ProfileType = 1
	BlockCoverage    ProfileType = 2
	Timestamp        ProfileType = 4
	CallCount        ProfileType = 8
	ReturnAddress    ProfileType = 0x10

	profileTypes = FunctionCoverage | BlockCoverage | Timestamp | CallCount | ReturnAddress
	// bothEntries names both of the documented records of a raw file at once. A
	// .mip of that type is refused as damaged: a map's type is copied into it, and
	// no compiler writes such a map.
	bothEntries = FunctionCoverage | Timestamp | CallCount
)

// Has reports whether every bit of f is set.
func (t ProfileType) Has(f ProfileType) bool { return t&f == f }

// Words names the bits that are set, lowest first, as the format's document
// spells them.
func (t ProfileType) Words() []string {
	return bitWords(uint32(t), []string{
		"Function Coverage", "Block Coverage", "Function Timestamp", "Function Call Count", "Return Address",
	})
}

// bitWords names the bits of a set.
func bitWords(set uint32, names []string) []string {
	words := []string{}
	for i, name := range names {
		if set&(1<<i) != 0 {
			words = append(words, name)
		}
	}
	return words
}

// Header is what every Machine IR Profile file begins with (mip.md §2).
type Header struct {
	Version     uint16
	FileType    FileType
	ProfileType ProfileType
	// ModuleHash is a hash of the link unit's name, and no build ID: two builds
	// of one program have the same.
	ModuleHash       uint32
	RawSectionOffset int64 // from the map section to the raw section, bytes; maps only
	Reserved         uint32
	OffsetToData     uint32 // bytes; 32, or more
}

// Layout is one of the four ways in which a .mip can be laid out, which
// nothing in it says (mip.md §6).
type Layout string

// The layouts, in the order in which a tie between them is decided.
const (
	Documented      Layout = "documented"       // 32-bit offsets, names by their bytes
	Tool64          Layout = "tool64"           // 64-bit offsets, names by their number
	DocumentedCount Layout = "documented-count" // 32-bit offsets, names by their number
	Tool64Length    Layout = "tool64-length"    // 64-bit offsets, names by their bytes
)

// NameSource says how a function came by its name.
type NameSource string

// The sources of names.
const (
	NameMD5        NameSource = "md5"        // the name hashes to the signature, or stands beside the function
	NamePositional NameSource = "positional" // no signature is the hash of any name, and there are as many
	NameNone       NameSource = "none"
)

// Warning is something odd that did not stop decoding, in the words of
// mip.md. The same words end the codes of findings.
type Warning string

// The warnings.
const (
	WidthFromContent Warning = "width_from_content"            // a 32-bit map with records of 64 bits
	NoWidthBit       Warning = "no_width_bit"                  // the header does not say how wide records are
	BlocksUnprofiled Warning = "blocks_without_block_coverage" // a map lists blocks that nothing counts
	OddByte          Warning = "odd_coverage_byte"             // a coverage byte is neither of its two values
	PositionalNames  Warning = "signatures_do_not_match_names"
	UnnamedFunctions Warning = "unnamed_functions"
	// merged profiles disagree about a function's blocks, which are dropped
	BlocksDiffer Warning = "blocks_differ"
	Saturated    Warning = "saturated" // merged counts pass 64 bits
	// beside function coverage the header names what records have no room for
	CoverageAlone   Warning = "coverage_alone"
	EntriesByMap    Warning = "entries_by_map"        // the map has room for smaller records than the reference reader's
	BlocksAlone     Warning = "blocks_alone"          // nothing but blocks was counted
	ReturnAddresses Warning = "return_addresses"      // the samples of calls are in a file that cannot be read
	RawSkipped      Warning = "raw_skipped"           // a damaged run was left out
	MapMissing      Warning = "map_missing"           // runs without the map that names their functions
	SeveralPrograms Warning = "several_architectures" // a fat program has more than one map that fits
)

// Never is the call count and timestamp of a function that never ran, and
// MIPMaxCalls where the call count of one run stops (mip.md §4).
const (
	Never    = 0xFFFFFFFF
	MaxCalls = 0xFFFFFFFE
)

// Block is a basic block other than the entry. At offset 0 stands a block
// that was removed after it was instrumented: nothing can execute it.
type Block struct {
	Offset  uint32 // bytes from the function's start
	Covered bool
}

// Removed reports whether the block is gone from the program.
func (b Block) Removed() bool { return b.Offset == 0 }

// Function is one function of a map or profile. The entry block is not among
// Blocks: it is covered when the function is.
type Function struct {
	Name       []byte // as in the object file; bytes, not always UTF-8; empty with NameSource none
	NameSource NameSource
	Signature  uint64 // first eight MD5 bytes of the name, little-endian
	RawOffset  uint64 // where the counters stand in the .mipraw, header included
	// Offset is the function's address minus that of the raw section, bytes.
	Offset       int64
	Size         uint32 // bytes
	CFGSignature uint32 // changes when the shape of the function does; 0 for one block

	MergeCount   uint64 // runs in which the function ran
	CallCount    uint64 // 0 or 1 where calls were not counted
	TimestampSum uint64 // of the places in which it first ran, run by run
	Saturated    bool   // in some run its calls reached MIPMaxCalls
	Blocks       []Block
	BlocksDiffer bool // merged profiles disagree about Blocks, which are dropped

	// Of a map's record: where it stands in the map, and the offsets as they
	// stand in it, relative to the record itself.
	RecordOffset                  uint64
	RawPCOffset, FunctionPCOffset int64
	FirstBlock                    int // how many blocks the functions before it have: an index of MIPRun.Blocks
}

// Executed reports whether the function ran.
func (f *Function) Executed() bool { return f.MergeCount > 0 || f.CallCount > 0 }

// Bits is a set of small numbers.
type Bits []uint64

// NewBits has room for the numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds a number.
func (b Bits) Set(i int) { b[i/64] |= 1 << (i % 64) }

// Has reports whether a number is in the set.
func (b Bits) Has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// Run is one .mipraw. Functions are counted as in MIP.Functions, blocks
// through all functions by MIPFunction.FirstBlock.
type Run struct {
	File      string
	Header    Header
	DataBytes uint64
	Warnings  []Warning
	OddBytes  uint64 // coverage bytes that are neither 0 nor 255

	Executed Bits     // functions; nil without a map
	Calls    []uint32 // by function, 0 where it did not run; nil where records have none
	// First is the place of each function among those that first ran, from 1, by
	// function; 0 where it did not run; nil where records have none. Threads can
	// share a place.
	First  []uint32
	Blocks Bits // covered blocks; nil without block coverage
}

// Names are the names of a .mip as they stand in it: each with a NUL behind
// it, but for the last, perhaps. They are kept so that the file can be written
// back as it was.
type Names struct{ Bytes []byte }

// Profile is a Machine IR Profile: a map, a profile, or several files joined.
type Profile struct {
	// Form is MIPMap for a map alone, MIPRaw for runs without one, else
	// MIPProfile.
	Form   model.Format
	Header Header
	// Lacks are the types that the header names and nothing in the file has.
	Lacks       ProfileType
	Layout      Layout // of a profile
	RecordWidth int    // of a map's records, bits: 64 or 32
	Functions   []Function
	Blocks      int // of all functions, entries left out
	Runs        []Run
	Warnings    []Warning // each once, sorted
	Names       *Names    // of a single .mip
	// RawAddress is the link-time address of the raw section, known when the map
	// was taken out of a program; the address of a function is its Offset beyond.
	RawAddress *uint64
	MapFile    string // the file that the functions come from
}

// Measured is what the profile has of what its header names.
func (m *Profile) Measured() ProfileType { return m.Header.ProfileType &^ m.Lacks }

// HasTimestamps reports whether the profile says in which order functions
// first ran.
func (m *Profile) HasTimestamps() bool { return m.Measured().Has(Timestamp) }

// HasCalls reports whether the profile says how often functions were called.
func (m *Profile) HasCalls() bool { return m.Measured().Has(CallCount) }

// HasBlocks reports whether blocks other than the entries were counted.
func (m *Profile) HasBlocks() bool { return m.Measured().Has(BlockCoverage) }
