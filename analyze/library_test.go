package analyze_test

import (
	"strings"
	"testing"

	"proflens/analyze"
)

// TestLibrary tells the frames of libraries from those of programs.
func TestLibrary(t *testing.T) {
	l, err := analyze.ParseLibrary("")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"operator new": true, "operator new[]": true, "operator newer": false, "malloc": true, "mallocs": false,
		"malloc::f":                 false,
		"std::vector<A>::push_back": true, "stdx::f": false, "__gnu_cxx::new_allocator<A>::allocate": true,
		"__interceptor_malloc":       true,
		"alloc::vec::Vec<T,A>::push": true, "<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend": true,
		"<my::Node as core::clone::Clone>::clone": false,
		"Sass::Node::createCollection":            false, "main": false, "": false,
	} {
		if l.HasFunction(name) != want {
			t.Errorf("%q is the library's: %v", name, !want)
		}
	}
	for path, want := range map[string]bool{
		"/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_vector.h": true, "/usr/include/stdlib.h": true,
		"/home/me/.rustup/toolchains/stable/lib/rustlib/src/rust/library/alloc/src/vec.rs": true,
		"/rustc/1234/library/core/src/ops.rs":                                              true,
		"/opt/x/../../usr/include/y.h":                                                     true,
		"/home/me/usr/include/y.h":                                                         false, "src/usr.cpp": false,
		"": false,
	} {
		if l.HasPath(path) != want {
			t.Errorf("%q is the library's: %v", path, !want)
		}
	}
}

// TestParseLibrary edits the list.
func TestParseLibrary(t *testing.T) {
	for text, names := range map[string]string{ // a name that matches, with ! one that does not
		"default,boost::": "boost::f std::f", "boost::": "boost::f !std::f", "default,-std::": "!std::f malloc",
		" , ": "std::f",
	} {
		l, err := analyze.ParseLibrary(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for name := range strings.SplitSeq(names, " ") {
			plain, not := strings.CutPrefix(name, "!")
			if l.HasFunction(plain) == not {
				t.Errorf("%q has %s: %v", text, plain, !not)
			}
		}
		if again, err := analyze.ParseLibrary(l.Key()); err != nil || again.Key() != l.Key() {
			t.Errorf("%q is not read back", text)
		}
	}
	for _, text := range []string{"-std::", "default,-boost::", strings.Repeat("a,", 300), strings.Repeat("a", 600)} {
		if _, err := analyze.ParseLibrary(text); err == nil {
			t.Errorf("%.40q is read", text)
		}
	}
}

func TestForCaller(t *testing.T) {
	for name, want := range map[string]bool{
		"re2::PODArray<int>::PODArray": true, "PODArray::PODArray": true, "PODArray::~PODArray": true,
		"ns::Stack<std::pair<a::b, c>>::push": true, "<hashbrown::Map<K, V> as Extend>::extend": false,
		"Json::Value::dupPayload": false, "main": false, "": false, "::": false, "f<int>": false, "a::f<int>": false,
		"(anonymous namespace)::A::A": true, "a::b()::{lambda(int)#1}::operator()": false, "A::operator<": false,
		"sqlite3MemMalloc": true, "luaM_realloc_": true, "Arena::AllocateNewBlock": true, "f<Alloc>": false,
		"Alloc::use": false,
	} {
		if got := analyze.ForCaller(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}

func TestSkipRule(t *testing.T) {
	for name, want := range map[string]string{
		"re2::PODArray<int>::PODArray": "re2::PODArray", "Json::Value::Value": "Json::Value::Value", "": "",
		"<Foo<T> as Bar>::x": "Foo", "a/b": "", "-x": "", "default": "", "<<<": "",
	} {
		rule := analyze.SkipRule(name)
		if rule != want {
			t.Errorf("%q: %q", name, rule)
		}
		l, err := analyze.ParseLibrary("")
		if err != nil {
			t.Fatal(err)
		}
		if rule == "" {
			continue
		}
		l, err = analyze.ParseLibrary(l.With(rule))
		if err != nil || !l.HasFunction(name) || !l.HasFunction("operator new") {
			t.Errorf("%q is not skipped: %v", name, err)
		}
	}
	own, _ := analyze.ParseLibrary("a::")
	if got := own.With("b"); got != "a::,b" {
		t.Errorf("%q", got)
	}
}
