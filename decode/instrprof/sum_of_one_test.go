package instrprof_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// The sum of one indexed file is what adding it up gives, whether its records stay where
// they stand or, because a name, a record or nothing is there twice, are added up.
func TestSumOfOneFile(t *testing.T) {
	files := map[string][]byte{}
	paths, err := filepath.Glob("testdata/indexed/*.profdata")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		if files[path], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	unsorted := builtSample(13)
	unsorted.names[0].records[0].hash, unsorted.names[0].records[1].hash = 12, 11
	unsorted.names[1].records[0].calls[0] = instrprof.ValueSite{
		{Value: 1, Count: 2}, {Value: 2, Count: 9}, {Value: 3, Count: 2},
	}
	files["hashes and values in another order"] = unsorted.bytes()
	twice := builtSample(12)
	twice.names = append(twice.names, twice.names[0])
	files["a name twice"] = twice.bytes()
	same := builtSample(11)
	same.names[0].records[1] = same.names[0].records[0]
	files["a record twice"] = same.bytes()
	unnamed := builtSample(10)
	unnamed.names[2].name = ""
	files["a record without a name"] = unnamed.bytes()
	inPlace := 0
	for what, data := range files {
		x, err := instrprof.OpenIndexed(data, nil)
		if err != nil {
			t.Fatal(what, err)
		}
		got, err := sums.Of(t.Context(), x)
		m := sums.NewMerger()
		if other := m.Add(t.Context(), "", x, 1); err != nil || other != nil {
			t.Fatal(what, err, other)
		}
		if _, merged := got.(*sums.Merged); !merged {
			inPlace++
		}
		want := m.Source()
		if diff := cmp.Diff(recordsOf(want), recordsOf(got), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		if diff := cmp.Diff(want.Info(), got.Info(), cmpopts.EquateEmpty(),
			cmpopts.IgnoreUnexported(instrprof.Info{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
		if !slices.Equal(want.BySymbol(), got.BySymbol()) || !slices.Equal(want.ByName(), got.ByName()) {
			t.Errorf("%s: in another order", what)
		}
		order := got.ByName()
		for i := 1; i < len(order); i++ {
			if a, b := order[i-1], order[i]; want.SameName(a, b) != got.SameName(a, b) {
				t.Errorf("%s: records %d and %d are of one name to one of them only", what, a, b)
			}
		}
		if !bytes.Equal(proftext(t, want), proftext(t, x)) {
			t.Errorf("%s: another text", what)
		}
		compareLookup(t, what, want, x)
	}
	if inPlace != len(files)-3 {
		t.Errorf("%d of %d files are read where their records stand", inPlace, len(files))
	}
}

// compareLookup looks up every record of a sum in its one file, by the file's order and by
// another, and what is not there.
func compareLookup(t *testing.T, what string, want sums.Records, file instrprof.Source) {
	t.Helper()
	l, err := sums.LookupOf(t.Context(), file)
	if err != nil {
		t.Fatal(what, err)
	}
	names := map[int32]string{}
	inOrder, bySymbol := make([]uint32, want.Info().Records), want.BySymbol()
	for i := range inOrder {
		inOrder[i] = uint32(i)
	}
	slices.Reverse(bySymbol)
	for f := range want.Each(append(inOrder, bySymbol...)) {
		same, name := l.Find(f)
		if same == nil {
			t.Fatalf("%s: %s with hash %d is not found", what, f.Name, f.FuncHash)
		}
		if had, ok := names[name]; ok && had != string(f.Name) {
			t.Errorf("%s: %s and %s are name %d", what, had, f.Name, name)
		}
		names[name] = string(f.Name)
		if !bytes.Equal(same.Name, f.Name) || !slices.Equal(same.Counters, f.Counters) ||
			!cmp.Equal(same.Sites, f.Sites, cmpopts.EquateEmpty()) {
			t.Errorf("%s: %+v is found as %+v", what, f, same)
		}
		if same, again := l.Find(&instrprof.Function{Name: f.Name, NameRef: f.NameRef, FuncHash: 1 << 50}); same != nil ||
			again != name {
			t.Errorf("%s: %s has a record %+v of name %d", what, f.Name, same, again)
		}
	}
	if same, name := l.Find(&instrprof.Function{Name: []byte("nobody's")}); same != nil || name >= 0 {
		t.Errorf("%s: found %+v of name %d", what, same, name)
	}
}

// recordsOf is everything of a sum but its order, each record read by number too.
func recordsOf(s sums.Records) (all []instrprof.Function) {
	read, n := s.Reader(), uint32(0)
	for f := range s.Functions() {
		again := read(n)
		if again.FuncHash != f.FuncHash {
			return nil
		}
		copied := *again
		copied.Counters, copied.Bitmap, copied.Uniformity, copied.Item = slices.Clone(f.Counters), slices.Clone(f.Bitmap),
			slices.Clone(f.Uniformity), 0
		for k, sites := range f.Sites {
			copied.Sites[k] = nil
			for _, site := range sites {
				copied.Sites[k] = append(copied.Sites[k], slices.Clone(site))
			}
		}
		all = append(all, copied)
		n++
	}
	return all
}

// The context ends reading one file.
func TestSumOfOneFileEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	x, err := instrprof.OpenIndexed(builtSample(13).bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sums.Of(ctx, x); err != context.Canceled {
		t.Error(err)
	}
}
