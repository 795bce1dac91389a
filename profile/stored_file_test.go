package profile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile"
	"proflens/profile/dcpidb"
	"proflens/profile/instrdb"
	"proflens/profile/memprofdb"
	"proflens/profile/mipdb"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

const testdata = "../decode/"

// small is a small profile with a map and a run, and its file.
func small(t *testing.T) (string, *format.Profile) {
	t.Helper()
	_, p := profiletest.Open(t, testdata+"mip/testdata/hand/two_cntblk.mipmap",
		testdata+"mip/testdata/hand/two_cntblk.mipraw")
	return profiletest.Path(t, p), p
}

// What is known of the whole comes back from the file as it was.
func TestOverviewComesBack(t *testing.T) {
	_, p := small(t)
	p.Info.BinaryIDs = [][]byte{{1, 2}, {0xff}}
	p.Info.Words = []string{"one", "two"}
	p.Info.Partial = []model.Partial{
		{File: "cut.mip", Section: "functions", End: 99, Missing: 1, Records: 1, Promised: 2, Leading: true},
	}
	p.Find(model.Finding{Severity: model.Warning, Code: "x.y", Kind: model.KindCorrupt, File: "f", Section: "s",
		Field: "n", Offset: 1<<64 - 1,
		Expected: "a", Found: "b", Message: "c", Cause: "d", Remedy: "e", Count: 3})
	files := []stored.Input{
		{Name: "first.mipmap", SHA256: "aa", Size: 1 << 40, Describe: "MIP map", Format: "mipmap", Version: 8,
			Sections: []model.Section{{Name: "header", Size: 32},
				{Name: "functions", Offset: 32, Size: 1<<64 - 1, Note: "all of it"}}},
		{Name: "second \xff", SHA256: "bb", Size: 0, Sections: []model.Section{{Name: "header", Size: 32}}},
	}
	path := filepath.Join(t.TempDir(), "profile.db")
	figures, err := profile.Write(t.Context(), path, profile.Input{Profile: p, Files: files}, nil)
	if err != nil {
		t.Fatal(err)
	}
	db := profiletest.At(t, path)
	o := db.Overview
	want := p.Info
	if diff := cmp.Diff(want, o.Info); diff != "" {
		t.Errorf("info: %s", diff)
	}
	if diff := cmp.Diff(files, o.Inputs); diff != "" {
		t.Errorf("files: %s", diff)
	}
	if diff := cmp.Diff(p.Findings(), o.Findings[:len(p.Findings())]); diff != "" {
		t.Errorf("findings: %s", diff)
	}
	if o.Storing || db.Storing() || db.Content().Size() == 0 || len(db.ID()) < 20 || !db.Has("mip") || db.Has("instr") {
		t.Errorf("storing %v, %d bytes, id %q", o.Storing, db.Content().Size(), db.ID())
	}
	if figures.Describe != want.Describe || figures.Finding == nil || figures.Finding.Code != "x.y" ||
		len(figures.Partial) != 2 {
		t.Errorf("%+v", figures)
	}
}

// Two files of one profile have ids of their own: what is computed of one is not
// taken for the other's.
func TestEachFileHasItsOwnID(t *testing.T) {
	path, p := small(t)
	again := profiletest.Path(t, p)
	if a, b := profiletest.At(t, path).ID(), profiletest.At(t, again).ID(); a == b {
		t.Errorf("both are %s", a)
	}
	if a, b := profiletest.At(t, path).ID(), profiletest.At(t, path).ID(); a != b {
		t.Errorf("one file is %s and %s", a, b)
	}
}

func TestOpenMissingFile(t *testing.T) {
	_, err := stored.Open(filepath.Join(t.TempDir(), "gone.db"))
	if !errors.Is(err, os.ErrNotExist) || errors.Is(err, stored.ErrDamaged) {
		t.Error(err)
	}
}

// damaged writes bytes to a file and opens it.
func damaged(t *testing.T, data []byte) (*stored.Profile, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "damaged.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := stored.Open(path)
	if err == nil {
		t.Cleanup(func() { p.Close() })
	}
	return p, err
}

