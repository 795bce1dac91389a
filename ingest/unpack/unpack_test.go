package unpack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
	"golang.org/x/sync/semaphore"

	"proflens/internal/memtest"
)

type file struct{ Name, Content string }

// expand unpacks data and returns what came out.
func expand(t testing.TB, name string, data []byte, b *Budget) ([]file, error) {
	t.Helper()
	var files []file
	if b == nil {
		b = &Budget{Bytes: 1 << 20, Members: 100, Depth: 4}
	}
	b.TempDir = t.TempDir()
	err := Expand(t.Context(), bytes.NewReader(data), int64(len(data)), name, b, func(name string, r io.Reader) error {
		content, err := io.ReadAll(r)
		if err != nil {
			return fmt.Errorf("a caller's own words: %w", err)
		}
		files = append(files, file{name, string(content)})
		return nil
	})
	left, _ := os.ReadDir(b.TempDir)
	if len(left) > 0 {
		t.Errorf("temporary files were left: %v", left)
	}
	return files, err
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	must(w.Close())
	return b.Bytes()
}

func zst(data []byte) []byte {
	w, err := zstd.NewWriter(nil)
	must(err)
	return w.EncodeAll(data, nil)
}

func xzip(data []byte) []byte {
	var b bytes.Buffer
	w, err := xz.NewWriter(&b)
	must(err)
	w.Write(data)
	must(w.Close())
	return b.Bytes()
}

// bz2 is made by bzip2 1.0.8 of "counters\n"; Go can only read it.
var bz2 = func() []byte {
	data, err := os.ReadFile("testdata/counters.bz2")
	must(err)
	return data
}()

func zipped(files ...file) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		m, err := w.Create(f.Name)
		must(err)
		io.WriteString(m, f.Content)
	}
	must(w.Close())
	return b.Bytes()
}

func tarred(files ...file) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		must(w.WriteHeader(&tar.Header{Name: f.Name, Size: int64(len(f.Content)), Mode: 0o644}))
		io.WriteString(w, f.Content)
	}
	must(w.Close())
	return b.Bytes()
}

func TestExpand(t *testing.T) {
	content := []byte("counters\n")
	two := []file{{"run/a.profraw", "counters\n"}, {"run/b.profraw", ""}}
	for _, c := range []struct {
		name string
		data []byte
		want []file
	}{
		{"plain.profraw", content, []file{{"plain.profraw", "counters\n"}}},
		{"empty", nil, []file{{"empty", ""}}},
		{"app.profraw.gz", gz(content), []file{{"app.profraw", "counters\n"}}},
		{"two streams.gz", append(gz(content), gz(content)...), []file{{"two streams", "counters\ncounters\n"}}},
		{"nothing.gz", gz(nil), []file{{"nothing", ""}}},
		{"app.zst", zst(content), []file{{"app", "counters\n"}}},
		{
			"skippable first.zst", append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), zst(content)...),
			[]file{{"skippable first", "counters\n"}},
		},
		{"APP.XZ", xzip(content), []file{{"APP", "counters\n"}}},
		{
			"two streams.xz", append(append(xzip(content), 0, 0, 0, 0), xzip(content)...),
			[]file{{"two streams", "counters\ncounters\n"}},
		},
		{"app.bz2", bz2, []file{{"app", "counters\n"}}},
		{"wrong.name", gz(content), []file{{"wrong.name", "counters\n"}}},
		{".gz", gz(content), []file{{".gz", "counters\n"}}},
		{"run.zip", zipped(two...), two},
		{"run.tar", tarred(two...), two},
		{"run.tgz", gz(tarred(two...)), two},
		{"run.tar.xz", xzip(tarred(two...)), two},
		{
			"zip of packed", zipped(file{"a.gz", string(gz(content))}, file{"b.tar", string(tarred(two...))}),
			append([]file{{"a", "counters\n"}}, two...),
		},
		{"tar of a zip", tarred(file{"run.zip", string(zipped(two...))}), two},
		{"zip.gz", gz(zipped(two...)), two},
		{
			"litter", zipped(file{"__MACOSX/._a", "x"}, file{"d/.DS_Store", "x"}, file{"d/", ""}, file{"d/._b", "x"},
				file{"d/b", "y"}), []file{{"d/b", "y"}},
		},
		{
			"climbing", tarred(file{"../../etc/passwd", "x"}, file{"/abs", "y"}, file{`c:\d\..\e`, "z"}),
			[]file{{"etc/passwd", "x"}, {"abs", "y"}, {"c:/e", "z"}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := expand(t, c.name, c.data, nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			packed := !strings.HasPrefix(c.name, "plain") && c.name != "empty"
			if Packed(bytes.NewReader(c.data)) != packed {
				t.Errorf("Packed is %v", !packed)
			}
		})
	}
}

