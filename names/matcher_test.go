package names

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"proflens/internal/memtest"
)

func TestMatcher(t *testing.T) {
	tests := []struct {
		text, re, pgo string
		want          bool
	}{
		{"", "", "anything", true},
		{"foo", "", "_Z3foov", true},
		{"FOO", "", "_Z3foov", true},
		{"foo", "", "_Z3FoOv", true},
		{"foo()", "", "_Z3foov", true},
		{"foo(int)", "", "_Z3foov", false},
		{"_z3f", "", "a.c;_Z3foov", true},
		{"a.c;", "", "a.c;_Z3foov", true},
		{"A.C", "", "a.c:foo", true},
		{"foo::bar", "", "_ZN3foo3barEv", true},
		{"foo::bar", "", "_ZN3foo3bazEv", false},
		{"FOO::BAR(UNSIGNED LONG)", "", "_ZN3foo3barEm", true},
		{"unsigned long", "", "_ZN3foo3barEm", true},
		{"operator", "", "_ZN3fooltERKS_", true},
		{"operator<(", "", "_ZN3fooltERKS_", true},
		{"3ul>", "", "_ZN3fooILm3EE3barEv", true},
		{"anonymous", "", "_ZN12_GLOBAL__N_13fooEv", true},
		{"lambda'", "", "_ZZ3foovENKUlvE_clEv", true},
		{"std::string", "", "_Z3fooSs", true},
		{"~foo", "", "_ZN3fooD2Ev", true},
		{"(.llvm.12", "", "_Z3foov.llvm.123", true},
		{"parse", "", "a.c;parse.__uniq.204881.part.3.llvm.77", true},
		{"ns::parse(int)", "", "_ZN2ns5parseEi.lto_priv.12.cold", true},
		{"fmt::write", "", "_ZN4core3fmt5write17h0092bde4374d4531E.llvm.99", true},
		{
			"<alloc::", "", "_ZN81_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17hb89a28f0e1722901E",
			false,
		},
		{"closure#1", "", "_RNCNvC5graph4mains_0B3_", true},
		{"ö", "", "b/ö.c;f", true},
		{"Ö", "", "b/ö.c;f", false}, // only ASCII case is ignored
		{"\xff", "", "\xfe\xff", true},

		{"selector clone", "", "_ZN4Sass5CloneC1EPNS_8SelectorE", true},
		{" clone\tselector  ", "", "_ZN4Sass5CloneC1EPNS_8SelectorE", true},
		{"clone selector missing", "", "_ZN4Sass5CloneC1EPNS_8SelectorE", false},
		{"3foo unsigned", "", "_ZN3foo3barEm", true}, // one word mangled, the other demangled
		{"foo ", "", "_Z3foov", true},
		{"   ", "", "anything", true},

		{"", "^foo$", "foo", true},
		{"", "^foo$", "xfoo", false},
		{"", "foo", "_Z3FOOv", false},
		{"", "(?i)foo", "_Z3FOOv", true},
		{"", "^foo\\(int\\)", "_Z3fooi", true},
		{"", "^ns::(a|b)::", "_ZN2ns1b1cEv", true},
		{"", "(?i)k", "\u212a", true}, // the Kelvin sign folds to k
		{"", "(?i)disk", "di\u017fk", true},
		{"", "unsigned", "_Z1fj", true},
		{"", "x{0}y", "y", true},
		{"", "(abc)*d", "d", true},
		{"", "(abc|d)", "d", true},

		{"foo", "bar", "_ZN3foo3barEv", true},
		{"foo", "bar", "_ZN3foo3bazEv", false},
		{"foo::", "^_ZN", "_ZN3foo3bazEv", true}, // each in its own form of the name
	}
	for _, tt := range tests {
		m, err := NewMatcher(tt.text, tt.re)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Match([]byte(tt.pgo)); got != tt.want {
			t.Errorf("Match(%q, %q; %q) = %v; required %s", tt.text, tt.re, tt.pgo, got, required(m))
		}
	}
}

func TestNewMatcherErrors(t *testing.T) {
	for _, re := range []string{"(", "a{1001}", "[", strings.Repeat("a", maxPattern+1)} {
		if _, err := NewMatcher("", re); err == nil {
			t.Errorf("no error for %.20q", re)
		}
	}
	if _, err := NewMatcher(strings.Repeat("a", maxPattern+1), ""); err == nil {
		t.Error("no error for a long text")
	}
}

// TestRequired holds the filter to what it can require: the fewer names are
// demangled, the faster is a search.
func TestRequired(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "SmallVector": "smallvector", "operator": "", "unsigned long": "", "a::b": "", "std::vec": "vec",
		"push_back(int)": "push_back", "selector push_back": "push_back selector", "0x12": "", "lambda0": "", "ambda": "",
		"std::ostream": "ostream",
	} {
		m, err := NewMatcher(text, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := required(m); got != want {
			t.Errorf("%q requires %q, want %q", text, got, want)
		}
	}
}

