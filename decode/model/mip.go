package model

// MIPFileType is the set of bits that says what a Machine IR Profile file is
// (mip.md §2).
type MIPFileType uint16

// The file types. A file is exactly one of the first four.
const (
	MIPFileRaw     MIPFileType = 1
	MIPFileRet     MIPFileType = 2
	MIPFileMap     MIPFileType = 4
	MIPFileProfile MIPFileType = 8
	MIPFile64      MIPFileType = 0x10
	MIPFile32      MIPFileType = 0x20

	MIPFileKind  = MIPFileRaw | MIPFileRet | MIPFileMap | MIPFileProfile
	MIPFileWidth = MIPFile64 | MIPFile32
)

// Words names the bits that are set, lowest first, as the format's document
// spells them.
func (t MIPFileType) Words() []string {
	return bitWords(uint32(t), []string{"Raw", "Ret", "Map", "Profile", "64 Bit", "32 Bit"})
}

// MIPProfileType is the set of bits that says what was instrumented (mip.md §2).
type MIPProfileType uint32

// The profile types. Coverage and the pair of timestamp and call count exclude
// each other; block coverage rides on either.
const (
	MIPFunctionCoverage MIPProfileType = 1
	MIPBlockCoverage    MIPProfileType = 2
	MIPTimestamp        MIPProfileType = 4
	MIPCallCount        MIPProfileType = 8
	MIPReturnAddress    MIPProfileType = 0x10
)

// Has reports whether every bit of f is set.
func (t MIPProfileType) Has(f MIPProfileType) bool { return t&f == f }