// Real tools write more than the libraries above do.
func TestExpandFilesOfRealTools(t *testing.T) {
	paths, err := filepath.Glob("testdata/real.*")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files, err := expand(t, filepath.Base(path), data, nil)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, f := range files {
			if !strings.Contains(f.Content, "counters") {
				t.Errorf("%s: %s holds %q", path, f.Name, f.Content)
			}
		}
	}
}

func TestLinksAndDevicesAreLeftOut(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{
		{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
		{Name: "hard", Typeflag: tar.TypeLink, Linkname: "real"},
		{Name: "dev", Typeflag: tar.TypeChar},
		{Name: "pipe", Typeflag: tar.TypeFifo},
		{Name: "dir/", Typeflag: tar.TypeDir},
		{Name: "real", Typeflag: tar.TypeReg},
	} {
		must(w.WriteHeader(&h))
	}
	must(w.Close())
	got, err := expand(t, "a.tar", b.Bytes(), nil)
	if err != nil || len(got) != 1 || got[0].Name != "real" {
		t.Errorf("%v, %v", got, err)
	}
}

// faultOf is the *Error of unpacking data.
func faultOf(t *testing.T, name string, data []byte, b *Budget) *Error {
	t.Helper()
	_, err := expand(t, name, data, b)
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("%s: no *Error but %v", name, err)
	}
	if e.Archive != name || e.Msg == "" {
		t.Errorf("%s: %+v", name, e)
	}
	return e
}

func TestBudget(t *testing.T) {
	big := bytes.Repeat([]byte{0}, 100_000)
	exact := &Budget{Bytes: 100_000, Members: 1, Depth: 2}
	if _, err := expand(t, "exact.tgz", gz(tarred(file{"a", string(big[:90_000])})), exact); err != nil {
		t.Errorf("what just fits: %v", err)
	}
	for _, c := range []struct {
		name string
		data []byte
		b    Budget
		unit string
	}{
		{"bomb.gz", gz(big), Budget{Bytes: 99_999, Members: 9, Depth: 4}, "bytes"},
		{"bomb.zst", zst(big), Budget{Bytes: 99_999, Members: 9, Depth: 4}, "bytes"},
		{"bomb.xz", xzip(big), Budget{Bytes: 99_999, Members: 9, Depth: 4}, "bytes"},
		{"bomb.zip", zipped(file{"a", string(big)}), Budget{Bytes: 99_999, Members: 9, Depth: 4}, "bytes"},
		{
			"in all.zip", zipped(file{"a", string(big[:60_000])}, file{"b", string(big[:60_000])}),
			Budget{Bytes: 99_999, Members: 9, Depth: 4}, "bytes",
		},
		{"inner.zip", zipped(file{"a.gz", string(gz(gz(big)))}), Budget{Bytes: 99_999, Members: 9, Depth: 4}, "bytes"},
		{
			"many.tar", tarred(file{"a", ""}, file{"b", ""}, file{"c", ""}), Budget{Bytes: 99_999, Members: 2, Depth: 4},
			"files",
		},
		{"deep.gz", gz(gz(gz([]byte("x")))), Budget{Bytes: 99_999, Members: 9, Depth: 2}, "layers"},
		{
			"deep.zip", zipped(file{"a.zip", string(zipped(file{"b.zip", string(zipped(file{"c", "x"}))}))}),
			Budget{Bytes: 99_999, Members: 9, Depth: 2}, "layers",
		},
	} {
		e := faultOf(t, c.name, c.data, &c.b)
		limit := map[string]int64{"bytes": c.b.Bytes, "files": int64(c.b.Members), "layers": int64(c.b.Depth)}[c.unit]
		if e.Kind != TooLarge || e.Unit != c.unit || e.Limit != limit || e.Budget != (c.unit == "bytes") {
			t.Errorf("%s: %+v", c.name, e)
		}
		if !strings.Contains(e.Error(), fmt.Sprintf("expected at most %d %s", limit, c.unit)) {
			t.Errorf("%s: %v", c.name, e)
		}
	}
}

func TestBudgetIsSharedByCalls(t *testing.T) {
	b := &Budget{Bytes: 100, Members: 3, Depth: 4}
	half := gz(bytes.Repeat([]byte("x"), 60))
	if _, err := expand(t, "a.gz", half, b); err != nil {
		t.Fatal(err)
	}
	if e := faultOf(t, "b.gz", half, b); e.Kind != TooLarge {
		t.Error(e)
	}
}

