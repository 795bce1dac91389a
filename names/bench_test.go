package names

import (
	"bytes"
	"testing"
)

// BenchmarkDemangle has the names of a few profiles, those of Rust among them,
// in every mode; and the C++ names of the sample, ours against the library.
func BenchmarkDemangle(b *testing.B) {
	linkage := lines(b, "names.txt")
	for _, mode := range []Mode{Full, Short, NoTemplates} {
		b.Run(string(mode), func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				Demangle(linkage[i%len(linkage)], mode)
			}
		})
	}
	cpp := first(sample(b))
	b.Run("cpp", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			demangleItanium(cpp[i*31%len(cpp)], Full)
		}
	})
	b.Run("cpp by library", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			demangleSymbol(cpp[i*31%len(cpp)], Full)
		}
	})
}

func BenchmarkCache(b *testing.B) {
	linkage := lines(b, "names.txt")
	c := NewCache(8 << 20)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		c.Demangle(linkage[i%len(linkage)], Full)
	}
}

func BenchmarkSplitDemangled(b *testing.B) {
	texts := lines(b, "demangled.txt")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		SplitDemangled(texts[i%len(texts)])
	}
}

// BenchmarkMatch looks at a name at a time, as a scan of a table of names does.
func BenchmarkMatch(b *testing.B) {
	var names [][]byte
	bytes := 0
	for _, name := range lines(b, "names.txt") {
		names = append(names, []byte(name))
		bytes += len(name)
	}
	for _, q := range []struct{ name, text, re string }{
		{"rare text", "SmallVectorImpl<llvm::Value*>", ""},
		{"rare word", "lookupBucketFor", ""},
		{"frequent word", "eigen", ""},
		{"frequent text", "Eigen::Matrix<double", ""},
		{"synthetic", "unsigned long", ""},
		{"rare regexp", "", "Small(Vector|Set)Impl"},
		{"regexp", "", ".*Vector.*push_back.*Value"},
	} {
		b.Run(q.name, func(b *testing.B) {
			m, err := NewMatcher(q.text, q.re)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(bytes / len(names)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				m.Match(names[i%len(names)])
			}
		})
	}
}

// BenchmarkFolded searches 16 MB of names in one piece.
func BenchmarkFolded(b *testing.B) {
	one := []byte{}
	for _, name := range lines(b, "names.txt") {
		one = append(append(one, name...), '\n')
	}
	arena := bytes.Repeat(one, 16<<20/len(one))
	f := newFolded([]byte("lookupBucketFor"))
	b.SetBytes(int64(len(arena)))
	b.ReportAllocs()
	for b.Loop() {
		if f.index(arena) >= 0 {
			b.Fatal("found")
		}
	}
}
