package covdb_test

import (
	"os"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/profile"
)

// Reading, joining and storing a program; PROFLENS_COVERAGE names profile and program.
func BenchmarkStore(b *testing.B) {
	file, program := os.Getenv("PROFLENS_COVERAGE"), os.Getenv("PROFLENS_PROGRAM")
	if file == "" {
		b.Skip("PROFLENS_COVERAGE and PROFLENS_PROGRAM name nothing")
	}
	for b.Loop() {
		var files []format.File
		for _, path := range []string{file, program} {
			data, err := os.ReadFile(path)
			if err != nil {
				b.Fatal(err)
			}
			files = append(files, format.File{Name: path, Data: data})
		}
		p, err := decode.Open(b.Context(), files, format.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := profile.Write(b.Context(), b.TempDir()+"/p.db", profile.Input{Profile: p}, nil); err != nil {
			b.Fatal(err)
		}
	}
}