func TestFaults(t *testing.T) {
	content := bytes.Repeat([]byte("counters of functions\n"), 100)
	flip := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		if at < 0 {
			at += len(data)
		}
		data[at] ^= 0x55
		return data
	}
	encrypted := zipped(file{"a", "x"})
	encrypted[6] |= zipEncrypted                                              // local header
	encrypted[bytes.Index(encrypted, []byte("PK\x01\x02"))+8] |= zipEncrypted // directory
	method := zipped(file{"a", "x"})
	method[8], method[bytes.Index(method, []byte("PK\x01\x02"))+10] = 99, 99
	for _, c := range []struct {
		name string
		data []byte
		kind Kind
	}{
		{"cut.gz", gz(content)[:30], Truncated},
		{"only magic.gz", gz(content)[:3], Truncated},
		{"cut.zst", zst(content)[:20], Truncated},
		{"cut.xz", xzip(content)[:60], Truncated},
		{"cut.bz2", bz2[:20], Truncated},
		{"cut.tar", tarred(file{"a", string(content)})[:1000], Truncated},
		{"cut.zip", zipped(file{"a", string(content)})[:60], Malformed},
		{"checksum.gz", flip(gz(content), -6), Malformed},
		{"checksum.zst", flip(zst(content), -2), Malformed},
		{"checksum.xz", flip(xzip(content), -9), Malformed},
		{"checksum.bz2", flip(bz2, 12), Malformed},
		{"trailing bytes.gz", append(gz(content), "more, and it is no gzip header"...), Malformed},
		{"nothing in it.zip", zipped(), Malformed},
		{"nothing in it.tar", tarred(file{"dir/", ""}), Malformed},
		{"encrypted.zip", encrypted, Unsupported},
		{"method.zip", method, Unsupported},
	} {
		if e := faultOf(t, c.name, c.data, nil); e.Kind != c.kind {
			t.Errorf("%s: %s, want %s: %v", c.name, e.Kind, c.kind, e)
		}
	}
}

// The dictionary is cleared for each block, so a file of empty blocks would
// keep a processor busy for hours.
func TestManyDictionaries(t *testing.T) {
	for _, c := range []struct {
		name   string
		blocks int
		out    uint64 // bytes a block
		ok     bool
	}{
		{"empty blocks", 100, 0, false}, {"small blocks", 100, 1 << 10, false}, {"full blocks", 100, 1 << 20, true},
		{"few", 60, 0, true},
	} {
		g := newXZGuard(nil, new(dictionaries), &memory{
			x: &expander{ctx: t.Context()}, pool: &pool{MaxDictionary, semaphore.NewWeighted(MaxDictionary)},
		})
		var err error
		for range c.blocks {
			g.next((*xzGuard).blockHeader)
			for _, b := range []byte{2, 0, 0x21, 1, 28, 0, 0, 0, 0, 0, 0, 0} { // 64 MiB
				if e := g.blockHeader(b); e != nil {
					err = e
				}
			}
			g.total.out += c.out
		}
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A block header alone makes the decoder allocate its dictionary.
func TestDictionaryBombs(t *testing.T) {
	small := xzip([]byte("x"))
	for _, bits := range []byte{31, 40} { // 192 MiB, 4 GiB
		data := bytes.Clone(small)
		header := data[12 : 12+(int(data[12])+1)*4]
		header[bytes.IndexByte(header, 0x21)+2] = bits
		if e := faultOf(t, "bomb.xz", data, nil); e.Kind != TooLarge || e.Limit != MaxDictionary {
			t.Errorf("%d bits: %v", bits, e)
		}
		// Also in a block, or a stream, that is not the first.
		if e := faultOf(t, "later.xz", append(bytes.Clone(small), data...), nil); e.Kind != TooLarge ||
			e.Limit != MaxDictionary {
			t.Errorf("%d bits in the second stream: %v", bits, e)
		}
	}
	multi, err := os.ReadFile("testdata/real.blocks.xz") // several blocks
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(multi, []byte{0x21, 0x01})
	multi[at+2] = 40
	if e := faultOf(t, "second block.xz", multi, nil); e.Kind != TooLarge {
		t.Errorf("in the second block: %v", e)
	}
	window := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xff, 0x01, 0x00, 0x00} // the largest there can be
	if e := faultOf(t, "window.zst", window, nil); e.Kind != TooLarge {
		t.Errorf("zstd window: %v", e)
	}
}

func TestOwnErrorsPass(t *testing.T) {
	data := gz([]byte("x"))
	mine := errors.New("disk full")
	err := Expand(t.Context(), bytes.NewReader(data), int64(len(data)), "a.gz", &Budget{Bytes: 9, Members: 9, Depth: 9},
		func(string, io.Reader) error { return mine })
	if err != mine {
		t.Errorf("emit's error became %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = Expand(ctx, bytes.NewReader(data), int64(len(data)), "a.gz", &Budget{Bytes: 9, Members: 9, Depth: 9},
		func(_ string, r io.Reader) error { _, err := io.ReadAll(r); return err })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context became %v", err)
	}
	err = Expand(t.Context(), failingDisk{data}, 100, "a.gz", &Budget{Bytes: 9, Members: 9, Depth: 9},
		func(_ string, r io.Reader) error { _, err := io.ReadAll(r); return err })
	if _, is := errors.AsType[*Error](err); is || !errors.Is(err, errDisk) {
		t.Errorf("an error of the disk became %v", err)
	}
}

var errDisk = errors.New("input/output error")

// failingDisk gives the beginning of a file and then an error.
type failingDisk struct{ head []byte }

func (f failingDisk) ReadAt(p []byte, off int64) (int, error) {
	if off > 0 {
		return 0, errDisk
	}
	return copy(p, f.head[:12]), nil
}

func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"a.profraw": "a.profraw", "": "unnamed", "/": "unnamed", "..": "unnamed", "../..": "unnamed",
		"a/../../b": "b", "./a//b/": "a/b", `a\b`: "a/b", "a\x00b\n": "a\uFFFDb\uFFFD", "a\xffb": "a\uFFFDb",
		"\u202egnp.exe": "\uFFFDgnp.exe", strings.Repeat("x", 300) + ".profraw": strings.Repeat("x", 247) + ".profraw",
	} {
		if got := CleanName(name); got != want {
			t.Errorf("CleanName(%q) = %q, want %q", name, got, want)
		}
	}
}