func TestTruncatedFilesAreDamaged(t *testing.T) {
	path, _ := small(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{0, 1, 15, 16, 99, 100, 4095, 4096, len(data) / 2, len(data) - 4096, len(data) - 1} {
		if _, err := damaged(t, data[:size]); !errors.Is(err, stored.ErrDamaged) {
			t.Errorf("%d of %d bytes: %v", size, len(data), err)
		}
	}
	if _, err := damaged(t, data); err != nil {
		t.Errorf("the whole file: %v", err)
	}
}

// A file of which any part was overwritten is read, or found damaged; nothing
// else, and no panic.
func TestOverwrittenFilesAreDamagedOrRead(t *testing.T) {
	path, _ := small(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wrong := 0
	dir := t.TempDir()
	for at := 0; at < len(data); at += 211 {
		for _, with := range [][]byte{bytes.Repeat([]byte{0xff}, 16), make([]byte, 16), {0x80}} {
			broken := bytes.Clone(data)
			copy(broken[at:], with)
			path := filepath.Join(dir, "x.db")
			if err := os.WriteFile(path, broken, 0o600); err != nil {
				t.Fatal(err)
			}
			err := readAll(t, path)
			if err != nil && !errors.Is(err, stored.ErrDamaged) {
				t.Fatalf("byte %d: %v is not told as damage", at, err)
			}
			if err != nil {
				wrong++
			}
		}
	}
	if wrong == 0 {
		t.Error("no damage was found in any file")
	}
}

// readAll reads what a file of Machine IR has.
func readAll(t *testing.T, path string) error {
	p, err := stored.OpenWith(path, stored.NewCache(0))
	if err != nil {
		return err
	}
	defer p.Close()
	m, err := mipdb.Of(p)
	if errors.Is(err, stored.ErrNoPart) {
		return nil
	} else if err != nil {
		return err
	}
	page, err := m.Functions(t.Context(), mipdb.Query{Limit: 10})
	if err == nil && len(page.Rows) > 0 {
		_, err = m.Runs(t.Context())
	}
	return err
}

// A file of another schema is not read but told damaged, so that its originals are
// decoded again; so is one without an id, by which the cache would mix files up.
func TestFilesOfAnotherSchemaAreDamaged(t *testing.T) {
	path, _ := small(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// A record of the meta table: its header says what follows: TEXT of six
	// bytes, an integer of a byte; then both.
	schema := append([]byte("schema"), stored.SchemaVersion)
	if n := bytes.Count(data, schema); n != 1 {
		t.Fatalf("the schema version stands %d times", n)
	}
	at := bytes.Index(data, schema) + len("schema")
	for _, version := range []byte{0, stored.SchemaVersion - 1, stored.SchemaVersion + 1, 0xff} {
		other := bytes.Clone(data)
		other[at] = version
		if _, err := damaged(t, other); !errors.Is(err, stored.ErrDamaged) ||
			!bytes.Contains([]byte(err.Error()), []byte("schema version")) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	id := bytes.Index(data, []byte("file_id"+profiletest.At(t, path).ID()))
	for key, at := range map[string]int{"schema": at - len("schema"), "file_id": id} {
		other := bytes.Clone(data)
		copy(other[at:], "UNKNOWN"[:len(key)])
		if _, err := damaged(t, other); !errors.Is(err, stored.ErrDamaged) {
			t.Errorf("without %s: %v", key, err)
		}
	}
}

// A database that is none of ours has no tables of ours.
func TestOtherDatabasesAreDamaged(t *testing.T) {
	image, err := stored.Image("CREATE TABLE guest(id INTEGER PRIMARY KEY, name TEXT)", stored.Pages)
	if err != nil {
		t.Fatal(err)
	}
	if v := binary.BigEndian.Uint32(image[60:]); v != stored.SchemaVersion {
		t.Errorf("user_version is %d", v)
	}
	if _, err := damaged(t, image); !errors.Is(err, stored.ErrDamaged) {
		t.Error(err)
	}
	if _, err := stored.Image("CREATE TABEL guest(id)", stored.SmallPages); err == nil {
		t.Error("a statement that is no SQL was run")
	}
}

// A handle that is shared is given back by its own means, and the file stays open
// for the others.
func TestSharedHandles(t *testing.T) {
	path, _ := small(t)
	p := profiletest.At(t, path)
	given := 0
	fault := errors.New("given back twice")
	a, b := p.Share(func() error { given++; return nil }), p.Share(func() error { return fault })
	if a.ID() != p.ID() || a.Overview != p.Overview {
		t.Error("a handle has something of its own")
	}
	if err := a.Close(); err != nil || given != 1 {
		t.Errorf("%v, given back %d times", err, given)
	}
	if err := b.Close(); err != fault {
		t.Error(err)
	}
	if _, err := p.Table("meta"); err != nil {
		t.Error(err)
	}
	if err := p.Walk("file", func(*stored.Row) {}); err != nil {
		t.Errorf("the file was closed with a handle: %v", err)
	}
}

// What a family makes of a file is made once for all handles, however many ask at
// once, and works when the handle that asked first is closed.
func TestPartsAreMadeOnce(t *testing.T) {
	path, _ := small(t)
	p := profiletest.At(t, path)
	var wg sync.WaitGroup
	parts := make([]*mipdb.Profile, 8)
	for i := range parts {
		wg.Go(func() {
			handle := p.Share(func() error { return nil })
			part, err := mipdb.Of(handle)
			if err != nil {
				t.Error(err)
			}
			parts[i] = part
			handle.Close()
		})
	}
	wg.Wait()
	for _, part := range parts {
		if part.Overview != parts[0].Overview {
			t.Error("the part was made twice")
		}
	}
	if page, err := parts[0].Functions(t.Context(), mipdb.Query{Limit: 5}); err != nil || len(page.Rows) != 2 {
		t.Errorf("%+v, %v", page, err)
	}
}

// Asking for a part that a file has not is no damage.
func TestPartsThatAreNotThere(t *testing.T) {
	path, _ := small(t)
	p := profiletest.At(t, path)
	_, instr := instrdb.Of(p)
	_, heap := memprofdb.Of(p)
	_, samples := dcpidb.Of(p)
	for family, err := range map[model.Family]error{"instr": instr, "memprof": heap, "dcpi": samples} {
		if !errors.Is(err, stored.ErrNoPart) || errors.Is(err, stored.ErrDamaged) {
			t.Errorf("%s: %v", family, err)
		}
	}
	if _, err := p.Table("record"); !errors.Is(err, stored.ErrDamaged) {
		t.Errorf("a table that is missing: %v", err)
	}
	if err := p.Walk("nothing", func(*stored.Row) {}); !errors.Is(err, stored.ErrDamaged) {
		t.Errorf("walking a table that is missing: %v", err)
	}
}

// A profile without its tables has those of an empty database in their place.
func TestWithoutHasOtherTables(t *testing.T) {
	path, _ := small(t)
	p := profiletest.At(t, path)
	image, err := stored.Image("CREATE TABLE meta(key, value); CREATE TABLE guest(id INTEGER PRIMARY KEY)", stored.Pages)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := p.Without(image)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	if err := empty.Walk("meta", func(*stored.Row) { rows++ }); err != nil || rows != 0 {
		t.Errorf("%d rows, %v", rows, err)
	}
	if empty.Has("mip") || !p.Has("mip") || empty.Meta().Word("describe") != "" {
		t.Error("it has what the profile has, or the profile lost it")
	}
	if _, err := p.Without([]byte("no database")); !errors.Is(err, stored.ErrDamaged) {
		t.Error(err)
	}
}

func TestMetaNumbersAndWords(t *testing.T) {
	path, p := small(t)
	m := profiletest.At(t, path).Meta()
	if m.Number("schema") != stored.SchemaVersion || m.Int("schema") != stored.SchemaVersion || m.Word("part") != "mip" ||
		m.Word("describe") != p.Info.Describe {
		t.Errorf("%d, %q, %q", m.Number("schema"), m.Word("part"), m.Word("describe"))
	}
	if m.Number("nothing") != 0 || m.Word("nothing") != "" || m.Words("nothing") != nil {
		t.Error("there is something of nothing")
	}
}
