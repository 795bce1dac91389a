package names

import (
	"strings"
	"testing"

	"proflens/internal/memtest"
)

func TestDemangle(t *testing.T) {
	tests := []struct{ linkage, full, short, notemplates string }{
		// C++.
		{"_Z3foov", "foo()", "foo", "foo"},
		{"_ZN3fooIiE3barEi", "foo<int>::bar(int)", "foo<int>::bar", "foo::bar"},
		{"_Z3fooIiEvT_", "void foo<int>(int)", "foo<int>", "foo"},
		{
			"_ZN12_GLOBAL__N_13fooEv", "(anonymous namespace)::foo()", "(anonymous namespace)::foo",
			"(anonymous namespace)::foo",
		},
		{
			"_ZZ3fooiENKUlvE_clEv", "foo(int)::'lambda'()::operator()() const", "foo()::'lambda'()::operator()",
			"foo()::'lambda'()::operator()",
		},
		{"_ZNK3FoocvbEv", "Foo::operator bool() const", "Foo::operator bool", "Foo::operator bool"},
		{"_ZTV3Foo", "vtable for Foo", "vtable for Foo", "vtable for Foo"},
		{"__Z3foov", "foo()", "foo", "foo"}, // Mach-O
		{
			"___ZN3foo3barEv_block_invoke", "invocation function for block in foo::bar()",
			"invocation function for block in foo::bar", "invocation function for block in foo::bar",
		},

		// Suffixes.
		{"_Z3foov.llvm.123", "foo() (.llvm.123)", "foo", "foo"},
		{"_Z3foov.__uniq.12.llvm.34", "foo() (.__uniq.12.llvm.34)", "foo", "foo"},
		{"_Z3foov.cold", "foo() (.cold)", "foo (.cold)", "foo (.cold)"},
		{"_Z3foov.part.0", "foo() (.part.0)", "foo (.part)", "foo (.part)"},
		{"_Z3foov.__uniq.12.part.3.llvm.34", "foo() (.__uniq.12.part.3.llvm.34)", "foo (.part)", "foo (.part)"},
		{"foo.llvm.123", "foo.llvm.123", "foo", "foo"},
		{"foo.isra.0.constprop.1", "foo.isra.0.constprop.1", "foo.isra.constprop", "foo.isra.constprop"},
		{"foo.lto_priv.0.cold", "foo.lto_priv.0.cold", "foo.cold", "foo.cold"},
		{"_ZL3fooi.lto_priv.12", "foo(int) (.lto_priv.12)", "foo", "foo"},
		{"foo.__uniq.7.cold", "foo.__uniq.7.cold", "foo.cold", "foo.cold"},
		{"_GLOBAL__sub_I_a.cpp", "_GLOBAL__sub_I_a.cpp", "_GLOBAL__sub_I_a.cpp", "_GLOBAL__sub_I_a.cpp"},
		{"__cxx_global_var_init.3", "__cxx_global_var_init.3", "__cxx_global_var_init.3", "__cxx_global_var_init.3"},

		// Rust, legacy and v0.
		{"_ZN4core3fmt5write17h0092bde4374d4531E", "core::fmt::write", "core::fmt::write", "core::fmt::write"},
		{
			"_ZN4core3fmt5write17h0092bde4374d4531E.llvm.99", "core::fmt::write (.llvm.99)", "core::fmt::write",
			"core::fmt::write",
		},
		{
			"_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17h2857ec97e0015797E", "<&T as core::fmt::Debug>::fmt",
			"<&T as core::fmt::Debug>::fmt", "<&T as core::fmt::Debug>::fmt",
		},
		{"_RNvC5graph4main", "graph::main", "graph::main", "graph::main"},
		{
			"_RINvCs15zJazshbdP_5graph5applyFyEyEB2_", "graph::apply::<fn(u64) -> u64>", "graph::apply::<fn(u64) -> u64>",
			"graph::apply",
		},
		{"_RNvC5graph4main.llvm.3", "graph::main (.llvm.3)", "graph::main", "graph::main"},
		{"_RNCNvC5graph4mains_0B3_", "graph::main::{closure#1}", "graph::main::{closure#1}", "graph::main::{closure#1}"},
		{"_RNvNCNvC1a4main04leaf", "a::main::{closure#0}::leaf", "a::main::{closure#0}::leaf", "a::main::{closure#0}::leaf"},
		{
			"_RNCNCNvC1a4main00B5_", "a::main::{closure#0}::{closure#0}", "a::main::{closure#0}::{closure#0}",
			"a::main::{closure#0}::{closure#0}",
		},
		{
			"_RINvC1a3runNCNCNvB2_4main00suE", "a::run::<a::main::{closure#0}::{closure#0}, i16, ()>",
			"a::run::<a::main::{closure#0}::{closure#0}, i16, ()>", "a::run",
		},
		{"_RINvC1a3mapNcNtB2_4Some0E", "a::map::<a::Some>", "a::map::<a::Some>", "a::map"},
		{"_RNvC1au8gdel_5qa", "a::gödel", "a::gödel", "a::gödel"},

		// What a linker or a disassembler adds.
		{"_ZN3foo3barEv@plt", "foo::bar()@plt", "foo::bar@plt", "foo::bar@plt"},
		{"_Z3foov.cold@plt", "foo() (.cold)@plt", "foo (.cold)@plt", "foo (.cold)@plt"},
		{"_Z3foov@@GLIBCXX_3.4", "foo()@@GLIBCXX_3.4", "foo@@GLIBCXX_3.4", "foo@@GLIBCXX_3.4"},
		{"_RNvC5graph4main.llvm.3@plt", "graph::main (.llvm.3)@plt", "graph::main@plt", "graph::main@plt"},
		{
			"_ZN4core3fmt5write17h0092bde4374d4531E@plt", "core::fmt::write@plt", "core::fmt::write@plt", "core::fmt::write@plt",
		},
		{"malloc@plt", "malloc@plt", "malloc@plt", "malloc@plt"},
		{"_Zfoo@plt", "_Zfoo@plt", "_Zfoo@plt", "_Zfoo@plt"},

		// Not mangled, or in ways that are not read here.
		{"", "", "", ""},
		{"main", "main", "main", "main"},
		{"$s4main3fooyyF", "$s4main3fooyyF", "$s4main3fooyyF", "$s4main3fooyyF"},
		{"$S4main3fooyyF", "$S4main3fooyyF", "$S4main3fooyyF", "$S4main3fooyyF"},
		{"?foo@Bar@@YAXXZ", "?foo@Bar@@YAXXZ", "?foo@Bar@@YAXXZ", "?foo@Bar@@YAXXZ"},
		{"-[Foo bar:baz:]", "-[Foo bar:baz:]", "-[Foo bar:baz:]", "-[Foo bar:baz:]"},
		{"_Z", "_Z", "_Z", "_Z"},
		{"_Zfoo\xff", "_Zfoo\xff", "_Zfoo\xff", "_Zfoo\xff"},
		{"_ZN3fo", "_ZN3fo", "_ZN3fo", "_ZN3fo"},
		{"_R9foo", "_R9foo", "_R9foo", "_R9foo"},
		{"____", "____", "____", "____"},
	}
	for _, tt := range tests {
		for mode, want := range map[Mode]string{
			Full: tt.full, Short: tt.short, NoTemplates: tt.notemplates, Mangled: tt.linkage, "": tt.full,
		} {
			if got := Demangle(tt.linkage, mode); got != want {
				t.Errorf("Demangle(%q, %s) = %q, want %q", tt.linkage, mode, got, want)
			}
		}
	}
}

