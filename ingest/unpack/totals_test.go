package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"proflens/internal/memtest"
)

// bound is what unpacking takes beside the dictionaries, which are bounded for the
// whole process.
var bound = memtest.Bound{Base: 48 << 20, Rate: 1}

// refused expands data that must be too large, within the bound, and returns why.
func refused(t *testing.T, name string, data []byte, b *Budget) *Error {
	t.Helper()
	var e *Error
	bound.Check(t, name, len(data), func() any {
		e = faultOf(t, name, data, b)
		return nil
	})
	if e.Kind != TooLarge {
		t.Errorf("%s: %v", name, e)
	}
	return e
}

func budget() *Budget { return &Budget{Bytes: 1 << 30, Ratio: 1000, Members: 4096, Depth: 4} }

// The directory of a zip is bounded before it is read: by what it claims, and by what
// is there, whatever it claims.
func TestDirectoriesOfZips(t *testing.T) {
	entry := []byte("PK\x01\x02\x14\x00\x14\x00\x00\x00\x00\x00\x00\x00\x21\x00") // of an empty folder
	entry = append(entry, make([]byte, 12)...)                                    // checksum and sizes
	entry = binary.LittleEndian.AppendUint16(entry, 2)
	entry = append(append(entry, make([]byte, 16)...), "d/"...)
	directory := func(entries int) []byte {
		return append([]byte("PK\x03\x04"), bytes.Repeat(entry, entries)...)
	}
	// end is the record at the end, with the number of entries that it claims.
	end := func(b []byte, claim uint64) []byte {
		size := uint64(len(b) - 4)
		if claim > 0xffff {
			at := uint64(len(b))
			b = append(b, zip64End...)
			b = binary.LittleEndian.AppendUint64(b, 44)
			b = append(b, make([]byte, 12)...)
			for _, v := range []uint64{claim, claim, size, 4} {
				b = binary.LittleEndian.AppendUint64(b, v)
			}
			b = append(b, zip64Locator+"\x00\x00\x00\x00"...)
			b = binary.LittleEndian.AppendUint64(b, at)
			b = binary.LittleEndian.AppendUint32(b, 1)
			b = append(b, "PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00"...)
			return b
		}
		b = append(b, "PK\x05\x06\x00\x00\x00\x00"...)
		b = binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(b, uint16(claim)), uint16(claim))
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(size)), 4)
		return append(b, 0, 0)
	}
	for _, c := range []struct {
		name    string
		there   int
		claimed uint64
		unit    string
		limit   int64
	}{
		{"five million.zip", 0, 5_000_000, "entries", 65536},
		{"more than are there.zip", 1000, 1 << 60, "entries", 65536},
		{"more than it says.zip", 1_000_000, 1_000_000 % 65536, "bytes", maxDirectory},
		{"folders.zip", 65537, 1, "entries", 65536},
	} {
		if e := refused(t, c.name, end(directory(c.there), c.claimed), budget()); e.Unit != c.unit || e.Limit != c.limit {
			t.Errorf("%s: %+v", c.name, e)
		}
	}
	// Many files, and a long directory of them, are read.
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for n := range 4096 {
		m, err := w.Create(fmt.Sprintf("%s/%d.profraw", strings.Repeat("folder/", 30), n))
		must(err)
		io.WriteString(m, "counters\n")
	}
	must(w.Close())
	if files, err := expand(t, "many.zip", b.Bytes(), budget()); err != nil || len(files) != 4096 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

