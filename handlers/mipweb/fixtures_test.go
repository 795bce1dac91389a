package mipweb_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// uploadedFixture is what the JSON beside a fixture says of it.
type uploadedFixture struct {
	paths  []string // of the files, in the fixtures
	want   map[string]any
	joined bool // of several runs: only functions, totals and order are those of the JSON
}

// mipFixtures are all fixtures with what is expected of them.
func mipFixtures(t *testing.T) []uploadedFixture {
	t.Helper()
	read := func(path string) map[string]any {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var v map[string]any
		if err := json.Unmarshal(data, &v); err != nil {
			t.Fatal(path, err)
		}
		return v
	}
	var list []uploadedFixture
	err := filepath.WalkDir(filepath.Join(webtest.Root(), "decode/mip/testdata"),
		func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".json") {
				return err
			}
			v, rel := read(path), strings.TrimPrefix(filepath.Dir(path),
				filepath.Clean(filepath.Join(webtest.Root(), "decode/mip/testdata"))+"/")
			beside := func(key string) string { name, _ := v[key].(string); return filepath.Join(rel, name) }
			switch {
			case strings.HasSuffix(path, ".set.json"):
				f := uploadedFixture{paths: []string{beside("map")}, joined: true}
				for _, raw := range slices.Concat(anyList(v["raw"])) {
					f.paths = append(f.paths, filepath.Join(rel, raw.(string)))
				}
				f.want = read(filepath.Join(filepath.Dir(path), anyList(v["mip"])[0].(string)+".json"))
				list = append(list, f)
			case v["format"] == "mip-pair":
				list = append(list, uploadedFixture{paths: []string{beside("map"), beside("raw")}, want: v})
			case !strings.HasSuffix(path, ".mipraw.json") && v["ok"] != nil:
				list = append(list, uploadedFixture{
					paths: []string{filepath.Join(rel, strings.TrimSuffix(filepath.Base(path), ".json"))}, want: v,
				})
			}
			return nil
		})
	if err != nil || len(list) < 50 {
		t.Fatal(len(list), err)
	}
	return list
}

func anyList(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// Every fixture through an upload: good ones are ready and come out as their
// JSON, with every page; bad ones fail with their kind.
func TestMIPFixturesThroughUploads(t *testing.T) {
	l := webtest.Start(t, nil)
	good, bad := 0, 0
	for _, f := range mipFixtures(t) {
		parts := []string{}
		for _, path := range f.paths {
			data, err := os.ReadFile(filepath.Join(filepath.Join(webtest.Root(), "decode/mip/testdata"), path))
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, "file:"+filepath.Base(path), string(data))
		}
		body, ct := webtest.Form(t, parts...)
		a := l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", ct)
		if f.want["ok"] != true {
			bad++
			fault := f.want["error"].(map[string]any)
			kinds := anyList(fault["kind"])
			if more, has := fault["kinds_ok"]; has {
				kinds = anyList(more)
			}
			if got := a.Object(t)["kind"]; a.StatusCode != 422 || !slices.Contains(kinds, got) {
				t.Errorf("%v: %s, %v; want %v", f.paths, a.Status, got, kinds)
			}
			continue
		}
		good++
		if a.StatusCode != 201 {
			t.Errorf("%v: %s: %s", f.paths, a.Status, a.Text())
			continue
		}
		id := a.Object(t)["id"].(string)
		var got map[string]any
		if err := json.Unmarshal(l.OK("/api/v1/profiles/"+id+"/export/mip-json").Bytes, &got); err != nil {
			t.Fatal(err)
		}
		for key, want := range f.want {
			if slices.Contains([]string{"file", "map", "raw"}, key) || f.joined &&
				!slices.Contains([]string{"functions", "totals", "order"}, key) {
				continue
			}
			if !reflect.DeepEqual(got[key], want) {
				t.Errorf("%v: %s is %v, want %v", f.paths, key, got[key], want)
			}
		}
		if good%4 != 1 {
			continue // the pages of some are enough
		}
		for _, path := range mipPagePaths {
			if a := l.Get("/p/"+id+path, "Accept", "text/html"); a.StatusCode != 200 {
				t.Errorf("%v: %s answers %s: %s", f.paths, path, a.Status, a.Text())
			}
		}
	}
	if good < 30 || bad < 30 {
		t.Errorf("%d good ones, %d bad ones", good, bad)
	}
}

// mipPagePaths are the pages of every Machine IR Profile.
var mipPagePaths = []string{
	"", "/functions", "/tree", "/tree?by=path", "/dead", "/calls", "/order", "/runs", "/diagnostics", "/raw", "/downloads",
}
