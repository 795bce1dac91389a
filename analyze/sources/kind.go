package sources

import (
	"path"
	"slices"
	"strings"
)

// Kind is what a source file is to those who work on the program.
type Kind string

// The kinds.
const (
	Own          Kind = ""
	Generated    Kind = "generated"
	Tests        Kind = "tests"
	Dependencies Kind = "dependencies"
)

// Others are the kinds of files that are not one's own.
var Others = []Kind{Tests, Dependencies, Generated}

// Compare orders kinds: one's own first, then as Others has them. other is a *Kind.
func (k *Kind) Compare(other any) int {
	return slices.Index(Others, *k) - slices.Index(Others, *other.(*Kind))
}

// Directories that say what is in them, and names of files: those of the common build
// systems, generators and frameworks. A name is matched as [path.Match] does.
var (
	dependencyDirs = strings.Fields(`
		vendor vendored third_party third-party thirdparty 3rdparty external extern deps _deps node_modules
		subprojects site-packages googletest googletest-src gtest gmock rustlib rustc .cargo .rustup .conan
		.conan2 vcpkg_installed bazel-out`)
	dependencyPaths = strings.Fields("usr/include/ usr/lib/ usr/local/include/ lib/gcc/ go/pkg/mod/ include/c++/")
	testDirs        = strings.Fields(`
		test tests testing unittest unittests testdata spec benches bench benchmark benchmarks fuzz fuzzing`)
	testNames = strings.Fields(`
		test_* *_test.* *_tests.* *_unittest.* *-test.* *Test.cpp *Test.cc *Tests.cpp *Tests.swift
		*Test.swift tests.rs test.rs *.test.* *_benchmark.* *_fuzzer.* fuzz_*`)
	generatedDirs  = []string{"generated", "gen-cpp", "autogen", "moc"}
	generatedNames = strings.Fields(`
		*.pb.* *_generated.* *.generated.* *.gen.* moc_* qrc_* ui_*.h *.tab.c *.tab.cc *.tab.h *.yy.c lex.*
		bindings.rs *.inc.cpp`)
)

// KindOf tells by its path what a file is: of a dependency, which may have tests too, of a
// test, or generated.
func KindOf(name string) Kind {
	dirs := strings.Split(strings.ReplaceAll(name, `\`, "/"), "/")
	base, dirs := dirs[len(dirs)-1], dirs[:len(dirs)-1]
	in := func(list []string, cut string) bool {
		return slices.ContainsFunc(dirs, func(dir string) bool {
			words := strings.FieldsFunc(strings.ToLower(dir), func(r rune) bool { return strings.ContainsRune(cut, r) })
			return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
		})
	}
	called := func(list []string) bool {
		return slices.ContainsFunc(list, func(pattern string) bool {
			ok, err := path.Match(pattern, base)
			return ok && err == nil
		})
	}
	below := "/" + strings.Join(dirs, "/") + "/"
	switch {
	case in(dependencyDirs, ""),
		slices.ContainsFunc(dependencyPaths, func(p string) bool { return strings.Contains(below, "/"+p) }):
		return Dependencies
	case in(testDirs, "_-."), called(testNames):
		return Tests
	case in(generatedDirs, ""), called(generatedNames), slices.Contains(dirs, "out") && slices.Contains(dirs, "build"):
		return Generated
	}
	return Own
}
