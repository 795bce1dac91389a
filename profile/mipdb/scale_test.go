package mipdb_test

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/profile"
	"proflens/profile/mipdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"

	"proflens/decode/decodetest"
	"proflens/decode/format"
)

// scaleMIP makes the map of a program with so many functions, ten blocks in
// each, and so many runs, each of which executes another half of it.
func scaleMIP(functions, runs int) []format.File {
	const blocks = 10
	le := binary.LittleEndian
	rng := rand.New(rand.NewPCG(1, 2))
	header := func(kind uint16, rawSection int64) []byte {
		b := append([]byte("\xfbMIP"), 8, 0)
		b = le.AppendUint16(b, kind|0x10)
		b = le.AppendUint32(b, 0xe) // counts and blocks
		b = le.AppendUint32(b, 0x1234)
		b = le.AppendUint64(b, uint64(rawSection))
		return append(b, 0, 0, 0, 0, 32, 0, 0, 0)
	}
	const record = 20 // 8 + 10 bytes of counters, on a multiple of 4
	mapData := header(4, 1<<30)
	address := int64(0)
	for i := range functions {
		base := int64(1<<30) - int64(len(mapData))
		mapData = le.AppendUint64(mapData, uint64(base+int64(32+record*i)))
		mapData = le.AppendUint64(mapData, uint64(base+address-1<<31))
		size := 16*blocks + rng.IntN(400)
		address += int64(size)
		mapData = le.AppendUint32(mapData, uint32(size))
		mapData = le.AppendUint32(mapData, rng.Uint32())
		mapData = le.AppendUint32(mapData, blocks)
		for b := range blocks {
			mapData = le.AppendUint32(mapData, uint32(16*b+16*min(1, rng.IntN(20)))) // the first is removed now and then
		}
		scope, name := fmt.Sprintf("module%d", i%211), fmt.Sprintf("function%d", i)
		name = fmt.Sprintf("_ZN3app%d%s%d%sERKSt6vectorIiSaIiEE", len(scope), scope, len(name), name)
		mapData = le.AppendUint32(mapData, uint32(len(name)))
		mapData = append(mapData, name...)
		for len(mapData)%8 != 0 {
			mapData = append(mapData, 0)
		}
	}
	files := []format.File{{Name: "app.mipmap", Data: mapData}}
	for run := range runs {
		raw := header(1, 0)
		for range record * functions {
			raw = append(raw, 0xff)
		}
		first := uint32(0)
		for i := range functions {
			if (i*7+run*functions/50)%functions > functions/2 {
				continue
			}
			first++
			at := 32 + record*i
			le.PutUint32(raw[at:], uint32(rng.IntN(1000)+1))
			le.PutUint32(raw[at+4:], first)
			for b := range blocks {
				if rng.IntN(3) > 0 {
					raw[at+8+b] = 0
				}
			}
		}
		files = append(files, format.File{Name: fmt.Sprintf("%d.mipraw", run), Data: raw})
	}
	return files
}

// BenchmarkMIP measures decoding, storing and the pages of a machine IR profile
// of 300,000 functions, 3 million blocks and 50 runs.
func BenchmarkMIP(b *testing.B) {
	files := scaleMIP(300_000, 50)
	var d *format.Profile
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			var err error
			if d, err = decode.Open(b.Context(), files, format.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	path := filepath.Join(b.TempDir(), "p.db")
	b.Run("store", func(b *testing.B) {
		for b.Loop() {
			if _, err := profile.Write(b.Context(), path, profile.Input{Profile: d}, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	p := of(b, profiletest.At(b, path))
	no := false
	for _, page := range []struct {
		name string
		get  func() error
	}{
		{"functions", func() error { _, err := p.Functions(b.Context(), mipdb.Query{Limit: 100}); return err }},
		{"dead", func() error { _, err := p.Functions(b.Context(), mipdb.Query{Executed: &no, Limit: 100}); return err }},
		{"deep", func() error {
			_, err := p.Functions(b.Context(), mipdb.Query{
				Sort: []query.Key{{Column: mipdb.ColName, Desc: true}}, Offset: 250_000, Limit: 100,
			})
			return err
		}},
		{"text", func() error {
			_, err := p.Functions(b.Context(), mipdb.Query{Names: query.Names{Text: "vector<int"}, Limit: 100})
			return err
		}},
		{"only", func() error { _, err := p.Functions(b.Context(), mipdb.Query{OnlyRun: 7, Limit: 100}); return err }},
		{"tree", func() error {
			t, err := p.Tree(b.Context(), query.ByNamespace)
			if err == nil {
				t.Children(t.Root())
			}
			return err
		}},
		{"startup", func() error { _, err := p.Startup(b.Context(), mipdb.StartupQuery{}); return err }},
		{"startup of a run", func() error { _, err := p.Startup(b.Context(), mipdb.StartupQuery{Run: 9}); return err }},
		{"runs", func() error { _, err := p.Runs(b.Context()); return err }},
	} {
		b.Run(page.name+", cold", func(cold *testing.B) {
			for cold.Loop() {
				p = of(b, profiletest.At(b, path)) // which the next benchmark reads too
				if err := page.get(); err != nil {
					cold.Fatal(err)
				}
			}
		})
		b.Run(page.name, func(b *testing.B) {
			for b.Loop() {
				if err := page.get(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A profile of some thousand functions comes out of the store as it went in,
// counted over all its pages.
func TestMIPAtScale(t *testing.T) {
	d, err := decodetest.Open(t.Context(), scaleMIP(3000, 5), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := storeMIP(t, d.MIP)
	seen := map[int]bool{}
	for len(seen) < 3000 {
		page, err := p.Functions(t.Context(), mipdb.Query{
			Sort: []query.Key{{Column: mipdb.ColFirst}, {Column: mipdb.ColCalls, Desc: true}}, Offset: len(seen), Limit: 500,
		})
		if err != nil || len(page.Rows) != 500 {
			t.Fatal(len(seen), err)
		}
		for _, row := range page.Rows {
			seen[row.Index] = true
		}
	}
}
