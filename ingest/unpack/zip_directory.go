package unpack

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// The directory of a zip is read as a whole, before any file of it. So it is
// bounded before it is read: by its bytes, and by how many entries the record at
// the end of the archive says it has.
const (
	entriesPerMember = 16 // folders, links and litter beside the files
	maxDirectory     = 8 << 20
)

// entry counts an entry of an archive, a file or not.
func (x *expander) entry(f format, name string) error {
	if x.budget.entries++; x.budget.entries > x.maxEntries() {
		return x.tooManyEntries(f, name, "")
	}
	return nil
}

func (x *expander) maxEntries() int { return entriesPerMember * x.budget.Members }

func (x *expander) tooManyEntries(f format, name, found string) error {
	return &Error{
		Kind: TooLarge, Member: name, Limit: int64(x.maxEntries()), Unit: "entries",
		Msg: "the " + f.String() + " has too many entries" + found,
	}
}

// zipDirectory reads the directory of a zip.
func (x *expander) zipDirectory(r io.ReaderAt, size int64, name string) (*zip.Reader, error) {
	if n := claimedEntries(r, size); n > uint64(x.maxEntries()) {
		return nil, x.tooManyEntries(zipArchive, name, fmt.Sprintf(": it claims %d", n))
	}
	bounded := &boundedReads{ReaderAt: r, left: maxDirectory}
	z, err := zip.NewReader(bounded, size)
	if err != nil {
		return nil, fault(zipArchive, name, err)
	}
	bounded.left = -1
	return z, nil
}

// From the zip specification: the end of a zip's directory where it is longer than
// 32 bits say, and what says where that stands, before the last 65,557 bytes.
const (
	zip64Locator = "PK\x06\x07"
	zip64End     = "PK\x06\x06"
	zipTail      = 20 + 22 + 65535
)

// claimedEntries is how many entries a zip says it has where that may be more than
// 16 bits say; the reader makes pool for as many.
func claimedEntries(r io.ReaderAt, size int64) (most uint64) {
	tail := make([]byte, min(size, zipTail))
	n, _ := r.ReadAt(tail, size-int64(len(tail)))
	for tail = tail[:n]; ; tail = tail[len(zip64Locator):] {
		at := bytes.Index(tail, []byte(zip64Locator))
		if at < 0 || at+16 > len(tail) {
			return most
		}
		tail = tail[at:]
		var end [40]byte
		offset := binary.LittleEndian.Uint64(tail[8:])
		if offset > uint64(size) {
			continue
		}
		if _, err := r.ReadAt(end[:], int64(offset)); err == nil && string(end[:4]) == zip64End {
			most = max(most, binary.LittleEndian.Uint64(end[32:]))
		}
	}
}

// boundedReads ends after so many bytes; less than 0 is no bound.
type boundedReads struct {
	io.ReaderAt
	left int64
}

func (b *boundedReads) ReadAt(p []byte, off int64) (int, error) {
	if b.left >= 0 {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, &Error{Kind: TooLarge, Limit: maxDirectory, Unit: "bytes", Msg: "the directory of the zip is too long"}
		}
	}
	return b.ReaderAt.ReadAt(p, off)
}