func required(m *Matcher) string {
	var words []string
	for _, f := range m.filter.required {
		words = append(words, string(f.word.needle))
	}
	return strings.Join(words, " ")
}

// bruteForce matches without any shortcut.
func bruteForce(text string, re *regexp.Regexp, pgo, full string) bool {
	fold := func(s string) string {
		b := []byte(s)
		for i := range b {
			b[i] = lower(b[i])
		}
		return string(b)
	}
	words := strings.Fields(fold(text))
	is := func(s string) bool { return re == nil || re.MatchString(s) }
	for _, word := range words {
		if !strings.Contains(fold(pgo), word) && !strings.Contains(fold(full), word) {
			return false
		}
	}
	return is(pgo) || is(full)
}

// TestMatcherMissesNothing compares with brute force on real names, for queries
// cut out of the names themselves, in all their forms, and spoilt in many ways.
func TestMatcherMissesNothing(t *testing.T) {
	linkage := lines(t, "names.txt")
	linkage = append(linkage,
		"main", "dir/a.c;foo", "a.cpp;_ZN3ns3fooILm3EE3barEv.llvm.77", "_ZN12_GLOBAL__N_13fooEv", "_ZZ3foovENKUlvE_clEv",
		"_ZN1AC2ERKS_", "_ZN1AD0Ev", "_Z1fSsSaIcE", "_Z1fILb1EEvv", "_Z1fIXadL_Z1gvEEEvv", "_ZplRK1AS1_", "_Znwm",
		"_ZN1AcvbEv", "_Zli3_kmd",
		"_Z1fDv4_fDF16_Dh", "_ZTV1A", "_ZGVZ1fvE1x", "_ZThn8_N1A1fEv", "_Z1fB5cxx11v", "_Z1fA10_iPFvvE", "_Z1fILj0EEv",
		"_Z1fDnDi",
		"_RNvC6_123foo3bar", "_RINvC1a1bKj1f_KhdeE", "_RNvCu8gdel_5qa1b", "_RINvC1a1bKydeadbeefcafebabe12_E",
		"_RINvC1a1bKc61_E", "_RNCNvC5graph4mains_0B3_",
		"$s4main3fooyyF", "?foo@Bar@@YAXXZ", "-[Foo bar:baz:]",
	)
	full := make([]string, len(linkage))
	for i, pgo := range linkage {
		_, l := Split([]byte(pgo))
		full[i] = Demangle(l, Full)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	queries := 1000
	if testing.Short() {
		queries = 300
	}
	for range queries {
		i := rng.IntN(len(linkage))
		text, re := query(rng, linkage[i], full[i])
		m, err := NewMatcher(text, re)
		if err != nil {
			continue // a pattern that a cut spoilt
		}
		var compiled *regexp.Regexp
		if re != "" {
			compiled = regexp.MustCompile(re)
		}
		for range 24 {
			if want := bruteForce(text, compiled, linkage[i], full[i]); m.Match([]byte(linkage[i])) != want {
				t.Fatalf("Match(%q, %q; %q) = %v, want %v\ndemangled %q\nrequired %s", text, re, linkage[i], !want, want, full[i],
					required(m))
			}
			i = rng.IntN(len(linkage))
		}
	}
}

// query cuts a query out of a name, and makes it harder to find.
func query(rng *rand.Rand, pgo, full string) (text, re string) {
	from := full
	if rng.IntN(4) == 0 || len(full) == 0 {
		from = pgo
	}
	start := rng.IntN(len(from))
	piece := from[start : start+rng.IntN(min(len(from)-start, 40)+1)]
	switch rng.IntN(6) {
	case 0:
		return strings.ToUpper(piece), ""
	case 1:
		return piece, ""
	case 2:
		return "", regexp.QuoteMeta(piece)
	case 3:
		return "", "(?i)" + regexp.QuoteMeta(strings.ToUpper(piece))
	case 4:
		half := len(piece) / 2
		return "", regexp.QuoteMeta(piece[:half/2]) + ".*" + regexp.QuoteMeta(piece[half:]) + "+"
	}
	return piece[:len(piece)/2], "(" + regexp.QuoteMeta(piece[len(piece)/2:]) + "|zzz){1,2}"
}

// TestCodedWords looks for every word that stands for a code, whole and in
// parts, in names that have it by that code alone.
func TestCodedWords(t *testing.T) {
	pgos := append(lines(t, "names.txt"), "_Z1fRSoRSiRSdSsSaIcESbIwSt11char_traitsIwESaIwEE", "_ZNSsC1Ev", "_ZNSoD0Ev",
		"_ZNSdC2Ev", "_Z1fDv4_f",
		"_Z1fDv8_Dp", "_Z1fRSi", "_ZNSaIcED1Ev", "_ZNSs4_RepD1Ev", "_ZStlsIcSt11char_traitsIcEERSoS2_PKc", "stream",
		"a.c;Sort", "_ZN6vector1fEv")
	full := make([]string, len(pgos))
	for i, pgo := range pgos {
		_, linkage := Split([]byte(pgo))
		full[i] = Demangle(linkage, Full)
	}
	for word := range coded {
		for _, query := range []string{
			word, strings.ToUpper(word), word[1:], word[:len(word)-1], "std::" + word, word + "<", " " + word,
		} {
			m, err := NewMatcher(query, "")
			if err != nil {
				t.Fatal(err)
			}
			for i, pgo := range pgos {
				if got, want := m.Match([]byte(pgo)), bruteForce(query, nil, pgo, full[i]); got != want {
					t.Errorf("Match(%q; %q) = %v, demangled %q", query, pgo, got, full[i])
				}
			}
		}
	}
}

func FuzzMatcher(f *testing.F) {
	f.Add("foo::bar", "", "_ZN3foo3barEv")
	f.Add("", "(?i)ns::.*<int", "a.c;_ZN2ns1fIiEvv")
	f.Add("operator<", "x|y", "_ZN3fooltERKS_")
	for i, name := range lines(f, "names.txt") {
		if i%8 == 0 && len(name) < 200 {
			full := Demangle(name, Full)
			f.Add(full[len(full)/3:len(full)/2], "", name)
		}
	}
	f.Fuzz(func(t *testing.T, text, re, pgo string) {
		defer memtest.Watch(t, len(text)+len(re)+len(pgo))()
		m, err := NewMatcher(text, re)
		if err != nil {
			if _, parse := syntax.Parse(re, syntax.Perl); parse == nil && len(text)+len(re) <= maxPattern &&
				len(strings.Fields(text)) <= maxWords {
				t.Errorf("NewMatcher(%q, %q): %v", text, re, err)
			}
			return
		}
		var compiled *regexp.Regexp
		if re != "" {
			compiled = regexp.MustCompile(re)
		}
		_, linkage := Split([]byte(pgo))
		full := Demangle(linkage, Full)
		if got, want := m.Match([]byte(pgo)), bruteForce(text, compiled, pgo, full); got != want {
			t.Errorf("Match(%q, %q; %q) = %v, want %v; demangled %q; required %s", text, re, pgo, got, want, full, required(m))
		}
	})
}

// TestAmong holds a search of many names at once to one of each.
func TestAmong(t *testing.T) {
	var pgo Lines
	var all []string
	for _, name := range append(lines(t, "names.txt"), "", "main", "dir/a.c;foo", "a\nb", "\nfoo",
		"a.cpp;_ZN3ns3fooILm3EE3barEv.llvm.77", "_Z3fooi", "") {
		pgo.Add([]byte(name))
		all = append(all, name)
	}
	full := pgo.Demangled(1 << 30)
	if pgo.Demangled(100) != nil {
		t.Error("more names than there is room for")
	}
	if pgo.Len() != len(all) || full.Len() != len(all) {
		t.Fatalf("%d and %d names of %d", pgo.Len(), full.Len(), len(all))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	ask := func(text, re string) {
		t.Helper()
		m, err := NewMatcher(text, re)
		if err != nil {
			return // a pattern that a cut spoilt
		}
		for _, span := range [][2]int{{0, len(all)}, {len(all) / 3, len(all) / 2}, {7, 7}, {len(all) - 9, len(all)}} {
			for _, demangled := range []*Lines{full, nil} {
				var got []int
				m.Among(&pgo, demangled, span[0], span[1], func(i int) { got = append(got, i) })
				var want []int
				for i := span[0]; i < span[1]; i++ {
					if m.Match([]byte(all[i])) {
						want = append(want, i)
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%q, %q from %d to %d: %d names, want %d", text, re, span[0], span[1], len(got), len(want))
				}
			}
		}
	}
	for _, q := range [][2]string{
		{"", ""}, {"foo", ""}, {"std vector", ""}, {"_Z foo", ""}, {"", "^$"}, {"", "^"}, {"", "a\nb"}, {"", "\nfoo"},
		{"", "(?i)OPERATOR"}, {"std::", `\bint\b`}, {"", `\w+<.*>::~?\w+\(`},
	} {
		ask(q[0], q[1])
	}
	for range 200 {
		i := rng.IntN(len(all))
		_, linkage := Split([]byte(all[i]))
		if all[i] != "" {
			ask(query(rng, all[i], Demangle(linkage, Full)))
		}
	}
}