// What is not packed must never be taken for an archive.
func TestProfilesAreNotArchives(t *testing.T) {
	for _, head := range []string{
		"\x81rforpl\xff\x08\x00", "\xfflprofr\x81", "\xfflprofi\x81", ":ir\nmain\n1\n", "BZh9 is a function\n12\n",
		"PK\x07\x08", "", "\x1f", strings.Repeat("\x00", 600),
	} {
		if Packed(strings.NewReader(head)) {
			t.Errorf("%.20q was taken for an archive", head)
		}
	}
}

func FuzzExpand(f *testing.F) {
	content := []byte("counters\n")
	for _, data := range [][]byte{gz(content), zst(content), xzip(content), bz2,
		zipped(file{"a", "x"}, file{"b.gz", string(gz(content))}),
		tarred(file{"a", "x"}), gz(tarred(file{"a.zip", string(zipped(file{"c", "d"}))})), []byte("plain")} {
		f.Add(data)
	}
	paths, _ := filepath.Glob("testdata/real.*")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		b := &Budget{Bytes: 1 << 16, Members: 20, Depth: 3}
		files, err := expand(t, "input", data, b)
		total := 0
		for _, file := range files {
			total += len(file.Content)
			if file.Name != CleanName(file.Name) {
				t.Errorf("%q is not a safe name", file.Name)
			}
		}
		if Packed(bytes.NewReader(data)) && total > 1<<16 {
			t.Errorf("%d bytes came out", total)
		}
		if err == nil && len(files) == 0 {
			t.Error("neither a file nor an error")
		}
		if err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Errorf("%v is not an *Error", err)
			}
		}
	})
}

// A disk that fails while an archive is read is no fault of the archive, wherever the
// reading has come to.
func TestDiskFaultsAreNotTheArchives(t *testing.T) {
	for _, name := range []string{
		"real.gz", "real.bz2", "real.xz", "real.tar.xz", "real.zst", "real.zip", "real.gnu.tar", "real.v7.tar",
	} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range []int64{0, 1, int64(len(data)) / 3, int64(len(data)) - 1} {
			for _, disk := range []error{errDisk, &fs.PathError{Op: "read", Path: "/staging/x", Err: syscall.EIO}} {
				err := Expand(t.Context(), brokenAt{data, at, disk}, int64(len(data)), name, &Budget{
					Bytes: 1 << 30, Members: 99, Depth: 9,
				},
					func(_ string, r io.Reader) error { _, err := io.Copy(io.Discard, r); return err })
				if err == nil && at > int64(len(data))/2 && strings.Contains(name, ".tar") {
					continue // what follows the last file was not read
				}
				if _, is := errors.AsType[*Error](err); is || !errors.Is(err, disk) {
					t.Errorf("%s: the disk failing at %d with %T became %v", name, at, disk, err)
				}
			}
		}
	}
}

// brokenAt cannot be read from a place on.
type brokenAt struct {
	data []byte
	at   int64
	err  error
}

func (b brokenAt) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	if off < b.at {
		n = copy(p, b.data[off:b.at])
	}
	if n < len(p) {
		return n, b.err
	}
	return n, nil
}
