package dcpi_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

const dcpiDatabase = "testdata/db/"

// database is the fixture's files, and a listing beside them.
func database(t *testing.T, listing string) []format.File {
	t.Helper()
	paths, err := filepath.Glob(dcpiDatabase + "*/*/app_660b03cd5eed_*s")
	if err != nil || len(paths) != 8 {
		t.Fatal(paths, err)
	}
	var files []format.File
	for _, path := range append(paths, dcpiDatabase+listing) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: path, Data: data})
	}
	return files
}

type table struct {
	Rows []struct {
		Procedure *string
		Samples   uint64
	}
}

// TestProceduresOfADatabase holds the sums by procedure against the tables that
// come with the fixture.
func TestProceduresOfADatabase(t *testing.T) {
	var want struct {
		Combined map[string]struct {
			With    table `json:"with_sizes"`
			Without table `json:"without_sizes"`
		}
	}
	text, err := os.ReadFile(dcpiDatabase + "expected.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for _, listing := range []string{"app.nm", "app.nmS"} {
		p, err := decodetest.Open(context.Background(), database(t, listing), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]map[string]uint64{}
		for profile := range p.DCPI.Profiles() {
			procedures := analyze.NewProcedureMap(p.DCPI.Listings[0].Procedures, profile.TextStart+profile.TextSize)
			if got[profile.Event] == nil {
				got[profile.Event] = map[string]uint64{}
			}
			for chunk := range profile.Each {
				for i, n := range chunk.Counts {
					name := ""
					if at, ok := procedures.Find(profile.TextStart + chunk.Offset + profile.Stride*uint64(i)); ok {
						procedure, _ := procedures.At(at)
						name = procedure.Name
					}
					if n > 0 {
						got[profile.Event][name] += uint64(n)
					}
				}
			}
		}
		for event, tables := range want.Combined {
			expected := tables.Without
			if listing == "app.nmS" {
				expected = tables.With
			}
			rows := map[string]uint64{}
			for _, row := range expected.Rows {
				if row.Procedure == nil {
					rows[""] = row.Samples
				} else {
					rows[*row.Procedure] = row.Samples
				}
			}
			if diff := cmp.Diff(rows, got[event]); diff != "" {
				t.Errorf("%s of %s:\n%s", event, listing, diff)
			}
		}
	}
}

func TestADatabaseIsOneGroup(t *testing.T) {
	files := database(t, "app.nm")
	var recognised []format.Recognised
	for _, f := range files {
		recognised = append(recognised, decode.Recognise(f.Name, f.Data))
	}
	if groups := format.Group(recognised); len(groups) != 1 || len(groups[0]) != len(files) {
		t.Errorf("%v", groups)
	}
	if last := recognised[len(files)-1]; !last.Is(symbol.FormatNM) || last.Err == nil {
		t.Errorf("%+v", last)
	}
	mixed := slices.Concat(files[:1], []format.File{{Name: "a.proftext", Data: []byte("main\n1\n1\n1\n")}})
	if _, err := decodetest.Open(context.Background(), mixed,
		format.Options{}); model.KindOf(err) != model.KindIncompatible {
		t.Errorf("a text profile joined a database: %v", err)
	}
}
