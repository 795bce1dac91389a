package names

import (
	"testing"

	"proflens/internal/memtest"
)

func TestSplit(t *testing.T) {
	tests := []struct{ pgo, path, linkage string }{
		{"", "", ""},
		{"foo", "", "foo"},
		{"_ZN3foo3barEv", "", "_ZN3foo3barEv"},

		// IR instrumentation since LLVM 18.
		{"dir/a.c;foo", "dir/a.c", "foo"},
		{"<unknown>;foo", "<unknown>", "foo"},
		{"a.c;foo;bar", "a.c", "foo;bar"},
		{"a.cpp;_ZN3fooEv.llvm.123", "a.cpp", "_ZN3fooEv.llvm.123"},
		{"graph.d250d1ff47cf8e3d-cgu.0;_RNvC5graph4main", "graph.d250d1ff47cf8e3d-cgu.0", "_RNvC5graph4main"},
		{"a.m;-[Foo bar:baz:]", "a.m", "-[Foo bar:baz:]"},
		{`C:\src\x.c;foo`, `C:\src\x.c`, "foo"},
		{"no extension;foo", "no extension", "foo"},
		{"b/odd, names.c;f", "b/odd, names.c", "f"},
		{";foo", "", "foo"},
		{"foo;", "", "foo;"},
		{";", "", ";"},

		// Before, and front-end instrumentation.
		{"dir/a.c:foo", "dir/a.c", "foo"},
		{"a.CPP:foo", "a.CPP", "foo"},
		{"b/expr/expr.cpp:_ZN4calc12_GLOBAL__N_11P4atomEv", "b/expr/expr.cpp", "_ZN4calc12_GLOBAL__N_11P4atomEv"},
		{"<unknown>:foo", "<unknown>", "foo"},
		{`C:\x.c:foo`, `C:\x.c`, "foo"},
		{`C:/x/y.cc:?f@@YAXXZ`, `C:/x/y.cc`, "?f@@YAXXZ"},
		{"main.rs:_RNvC4main3foo", "main.rs", "_RNvC4main3foo"},
		{"graph.7x-cgu.12:_RNvC5graph4main", "graph.7x-cgu.12", "_RNvC5graph4main"},
		{"ld-temp.o:foo", "ld-temp.o", "foo"},
		{"a.swift:$s1a3fooyyF", "a.swift", "$s1a3fooyyF"},
		{"a.m:-[Foo bar:]", "a.m", "-[Foo bar:]"},
		{"a.mm:+[Foo bar:baz:]", "a.mm", "+[Foo bar:baz:]"},
		{"a.c:b.c:foo", "a.c", "b.c:foo"},
		{"a.c:", "", "a.c:"},

		// A ':' that ends no path.
		{"-[Foo bar:baz:]", "", "-[Foo bar:baz:]"},
		{"+[Foo(Category) bar.c:]", "", "+[Foo(Category) bar.c:]"},
		{"ns::foo", "", "ns::foo"},
		{"a.c::foo", "", "a.c::foo"},
		{"a.cc::b.c:foo", "a.cc::b.c", "foo"},
		{"a:::b", "", "a:::b"},
		{"foo:bar", "", "foo:bar"},
		{`C:\x:foo`, "", `C:\x:foo`},
		{"a.unheard:foo", "", "a.unheard:foo"},
		{".c:foo", "", ".c:foo"},
		{":foo", "", ":foo"},
		{"x-cgu.:foo", "", "x-cgu.:foo"},
		{"\xff\xfe.c:\x80", "\xff\xfe.c", "\x80"},
	}
	for _, tt := range tests {
		if path, linkage := Split([]byte(tt.pgo)); path != tt.path || linkage != tt.linkage {
			t.Errorf("Split(%q) = %q, %q; want %q, %q", tt.pgo, path, linkage, tt.path, tt.linkage)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"dir/a.c;foo", "a.m:-[Foo bar:]", `C:\x.c:foo`, "a::b", "<unknown>:x"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, pgo []byte) {
		defer memtest.Watch(t, len(pgo))()
		path, linkage := Split(pgo)
		if len(pgo) > 0 && linkage == "" {
			t.Errorf("no linkage name in %q", pgo)
		}
		switch {
		case path+linkage == string(pgo):
		case path+";"+linkage == string(pgo), path+":"+linkage == string(pgo):
		default:
			t.Errorf("Split(%q) = %q, %q", pgo, path, linkage)
		}
	})
}
