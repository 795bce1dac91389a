package pattern

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzPattern holds a pattern to what package regexp finds.
func FuzzPattern(f *testing.F) {
	for _, expr := range []string{
		"", "a", "^a", "a$", "^$", `\ba`, `a\b`, `\Ba\B`, "(?m)^a$", "(?s)a.b", "a.b", "(?i)kelvin", "[^a-z]", `\d+99\(`,
		"(a|b)*c", "(?i)[k-s]+$", "a{2,3}b", "x*", "(?m)$", `\Aab\z`,
		"merge.*[Ss]ort", `^std::(map|set)<.*>::\w+\(`, "(a?){20}a{20}", "(?m:^b)|^a", "é", "[é-ü]x", `\pL+:`, "^(?:^a|b)",
		"()|a",
	} {
		for _, text := range []string{
			"", "a", "ab", "b\na", "a b", "std::map<int>::find(", "fn1299(int)", "MergeSort merge_sort(", "\u212aelvin", "\xff",
			"aaé", strings.Repeat("a", 30), "bab",
		} {
			f.Add(expr, text)
		}
	}
	f.Fuzz(func(t *testing.T, expr, text string) {
		if len(expr) > 200 || len(text) > 200 {
			return
		}
		want, err := regexp.Compile(expr)
		p, ours := Compile(expr)
		if (err == nil) != (ours == nil) {
			t.Fatalf("%q: %v, expected %v", expr, ours, err)
		}
		if err != nil {
			return
		}
		for _, literal := range p.Literals() {
			if p.Match([]byte(text)) && !strings.Contains(lower(text), lower(literal)) {
				t.Errorf("%q in %q without %q", expr, text, literal)
			}
		}
		for i := range len(text) { // what was made for one text serves the next
			if got := p.Match([]byte(text[i:])); got != want.MatchString(text[i:]) {
				t.Errorf("%q in %q: %v", expr, text[i:], got)
			}
		}
		if got := p.Match([]byte(text)); got != want.MatchString(text) {
			t.Errorf("%q in %q: %v", expr, text, got)
		}
	})
}

// A pattern that needs too many states, or too much work for them, is still answered.
func TestBeyondTheBounds(t *testing.T) {
	for _, expr := range []string{"(a|b)*a(a|b){14}c", "(?:[a-z]{0,900}x){1}.{500}y"} {
		p, err := Compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(expr)
		text := strings.Repeat("abbaababbbaababaaabbab", 20)
		for i := range 8 {
			for _, s := range []string{text[i*7:], text[i*7:] + "c" + text + "y"} {
				if p.Match([]byte(s)) != want.MatchString(s) {
					t.Fatalf("%q: %v at %d", expr, p.Match([]byte(s)), i)
				}
			}
		}
		a := p.automata.Get().(*automaton)
		if len(a.byKey) > maxStates {
			t.Errorf("%q: %d states", expr, len(a.byKey))
		}
	}
}

func BenchmarkPattern(b *testing.B) {
	text := []byte("std::__1::vector<llvm::SmallVector<int, 4u>, std::allocator<int>>::merge_without_sort(unsigned long)")
	for _, expr := range []string{"merge.*[Ss]ort", `::get\w+\(int`, "^test::fn[0-4]+"} {
		b.Run(expr, func(b *testing.B) {
			p, err := Compile(expr)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				p.Match(text)
			}
		})
	}
}

// lower folds ASCII letters.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

func TestLiterals(t *testing.T) {
	for expr, want := range map[string]string{
		"": "", "a": "a", "abc": "abc", `fn\d+99\(`: "fn 99(", `(?i)Task_(list)+x`: "TA _ LI T X", "a|bcd": "",
		"(?:ab){2,}": "ab", "(ab)*cd?": "c", "^std::.*<int>$": "std:: <int>", "(?i)grün": "GR N", "x{0}abc{2}": "ab c",
	} {
		p, err := Compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(p.Literals(), " "); got != want {
			t.Errorf("%q: %q, want %q", expr, got, want)
		}
	}
}