// TestDemangleHostile gives the demangler what could exhaust it: the result
// must be bounded, and the test must end.
func TestDemangleHostile(t *testing.T) {
	doubling := "_Z1fI1A"
	for range 2000 {
		doubling += "I"
	}
	hostile := map[string]string{
		"deep pointers":     "_Z1f" + strings.Repeat("P", maxModifiers) + "i",
		"deep templates":    "_Z1f" + strings.Repeat("1AI", maxLinkage/6) + "i" + strings.Repeat("E", maxLinkage/6),
		"deep scopes":       "_ZN" + strings.Repeat("1a", maxLinkage/2-8) + "Ev",
		"deep functions":    "_Z1f" + strings.Repeat("PF", maxLinkage/4) + "v" + strings.Repeat("vE", maxLinkage/8),
		"deep locals":       "_Z" + strings.Repeat("ZN1aE", maxLinkage/8) + "v",
		"deep expressions":  "_Z1fI" + strings.Repeat("Xps", maxLinkage/4) + "E",
		"unclosed":          doubling,
		"doubling":          "_Z1f1AIiiE" + substitutions(3000),
		"Rust nested":       "_R" + strings.Repeat("Nv", maxLinkage/4) + "C1a",
		"Rust back":         "_RINvC1a1b" + strings.Repeat("TB5_B5_E", 1000) + "E",
		"Rust tuples":       "_RINvC1a1b" + strings.Repeat("T", maxLinkage/2),
		"too long":          "_ZN" + strings.Repeat("1a", maxLinkage) + "Ev",
		"megabytes":         "_Z" + strings.Repeat("P", 8<<20) + "i",
		"length overflow":   "_ZN99999999999999999999aEv",
		"number overflow":   "_Z1fILi" + strings.Repeat("9", 9000) + "EEvv",
		"lambda overflow":   "_ZZ1fvENKUlvE99999999999999999999_clEv",
		"substitution far":  "_Z1fS99999999999999_",
		"suffixes":          "_Z1fv" + strings.Repeat(".llvm.1", 2000),
		"suffixes of C":     "f" + strings.Repeat(".llvm.1", 100_000),
		"packs":             "_Z1fIJ" + strings.Repeat("i", 1000) + "EEv" + strings.Repeat("DpT_", 200),
		"qualifiers":        "_Z1f" + strings.Repeat("K", 8000) + "i",
		"conversions":       "_ZN1aI" + strings.Repeat("NcvT_I", 60) + "spsp",
		"punycode overflow": "_RNvC1au99999",
		"Rust doubling":     "_RINvC1a1b" + rustDoubling(60, len("INvC1a1b")) + "E",
		"Rust lifetimes":    "_RINvC1a1bFG" + strings.Repeat("Z", 9) + "_EuE",
		"Rust silent":       "_RINvC1a1b" + strings.Repeat("INtB1_1c", 400),
	}
	for name, linkage := range hostile {
		for _, mode := range []Mode{Full, Short, NoTemplates} {
			got := Demangle(linkage, mode)
			if len(got) > max(len(linkage), 1<<maxDemangledLog+maxLinkage) {
				t.Errorf("%s, %s: %d bytes from %d", name, mode, len(got), len(linkage))
			}
			checkParts(t, got)
		}
	}
}

