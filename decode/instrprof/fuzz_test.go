package instrprof_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// addSeeds adds the files that match to a fuzz test's corpus.
func addSeeds(f *testing.F, pattern string) {
	f.Helper()
	files, _ := filepath.Glob(pattern)
	if len(files) == 0 {
		f.Fatal("no seeds: " + pattern)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
}

// checkFault fails unless err is a FormatError that says what is wrong.
func checkFault(t *testing.T, err error) {
	t.Helper()
	if fe, ok := errors.AsType[*model.FormatError](err); !ok || fe.Kind == "" || fe.Kind == model.KindInternal ||
		fe.Msg == "" {
		t.Fatalf("error %#v is no FormatError with kind and message", err)
	}
}

func FuzzIndexed(f *testing.F) {
	addSeeds(f, "testdata/indexed/*.profdata")
	for version := uint64(1); version <= 14; version++ {
		f.Add(builtSample(version).bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		var rec wire.Recorder
		x, err := instrprof.OpenIndexed(data, &rec)
		if err != nil {
			checkFault(t, err)
			return
		}
		end := uint64(len(data))
		for _, s := range rec.Sections() {
			if s.Offset > end || s.Size > end-s.Offset {
				t.Fatalf("section %s at %d+%d of %d", s.Name, s.Offset, s.Size, end)
			}
		}
		functions, _, _, err := drain(x)
		if err != nil {
			checkFault(t, err)
			return
		}
		for _, fn := range functions {
			if fn.Offset > end || fn.Size > end-fn.Offset {
				t.Fatalf("record of %q at %d+%d of %d", fn.Name, fn.Offset, fn.Size, end)
			}
		}
		proftext(t, x)
	})
}

func FuzzText(f *testing.F) {
	addSeeds(f, "testdata/text/*.proftext")
	addSeeds(f, "testdata/indexed/*.golden")
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		x, err := instrprof.OpenText(data, &wire.Recorder{})
		if err != nil {
			checkFault(t, err)
			return
		}
		functions, _, _, err := drain(x)
		if err != nil {
			checkFault(t, err)
			return
		}
		once := proftext(t, x)
		if x.Info().Variant.Has(instrprof.TemporalProf) || slices.ContainsFunc(functions, unwritable) {
			return // functions of a trace that have no record are written without a name
		}
		again, err := instrprof.OpenText(once, nil)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, once)
		}
		if twice := proftext(t, again); !bytes.Equal(once, twice) {
			t.Fatalf("written again it differs:\n%s\n---\n%s", once, twice)
		}
	})
}

// unwritable reports whether the text form, written and read, gives another
// record: llvm-profdata's own text has these holes too.
func unwritable(f instrprof.Function) bool {
	name := string(f.Name)
	return strings.HasPrefix(name, ":") || strings.HasPrefix(name, "$") || strings.ContainsRune(name, '\r') ||
		strings.ContainsRune(name, ',') || strings.Trim(name, "0123456789") == "" || strings.TrimSpace(name) != name
}

func FuzzMerge(f *testing.F) {
	files, _ := filepath.Glob("testdata/merge/*_a.proftext")
	for _, file := range files {
		a, _ := os.ReadFile(file)
		b, err := os.ReadFile(strings.TrimSuffix(file, "_a.proftext") + "_b.proftext")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(a, b)
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		defer memtest.Watch(t, len(a)+len(b))()
		ab, findingsAB := mergedCounters(t, a, b)
		ba, findingsBA := mergedCounters(t, b, a)
		if findingsAB || findingsBA {
			return // which of two records that do not fit together stays depends on the order
		}
		if !maps.Equal(ab, ba) {
			t.Fatalf("a + b is not b + a:\n%v\n%v", ab, ba)
		}
	})
}

// mergedCounters are the counters and bitmaps of two texts merged, by name and
// hash, and whether there is anything to say about the merge.
func mergedCounters(t *testing.T, texts ...[]byte) (counters map[string]string, findings bool) {
	m := sums.NewMerger()
	for _, text := range texts {
		x, err := instrprof.OpenText(text, nil)
		if err != nil {
			return nil, true
		}
		if err := m.Add(context.Background(), "", x, 1); err != nil {
			checkFault(t, err)
			return nil, true
		}
	}
	merged := m.Source()
	counters = map[string]string{}
	for f := range merged.Functions() {
		if f.IsPseudo() {
			f.Counters, f.Bitmap = f.Counters[:1], nil // what follows is the first record's
		}
		counters[fmt.Sprintf("%s %d", f.Name, f.FuncHash)] = fmt.Sprint(f.Counters, f.Bitmap)
	}
	return counters, len(merged.Findings()) > 0
}

// FuzzLocate looks for functions by number, in what may be a profile of either
// form.
func FuzzLocate(f *testing.F) {
	for _, pattern := range []string{"testdata/indexed/*.profdata", "testdata/raw/*.profraw"} {
		files, _ := filepath.Glob(pattern)
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, uint64(1))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, record uint64) {
		defer memtest.Watch(t, len(data))()
		for _, locate := range []func() (*model.Location, []model.Match, error){
			func() (*model.Location, []model.Match, error) {
				return instrprof.LocateRaw(data, nil, model.Wanted{Record: &record})
			},
			func() (*model.Location, []model.Match, error) {
				return instrprof.LocateIndexed(data, model.Wanted{Record: &record})
			},
		} {
			l, _, err := locate()
			if err != nil {
				checkFault(t, err)
			} else if l != nil && l.Record != record {
				t.Fatalf("record %d for %d", l.Record, record)
			}
		}
	})
}
