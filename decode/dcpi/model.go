package dcpi

import (
	"iter"
	"slices"

	"proflens/decode/model"
)

// Family is the family of DCPI's samples.
const Family model.Family = "dcpi"

// The formats of DCPI.
const (
	FormatProfile model.Format = "dcpi"
	FormatCat     model.Format = "dcpicat" // the text that dcpicat prints
)

// The kinds of fault that only DCPI profiles have.
const (
	KindNotDCPI           model.Kind = "not_dcpi"           // the first line is not a header line, or no keyword is known
	KindMissingTerminator model.Kind = "missing_terminator" // the header has no line "samples"
	KindHeaderSyntax      model.Kind = "header_syntax"      // a line is no keyword with a value, or line endings are mixed
	KindMissingRequired   model.Kind = "missing_required"   // a line that must be there is not
	KindDuplicateLine     model.Kind = "duplicate_line"     // a known line stands twice
	KindBadValue          model.Kind = "bad_value"          // not a number, not hexadecimal, an impossible epoch
	KindBadChunk          model.Kind = "bad_chunk"          // a chunk without counts
	KindUnsorted          model.Kind = "unsorted"           // chunks out of order
	KindOverlap           model.Kind = "overlap"            // chunks that share addresses
	KindFooterMismatch    model.Kind = "footer_mismatch"    // the footer's totals do not match the samples
)

// Database is what one or several files of DCPI's samples hold, and the
// listings of procedures that stood beside them.
type Database struct {
	Files    []File
	Listings []Listing
	Images   []Image // in the order in which the files name them
}

// Image is a program, a library or a kernel that was sampled. Profiles are
// of the same image when they agree in id, case aside, and in where the text
// starts and how long it is: only then their addresses can be added up.
type Image struct {
	ID           string // hexadecimal digits, as the first profile has them
	Label        string // for people: the last part of the path, or what the name of the file says
	Paths        []string
	TextStart    uint64
	HasTextStart bool
	TextSize     uint64 // bytes; 0: not known
	// Base is the address of offset 0: TextStart, or where no header says it, that
	// of the executable's text or of the lowest symbol.
	Base uint64
	// Listing names the procedures: an index in Database.Listings, -1 for none.
	Listing int
}

// Profiles yields every profile of every file, in the order of the files.
func (d *Database) Profiles() iter.Seq[*Profile] {
	return func(yield func(*Profile) bool) {
		for i := range d.Files {
			for j := range d.Files[i].Profiles {
				if !yield(&d.Files[i].Profiles[j]) {
					return
				}
			}
		}
	}
}

// maxImagePaths bounds the paths that are kept of an image.
const maxImagePaths = 64

// AddPaths adds those that are new.
func (i *Image) AddPaths(paths []string) {
	for _, path := range paths {
		if len(i.Paths) < maxImagePaths && !slices.Contains(i.Paths, path) {
			i.Paths = append(i.Paths, path)
		}
	}
}

// File is one file: a profile of DCPI's own, which holds one event, or the
// text of dcpicat, which holds the events of one image side by side, and may
// hold several such dumps.
type File struct {
	Name     string
	Dumps    int       // dumps of dcpicat in the file; 0: it is a profile of DCPI's own
	Profiles []Profile // in file order; those of a dump follow each other
	Findings []model.Finding
}

// Profile is the samples of one event for one image in one epoch on one
// host.
type Profile struct {
	Header
	File       string
	ImageIndex int // in Database.Images

	Stride    uint64 // bytes between the addresses of two counts: 4, the size of an Alpha instruction, or 1
	Chunks    int
	Addresses uint64 // counts in the chunks, zero or not
	Nonzero   uint64 // of those, above zero
	Samples   uint64 // sum of the counts

	// Each yields the chunks by rising address. A chunk and its counts are
	// valid until the next step.
	Each iter.Seq[Chunk]
}

// Chunk is the counts of consecutive instructions: the i-th count belongs
// to TextStart + Offset + Stride · i.
type Chunk struct {
	Offset uint64 // bytes from the start of the text
	Counts []uint32
}

// Header is what the header says.
type Header struct {
	Lines      []Line // of a binary profile: all but the terminator, in file order
	Terminator []byte // the line "samples" with its blanks and its end
	Bytes      uint64 // size of the header, terminator included
	CRLF       bool   // lines end in CR LF

	Version      string // as written, "pdb-0.07"; empty when there is no such line, and in dcpicat text
	Major, Minor uint64

	Image    string // hexadecimal digits, as written
	Epoch    string // as written
	Start    string // Epoch in RFC 3339, UTC
	Platform string // the host
	Event    string // "cycles", "imiss", …; of ProfileMe "set:counter"
	Period   uint64 // mean number of events between two samples
	Fraction uint64 // 10,000 × the share of time in which the event was counted; 10,000 in profiles of DCPI's own

	TextStart    uint64 // address of the text; 0 when HasTextStart is not set
	HasTextStart bool
	TextSize     uint64 // bytes; 0: not known
	CPUSpeed     uint64 // MHz, or Hz from a million on; 0 in dcpicat text, which does not say
	CPUAMask     *uint64
	CPUImplVer   *uint64
	CPUCount     *uint64
	Paths        []string // where the image was; a profile of DCPI's own has at most one

	Dump        int    // of dcpicat text: which dump of the file, from 0
	Name, Label string // of dcpicat text
}

// Line is a line of a header, kept so that it can be written back.
type Line struct {
	Key, Value string // without the blanks after the value
	Kind       string // required, optional or unknown
	Raw        []byte // the whole line with its end
	Offset     uint64 // in the file
}

// Listing is the procedures of one image, by rising address: the symbols of an
// executable, or the output of nm.
type Listing struct {
	File       string
	Procedures []Procedure
	// TextStart and TextSize are those of the executable's text in bytes; 0, 0
	// for the output of nm.
	TextStart, TextSize uint64
	// Line finds the file and the line that the code at an address was compiled from; nil
	// without an executable that has debug info.
	Line func(address uint64) (file string, line uint32, ok bool)
}

// Procedure is a symbol of code. It covers Size bytes, or, when Size is 0, all
// up to the next one.
type Procedure struct {
	Address, Size uint64
	Name          string
}
