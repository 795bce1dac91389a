package names

import (
	"slices"
	"strings"
	"testing"

	"proflens/internal/memtest"
)

func TestScopes(t *testing.T) {
	for name, want := range map[string]string{
		"main":           "",
		"lib/a.c;helper": "",
		"":               "",
		"_ZN4llvm15SmallVectorImplIiE9push_backERKi": "llvm|SmallVectorImpl",
		"a.cc;_ZN12_GLOBAL__N_11A1fEv":               "(anonymous namespace)|A",
		"_ZThn8_N1A1fEv":                             "A",
		"_ZSt4sortIPiEvT_S1_":                        "std",
		"_ZNK1A1fEv":                                 "A",
		"_ZZN1A1fEvENKUlvE_clEv":                     "A|f|'lambda'",
		"_ZN1AlsEi":                                  "A",
		"_RNvNtCs1234_7mycrate3foo3bar":              "mycrate|foo",
		"_ZN4core3fmt5write17h0123456789abcdefE":     "core|fmt",
		"-[View(Extra) draw:]":                       "View(Extra)",
		"?f@ns@@YAXXZ":                               "",
		"_ZN1A":                                      "",
	} {
		if got := strings.Join(Scopes([]byte(name)), "|"); got != want {
			t.Errorf("%s: %q, want %q (%s)", name, got, want, Demangle(name, NoTemplates))
		}
	}
}

func TestScopesIn(t *testing.T) {
	for namespace, want := range map[string][]string{
		"":                                      nil,
		"std::":                                 {"std"},
		"decltype(auto) a::b::":                 {"a", "b"},
		"A::f(int) const::'lambda'(char)::":     {"A", "f", "'lambda'"},
		"<T as core::fmt::Debug>::":             {"<T as core::fmt::Debug>"},
		"a::f::<u8, b::C>::":                    {"a", "f"},
		"mycrate::main::{closure#0}::":          {"mycrate", "main", "{closure#0}"},
		"void std::basic_string<char>[abi:x]::": {"std", "basic_string"},
		"A::operator<<::":                       {"A", "operator<<"},
		"::::":                                  nil,
		"((((::":                                nil,
	} {
		if got := scopesIn(namespace); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", namespace, got, want)
		}
	}
	if got := scopesIn(strings.Repeat("a::", 1000)); len(got) != maxScopes {
		t.Errorf("%d scopes", len(got))
	}
	if got := scopesIn(strings.Repeat("a", 1<<16) + "::"); len(got[0]) != maxScope {
		t.Errorf("a scope of %d bytes", len(got[0]))
	}
}

// The names read off the mangling have the scopes that demangling gives.
func TestPlainScopes(t *testing.T) {
	plain := 0
	more := []string{
		"_ZN4llvm3FooC1Ev", "_ZN4llvm3FooD0Ev", "_ZNK4llvm3Foo3barEv", "_ZN12_GLOBAL__N_13fooEi", "_Z3fooi", "_Z3fooIiEvT_",
		"_ZNKR1A1fEv",
	}
	for _, linkage := range append(lines(t, "names.txt"), more...) {
		key, ok := appendPlainScopes([]byte("key"), []byte(linkage))
		if !ok {
			if string(key) != "key" {
				t.Errorf("%s: %q is left", linkage, key)
			}
			continue
		}
		plain++
		list := splitScopes(key[len("key"):])
		if want := scopesIn(SplitDemangled(Demangle(linkage, NoTemplates)).Namespace); !slices.Equal(list, want) {
			t.Errorf("%s: %q, want %q", linkage, list, want)
		}
	}
	if plain < len(more) {
		t.Errorf("%d plain names", plain)
	}
}

func BenchmarkScopes(b *testing.B) {
	list := lines(b, "names.txt")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Scopes([]byte(list[i%len(list)]))
	}
}

func FuzzScopes(f *testing.F) {
	f.Add([]byte("_ZZN1A1fEvENKUlvE_clEv"))
	f.Add([]byte("-[View draw]"))
	f.Add([]byte("a.c;_ZN12_GLOBAL__N_11A1fEv"))
	f.Fuzz(func(t *testing.T, name []byte) {
		defer memtest.Watch(t, len(name))()
		if n := len(Scopes(name)); n > maxScopes {
			t.Errorf("%d scopes", n)
		}
	})
}