// Words names the bits that are set, lowest first, as the format's document
// spells them.
func (t MIPProfileType) Words() []string {
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

// MIPHeader is what every Machine IR Profile file begins with (mip.md §2).
type MIPHeader struct {
	Version     uint16
	FileType    MIPFileType
	ProfileType MIPProfileType
	// ModuleHash is a hash of the link unit's name, and no build id: two builds
	// of one program have the same.
	ModuleHash       uint32
	RawSectionOffset int64 // from the map section to the raw section, bytes; maps only
	Reserved         uint32
	OffsetToData     uint32 // bytes; 32, or more
}

// MIPLayout is one of the four ways in which a .mip can be laid out, which
// nothing in it says (mip.md §6).
type MIPLayout string

// The layouts, in the order in which a tie between them is decided.
const (
	MIPDocumented      MIPLayout = "documented"       // 32-bit offsets, names by their bytes
	MIPTool64          MIPLayout = "tool64"           // 64-bit offsets, names by their number
	MIPDocumentedCount MIPLayout = "documented-count" // 32-bit offsets, names by their number
	MIPTool64Length    MIPLayout = "tool64-length"    // 64-bit offsets, names by their bytes
)

// MIPNameSource says how a function came by its name.
type MIPNameSource string

// The sources of names.
const (
	MIPNameMD5        MIPNameSource = "md5"        // the name hashes to the signature, or stands beside the function
	MIPNamePositional MIPNameSource = "positional" // no signature is the hash of any name, and there are as many
	MIPNameNone       MIPNameSource = "none"
)

// MIPWarning is something odd that did not stop decoding, in the words of
// mip.md. The same words end the codes of findings.
type MIPWarning string

// The warnings.
const (
	MIPWidthFromContent MIPWarning = "width_from_content"            // a 32-bit map with records of 64 bits
	MIPNoWidthBit       MIPWarning = "no_width_bit"                  // the header does not say how wide records are
	MIPBlocksUnprofiled MIPWarning = "blocks_without_block_coverage" // a map lists blocks that nothing counts
	MIPOddByte          MIPWarning = "odd_coverage_byte"             // a coverage byte is neither of its two values
	MIPPositionalNames  MIPWarning = "signatures_do_not_match_names"
	MIPUnnamedFunctions MIPWarning = "unnamed_functions"
	MIPBlocksDiffer     MIPWarning = "blocks_differ"         // merged profiles disagree about a function's blocks, which are dropped
	MIPSaturated        MIPWarning = "saturated"             // merged counts pass 64 bits
	MIPRawSkipped       MIPWarning = "raw_skipped"           // a damaged run was left out
	MIPMapMissing       MIPWarning = "map_missing"           // runs without the map that names their functions
	MIPSeveralPrograms  MIPWarning = "several_architectures" // a fat program has more than one map that fits
)

// MIPNever is the call count and timestamp of a function that never ran, and
// MIPMaxCalls where the call count of one run stops (mip.md §4).
const (
	MIPNever    = 0xFFFFFFFF
	MIPMaxCalls = 0xFFFFFFFE
)

// MIPBlock is a basic block other than the entry. At offset 0 stands a block
// that was removed after it was instrumented: nothing can execute it.
type MIPBlock struct {
	Offset  uint32 // bytes from the function's start
	Covered bool
}

// Removed reports whether the block is gone from the program.
func (b MIPBlock) Removed() bool { return b.Offset == 0 }

// MIPFunction is one function of a map or profile. The entry block is not among
// Blocks: it is covered when the function is.
type MIPFunction struct {
	Name       []byte // as in the object file; bytes, not always UTF-8; empty with NameSource none
	NameSource MIPNameSource
	Signature  uint64 // first eight MD5 bytes of the name, little-endian
	RawOffset  uint64 // where the counters stand in the .mipraw, header included
	// Offset is the function's address minus that of the raw section, bytes.
	Offset       int64
	Size         uint32 // bytes
	CFGSignature uint32 // changes when the shape of the function does; 0 for one block

	MergeCount   uint64 // runs in which the function ran
	CallCount    uint64 // 0 or 1 in coverage mode, where it counts no calls
	TimestampSum uint64 // of the places in which it first ran, run by run
	Saturated    bool   // in some run its calls reached MIPMaxCalls
	Blocks       []MIPBlock

	// Of a map's record: where it stands in the map, and the offsets as they
	// stand in it, relative to the record itself.
	RecordOffset                  uint64
	RawPCOffset, FunctionPCOffset int64
	FirstBlock                    int // how many blocks the functions before it have: an index of MIPRun.Blocks
}

// Executed reports whether the function ran.
func (f *MIPFunction) Executed() bool { return f.MergeCount > 0 || f.CallCount > 0 }

// Bits is a set of small numbers.
type Bits []uint64

// NewBits has room for the numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds a number.
func (b Bits) Set(i int) { b[i/64] |= 1 << (i % 64) }

// Has reports whether a number is in the set.
func (b Bits) Has(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }

// MIPRun is one .mipraw. Functions are counted as in MIP.Functions, blocks
// through all functions by MIPFunction.FirstBlock.
type MIPRun struct {
	File      string
	Header    MIPHeader
	DataBytes uint64
	Warnings  []MIPWarning
	OddBytes  uint64 // coverage bytes that are neither 0 nor 255

	Executed Bits     // functions; nil without a map
	Calls    []uint32 // by function, 0 where it did not run; nil in coverage mode
	// First is the place of each function among those that first ran, from 1, by
	// function; 0 where it did not run; nil in coverage mode. Threads can share a
	// place.
	First  []uint32
	Blocks Bits // covered blocks; nil without block coverage
}

// MIPNames are the names of a .mip as they stand in it: each with a NUL behind
// it, but for the last, perhaps. They are kept so that the file can be written
// back as it was.
type MIPNames struct{ Bytes []byte }

// MIP is a Machine IR Profile: a map, a profile, or several files joined.
type MIP struct {
	// Form is MIPMap for a map alone, MIPRaw for runs without one, else
	// MIPProfile.
	Form        Format
	Header      MIPHeader
	Layout      MIPLayout // of a profile
	RecordWidth int       // of a map's records, bits: 64 or 32
	Functions   []MIPFunction
	Blocks      int // of all functions, entries left out
	Runs        []MIPRun
	Warnings    []MIPWarning // each once, sorted
	Names       *MIPNames    // of a single .mip
	// RawAddress is the link-time address of the raw section, known when the map
	// was taken out of a program; the address of a function is its Offset beyond.
	RawAddress *uint64
	MapFile    string // the file that the functions come from
}

// HasTimestamps reports whether the profile says in which order functions
// first ran, and how often they were called.
func (m *MIP) HasTimestamps() bool { return m.Header.ProfileType.Has(MIPTimestamp) }

// HasBlocks reports whether blocks other than the entries were counted.
func (m *MIP) HasBlocks() bool { return m.Header.ProfileType.Has(MIPBlockCoverage) }