// rustDoubling is n tuples, each twice the one before, of which the first is at a place.
func rustDoubling(n, at int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	text := "ThhE"
	for last := 0; n > 0; n-- {
		back := ""
		for v := at + last - 1; v > 0; v /= 62 {
			back = string(digits[v%62]) + back
		}
		last = len(text)
		text += "TB" + back + "_B" + back + "_E"
	}
	return text
}

// substitutions doubles a type n times: each argument list names the last type
// twice.
func substitutions(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("1BI" + seqID(i+1) + seqID(i+1) + "E")
	}
	return b.String()
}

// seqID is the n-th substitution in the Itanium mangling, in base 36.
func seqID(n int) string {
	if n == 0 {
		return "S_"
	}
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	s := ""
	for n--; ; n /= 36 {
		s = string(digits[n%36]) + s
		if n < 36 {
			return "S" + s + "_"
		}
	}
}

func FuzzDemangle(f *testing.F) {
	for i, name := range lines(f, "names.txt") {
		if i%8 == 0 {
			f.Add(name)
		}
	}
	for _, name := range []string{
		"_Z3foov.part.0", "foo.llvm.1", "-[Foo bar:]", "_RNCNvC5graph4mains_0B3_", "___Z3foov_block_invoke_2",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, linkage string) {
		defer memtest.Watch(t, len(linkage))()
		for _, mode := range []Mode{Full, Short, NoTemplates} {
			got := Demangle(linkage, mode)
			if got == "" && linkage != "" {
				t.Errorf("Demangle(%q, %s) is empty", linkage, mode)
			}
			if len(got) > len(linkage)+1<<maxDemangledLog+3 {
				t.Errorf("Demangle(%q, %s) is %d bytes long", linkage, mode, len(got))
			}
			if !isMangled(linkage) && !strings.HasPrefix(linkage, got[:strings.LastIndexByte("."+got, '.')]) {
				t.Errorf("Demangle(%q, %s) = %q", linkage, mode, got)
			}
			checkParts(t, got)
		}
	})
}

func FuzzSplitDemangled(f *testing.F) {
	for i, text := range lines(f, "demangled.txt") {
		if i%8 == 0 {
			f.Add(text)
		}
	}
	for _, text := range []string{
		"void (*f(int))(char)", "a::operator<<<int>(b)", "<T as U>::f::<'<'>", "f.cold", "(((", "a::", ")",
	} {
		f.Add(text)
	}
	f.Fuzz(checkParts)
}

func checkParts(t *testing.T, demangled string) {
	t.Helper()
	p := SplitDemangled(demangled)
	if p.Namespace+p.Base+p.Args != demangled {
		t.Errorf("SplitDemangled(%.200q) = %.200q", demangled, p)
	}
	if p.Base == "" && demangled != "" {
		t.Errorf("SplitDemangled(%.200q) has no base: %.200q", demangled, p)
	}
}
