// Package objects keeps files that never change, originals and tables of profiles, by
// keys: in a data folder (Folder), or in a bucket of S3 and what speaks like it, a folder
// that machines share, or, built with the tag clouds, of Google or Azure, with a local
// cache (Bucket).
//
// In a bucket that several instances share, a key is written once and never used
// again. So a put, a read or a delete that comes late, or twice, can never meet
// another file than it means, and no clock has a part in it. The catalog says which
// keys are in use.
package objects

import (
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"sync"
	"time"
)

// Store keeps files by keys, which are slash-separated paths. It is safe for
// concurrent use. An error for a key that has no file is fs.ErrNotExist; for a file
// that is not what it is to be, *DamagedError; of a store that is not reached, or does
// not do what it is asked, *UnavailableError.
type Store interface {
	// Put stores files, which are its own from then on and safe when it returns. It may
	// be done again after an error, with the files that are still there.
	Put(ctx context.Context, files ...Sealed) error
	// Open opens a local file that was seen to have this content.
	Open(ctx context.Context, key string, want Content) (*File, error)
	// Delete deletes a file, which may be gone.
	Delete(ctx context.Context, key string) error
	// List visits all files whose keys begin with a prefix that ends with a slash.
	List(ctx context.Context, prefix string) Items
}

// Sealed is a local file that is on the disk, and the key that it is to have.
type Sealed struct {
	Key, Path string
	Content   Content
}

// Item is a file in a store.
type Item struct {
	Key      string
	Size     int64     // bytes
	Modified time.Time // by the store's clock
}

// Items are files in a store, one after the other; an error ends them.
type Items = iter.Seq2[Item, error]

// Content is what is known of a file before it is read: its size and one of the others.
type Content struct {
	Size   int64    // bytes
	SHA256 string   // hex
	Blocks []uint32 // CRC-32C of each BlockSize bytes; the last block may be shorter
}

// BlockSize is how much of a file has a checksum of its own, in bytes.
const BlockSize = 1 << 20

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sum reads a file through for its size and the checksums of its blocks.
func Sum(r io.Reader) (Content, error) {
	var c Content
	block := make([]byte, BlockSize)
	for {
		n, err := io.ReadFull(r, block)
		if n > 0 {
			c.Size += int64(n)
			c.Blocks = append(c.Blocks, crc32.Checksum(block[:n], castagnoli))
		}
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return c, nil
		default:
			return c, err
		}
	}
}

// blocks is how many blocks the content has.
func (c *Content) blocks() int { return int((c.Size + BlockSize - 1) / BlockSize) }

// check says whether the content can be told from another.
func (c *Content) check(key string) error {
	if c.Size < 0 || c.SHA256 == "" && len(c.Blocks) != c.blocks() {
		return fmt.Errorf("%s: %d bytes have %d checksums, expected %d", key, c.Size, len(c.Blocks), c.blocks())
	}
	return nil
}

// File is a local file that stays until it is closed.
type File struct {
	*os.File
	release func() // nil where nobody waits for it
	once    sync.Once
}

// Hold is the file's name, for a process that reads it by that: it stays until it is
// released.
func (f *File) Hold() (path string, release func()) {
	f.File.Close()
	return f.Name(), func() { f.Close() }
}

// Close closes the file and lets the store remove it.
func (f *File) Close() error {
	err := f.File.Close()
	f.once.Do(func() {
		if f.release != nil {
			f.release()
		}
	})
	return err
}
