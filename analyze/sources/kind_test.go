package sources_test

import (
	"testing"

	"proflens/analyze/sources"
)

// Whose a file is, is told by whole names of directories and by the names that tools give.
func TestKindOf(t *testing.T) {
	for path, want := range map[string]sources.Kind{
		"src/json_value.cpp":                      sources.Own,
		"src/latest/contest.cpp":                  sources.Own,
		"include/json/value.h":                    sources.Own,
		"src/protest.pb":                          sources.Own,
		"":                                        sources.Own,
		"vendor/memchr/src/lib.rs":                sources.Dependencies,
		"vendor/memchr/tests/tests.rs":            sources.Dependencies,
		"third_party/gtest/gtest.h":               sources.Dependencies,
		"usr/include/c++/14/bits/stl_vector.h":    sources.Dependencies,
		`C:\work\deps\zlib\inflate.c`:             sources.Dependencies,
		"home/a/.cargo/registry/src/x/lib.rs":     sources.Dependencies,
		"rustc/0a1b/library/core/src/iter.rs":     sources.Dependencies,
		"re2/testing/regexp_test.cc":              sources.Tests,
		"src/regexp_unittest.cc":                  sources.Tests,
		"src/test_lib_json/main.cpp":              sources.Tests,
		"tests/html.rs":                           sources.Tests,
		"src/parser.pb.cc":                        sources.Generated,
		"target/debug/build/x-1/out/grammar.rs":   sources.Generated,
		"gui/moc_window.cpp":                      sources.Generated,
		"../../../../../../../../..//\x00/\xff*[": sources.Own,
	} {
		if got := sources.KindOf(path); got != want {
			t.Errorf("%q is %q, not %q", path, got, want)
		}
	}
}