func TestEntriesOfTars(t *testing.T) {
	for _, h := range []tar.Header{
		{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, {Name: "d/", Typeflag: tar.TypeDir},
		{Name: "._litter", Typeflag: tar.TypeReg},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		must(w.WriteHeader(&h))
		header := bytes.Clone(b.Bytes())
		must(w.Close())
		data := zst(append(bytes.Repeat(header, entriesPerMember*budget().Members), b.Bytes()...))
		if e := refused(t, "many.tar.zst", data, budget()); e.Unit != "entries" {
			t.Errorf("%+v", e)
		}
	}
}

// A kilobyte must not become gigabytes; what any profile becomes, it may.
func TestRatio(t *testing.T) {
	zeros := func(n int64) []byte {
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b)
		must(err)
		_, err = io.CopyN(w, zeroReader{}, n)
		must(err)
		must(w.Close())
		return b.Bytes()
	}
	bomb := gz(zeros(256 << 20))
	out := int64(0)
	b := budget()
	bound.Check(t, "bomb", len(bomb), func() any {
		err := Expand(t.Context(), bytes.NewReader(bomb), int64(len(bomb)), "bomb", b, func(_ string, r io.Reader) error {
			n, err := io.Copy(io.Discard, r)
			out += n
			return err
		})
		e, ok := err.(*Error)
		if !ok || e.Kind != TooLarge || e.Ratio != 1000 || e.Limit != Free+1000*int64(len(bomb)) ||
			!strings.Contains(e.Error(), "1000 for each of its own beyond the first 67108864") {
			t.Errorf("%v", err)
		}
		return nil
	})
	if out > Free+1000*int64(len(bomb)) {
		t.Errorf("%d bytes came out of %d", out, len(bomb))
	}
	for _, c := range []struct {
		name string
		b    *Budget
	}{
		{"no ratio", &Budget{Bytes: 1 << 30, Members: 1, Depth: 4}},
		{"a high one", &Budget{Bytes: 1 << 30, Ratio: 1 << 40, Members: 1, Depth: 4}},
	} {
		err := Expand(t.Context(), bytes.NewReader(bomb), int64(len(bomb)), c.name, c.b, func(_ string, r io.Reader) error {
			_, err := io.Copy(io.Discard, r)
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// Zeros as gzip packs them, a thousand to one, are no bomb.
	if data := gz(make([]byte, 100<<20)); faultless(t, data) != 100<<20 {
		t.Error("a profile of zeros was refused")
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// faultless is how many bytes come out.
func faultless(t *testing.T, data []byte) (n int64) {
	t.Helper()
	err := Expand(t.Context(), bytes.NewReader(data), int64(len(data)), "x", budget(), func(_ string, r io.Reader) error {
		k, err := io.Copy(io.Discard, r)
		n += k
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return n
}

// Streams whose dictionaries are large wait for each other; small ones go on.
func TestDictionariesOfAllStreamsTogether(t *testing.T) {
	large := func(data []byte) []byte { // with a dictionary of 64 MiB
		var b bytes.Buffer
		w, err := xz.WriterConfig{DictCap: 64 << 20}.NewWriter(&b)
		must(err)
		w.Write(data)
		must(w.Close())
		return b.Bytes()
	}
	window := func(data []byte) []byte { // a window of 128 MiB
		var b bytes.Buffer
		w, err := zstd.NewWriter(&b, zstd.WithWindowSize(MaxDictionary), zstd.WithSingleSegment(false))
		must(err)
		w.Write(data)
		must(w.Flush())
		w.Write(data)
		must(w.Close())
		return b.Bytes()
	}
	content := bytes.Repeat([]byte("counters of functions\n"), 1000)
	atOnce := 16
	if testing.Short() {
		atOnce = 6
	}
	for name, data := range map[string][]byte{
		"xz": large(content), "zstd": window(content), "xz in xz": large(large(content)),
		"zstd in zip": zipped(file{"a", string(window(content))}),
		"both":        large(tarred(file{"a.xz", string(large(content))}, file{"b.xz", string(xzip(content))})),
	} {
		use := memtest.Of(func() any {
			var group sync.WaitGroup
			for range atOnce {
				group.Go(func() { faultless(t, data) })
			}
			group.Wait()
			return nil
		})
		t.Logf("%s: %+v", name, use)
		if most := uint64(MaxDictionary + MaxDictionary/2 + MaxDictionary/2); use.Peak > most {
			t.Errorf("%s: %d bytes at once; at most %d", name, use.Peak, most)
		}
	}
	for n := range pools { // all of it was given back
		if !pools[n].TryAcquire(pools[n].bytes) {
			t.Fatalf("room %d is not free", n)
		}
		pools[n].Release(pools[n].bytes)
	}
	deep := content
	for range 5 {
		deep = xzip(deep)
	}
	if e := refused(t, "deep.xz", deep, &Budget{Bytes: 1 << 20, Members: 1, Depth: 9}); e.Unit != "layers" {
		t.Errorf("%+v", e)
	}
	if e := faultOf(t, "grows", append(xzip(content), large(content)...), budget()); e.Limit != usualDictionary {
		t.Errorf("%+v", e)
	}
	if n := faultless(t, append(large(content), xzip(content)...)); n != 2*int64(len(content)) {
		t.Errorf("%d bytes", n)
	}
	inner := large(window(content)) // what looks back inside another may look half as far
	if e := faultOf(t, "inner", inner, budget()); e.Limit != MaxDictionary/2 {
		t.Errorf("%+v", e)
	}
}

// A stream that waits for pool stops waiting when its context ends.
func TestWaitingForRoomEnds(t *testing.T) {
	if !pools[0].TryAcquire(pools[0].bytes) {
		t.Fatal("the room is not free")
	}
	defer pools[0].Release(pools[0].bytes)
	for name, data := range map[string][]byte{"xz": xzip([]byte("x")), "zstd": zst([]byte("x")), "bzip2": bz2} {
		ctx, cancel := contextOf(t)
		err := Expand(ctx, bytes.NewReader(data), int64(len(data)), name, budget(), func(_ string, r io.Reader) error {
			_, err := io.ReadAll(r)
			return err
		})
		cancel()
		if err == nil || ctx.Err() == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the guard sees of a stream is what the library says of it.
func TestZstdGuardFollowsFrames(t *testing.T) {
	content := bytes.Repeat([]byte("counters of functions\n"), 9000)
	streams := map[string][]byte{"whole": zst(content), "empty": zst(nil)}
	var b bytes.Buffer
	for _, options := range [][]zstd.EOption{
		{zstd.WithEncoderCRC(false)}, {zstd.WithWindowSize(1 << 20)}, {zstd.WithSingleSegment(true)},
		{zstd.WithEncoderLevel(zstd.SpeedBestCompression)},
	} {
		w, err := zstd.NewWriter(&b, options...)
		must(err)
		w.Write(content)
		must(w.Close())
		b.WriteString("\x50\x2a\x4d\x18\x03\x00\x00\x00abc") // a frame to pass over
	}
	w, err := zstd.NewWriter(nil)
	must(err)
	streams["all"] = w.EncodeAll(content, b.Bytes())
	for name, data := range streams {
		x := &expander{ctx: t.Context()}
		m, err := x.window()
		must(err)
		g := newZstdGuard(bytes.NewReader(data), m)
		if _, err := io.ReadAll(g); err != nil || g.step == nil || g.skip != 0 || len(g.buf) != 0 || g.need != 5 {
			t.Errorf("%s: %v, %d bytes of a field of %d, %d to skip", name, err, len(g.buf), g.need, g.skip)
		}
		var h zstd.Header
		must(h.Decode(data))
		if m.has == 0 && len(data) > 20 || m.has < int64(h.WindowSize) {
			t.Errorf("%s: %d bytes of room; its first frame has a window of %d", name, m.has, h.WindowSize)
		}
		m.free()
	}
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), 20*time.Millisecond)
}
