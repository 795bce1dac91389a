package btree

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"

	"proflens/internal/fsync"
	"proflens/internal/recovery"
)

// Writer appends rows to the empty tables of a database that SQLite has made
// and closed. Until Close the file is not a valid database. Several goroutines may each
// write a table, or a part of one.
type Writer struct {
	layout
	f  *os.File
	mu sync.Mutex // over what follows, to the channels

	roots map[string]uint32
	next  uint32 // the next page's number
	buf   []byte // pages not yet written, the last of them next-1
	err   error

	full    chan pages  // to the goroutine that writes
	free    chan []byte // back from it
	written chan error  // its first error, once full is closed
}

// pages are consecutive pages and where they belong in the file.
type pages struct {
	b  []byte
	at int64
}

// bufferSize is how much is gathered before it is written, by a goroutine of
// its own while the next pages fill.
const bufferSize = 1 << 20

// Append opens a database to write to its tables.
func Append(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	r, err := readFile(f)
	if err != nil {
		return nil, err
	}
	w := &Writer{
		layout: r.layout, f: f, roots: r.roots, next: r.pages + 1, buf: make([]byte, 0, bufferSize),
		full: make(chan pages), free: make(chan []byte, 1), written: make(chan error, 1),
	}
	w.free <- make([]byte, 0, bufferSize)
	go w.write()
	return w, nil
}

// write writes what comes and gives the buffers back, after an error too.
func (w *Writer) write() {
	var first error
	for p := range w.full {
		if first == nil {
			first = recovery.Do(func() error {
				_, err := w.f.WriteAt(p.b, p.at)
				return err
			})
			fsync.BeginSync(w.f, p.at, int64(len(p.b)))
		}
		w.free <- p.b[:0]
	}
	w.written <- first
}

// Size is how many bytes the file has by now.
func (w *Writer) Size() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return uint64(w.next-1) * uint64(w.pageSize)
}

// page adds a page to the end of the file and returns its number.
func (w *Writer) page(b []byte) (uint32, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.add(b), w.err
}

// add is page for who holds the lock.
func (w *Writer) add(b []byte) uint32 {
	if w.usable(w.next) != w.next {
		w.push(make([]byte, w.pageSize))
	}
	w.push(b)
	return w.next - 1
}

// usable is no, or the page after it where no is the lock page.
func (w *Writer) usable(no uint32) uint32 {
	if no == w.lockPage() {
		return no + 1
	}
	return no
}

func (w *Writer) push(b []byte) {
	if len(w.buf)+len(b) > cap(w.buf) {
		w.flush()
	}
	w.buf = append(w.buf, b...)
	w.next++
	if w.next == 0 && w.err == nil {
		w.err = fmt.Errorf("database file: more than 2^32 pages")
	}
}

func (w *Writer) flush() {
	w.full <- pages{w.buf, int64(w.next-1)*int64(w.pageSize) - int64(len(w.buf))}
	w.buf = <-w.free
}

// stop ends the goroutine that writes.
func (w *Writer) stop() error {
	close(w.full)
	return <-w.written
}

// writeRoot writes a page that has been there from the beginning.
func (w *Writer) writeRoot(b []byte, no uint32) error {
	_, err := w.f.WriteAt(b, int64(no-1)*int64(w.pageSize))
	return err
}

// Close completes the database, makes it durable if it is to be, and closes
// it. The tables must be closed before. An error leaves a file of no use.
func (w *Writer) Close(durable bool) error {
	w.flush()
	if err := w.stop(); w.err == nil {
		w.err = err
	}
	// The size in pages, §1.3.8. It counts because the change counter before
	// it still equals the version-valid-for number that SQLite wrote.
	if _, err := w.f.WriteAt(binary.BigEndian.AppendUint32(nil, w.next-1), 28); w.err == nil {
		w.err = err
	}
	if w.err == nil && durable {
		w.err = w.f.Sync()
	}
	if err := w.f.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

// Discard closes the file without completing it.
func (w *Writer) Discard() {
	_ = w.stop()
	w.f.Close()
}
