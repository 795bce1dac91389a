package main

import (
	"encoding/json"
	"os"
	"runtime/debug"
	"slices"
	"testing"
)

// A bill names every module, Go itself and the fonts.
func TestBill(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8 X:something", Main: debug.Module{Path: "proflens"},
		Deps: []*debug.Module{
			{Path: "a.example/x", Version: "v1.0.0", Sum: "h1:abc="},
			{Path: "b.example/y", Version: "v1.0.0", Replace: &debug.Module{Path: "c.example/z", Version: "v2.0.0"}},
		},
		Settings: []debug.BuildSetting{{Key: "GOOS", Value: "plan9"}, {Key: "vcs.time", Value: "2026-01-02T03:04:05Z"}},
	}
	b, err := newBill(info, []byte("content"), "v1")
	if err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile("../../../package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.addBundled(lock); err != nil {
		t.Fatal(err)
	}
	var purls []string
	for _, c := range b.Components {
		purls = append(purls, c.Purl)
	}
	want := []string{"pkg:golang/stdlib@1.26.8", "pkg:golang/a.example/x@v1.0.0", "pkg:golang/c.example/z@v2.0.0"}
	if len(purls) != 5 || !slices.Equal(purls[:3], want) || len(b.Dependencies[0].On) != 5 {
		t.Errorf("%q, expected %q and two fonts", purls, want)
	}
	for _, c := range b.Components[3:] {
		if c.Version == "" || len(c.Licenses) != 1 || c.Licenses[0].License.ID == "" {
			t.Errorf("%+v", c)
		}
	}
	text, err := json.Marshal(b)
	if err != nil || b.Metadata.Timestamp != "2026-01-02T03:04:05Z" || b.Metadata.Component.Hashes[0].Alg != "SHA-256" ||
		len(b.Serial) != 45 {
		t.Errorf("%s, %v", text, err)
	}
	again, err := newBill(info, []byte("content"), "v1")
	if err != nil || again.Serial != b.Serial {
		t.Error("the same binary has another serial number")
	}
}
