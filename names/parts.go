package names

import "strings"

// Parts are a demangled name in three: what it stands in, the name that a
// reader looks for, and the rest. Namespace + Base + Args is the whole.
//
//	llvm::SmallVectorImpl<int>::  push_back  (int const&)
//	void std::                    sort       <int*>(int*, int*)
//	<T as core::fmt::Debug>::     fmt
type Parts struct {
	Namespace string // return type, namespaces and classes, with the "::" or space that ends them
	Base      string // the function's own name; empty only for an empty name
	Args      string // template arguments, parameters, qualifiers, clone suffix
}

// SplitDemangled finds the parts of a name that [Demangle] wrote, in whatever
// mode. A name it does not understand is all Base.
func SplitDemangled(demangled string) Parts {
	if isObjC(demangled) {
		return splitObjC(demangled)
	}
	if demangled == "" || demangled[0] == '?' || demangled[0] == '$' {
		return Parts{Base: demangled} // Microsoft C++ and Swift, still mangled
	}
	name, suffix := cutClones(demangled)
	s := nameScanner{text: name, args: -1}
	s.scan()
	end := len(name)
	if s.args >= 0 {
		end = s.args
	}
	if s.base >= end {
		return Parts{Base: demangled}
	}
	return Parts{name[:s.base], name[s.base:end], name[end:] + suffix}
}

// splitObjC splits "-[Class selector:]" at the selector.
func splitObjC(name string) Parts {
	start := strings.IndexByte(name, ' ') + 1
	end := strings.IndexByte(name, ']')
	if start == 0 || end <= start {
		return Parts{Base: name}
	}
	return Parts{name[:start], name[start:end], name[end:]}
}

// nameScanner walks over a demangled name outside all brackets and keeps where
// the last component begins, and where its arguments do.
type nameScanner struct {
	text   string
	at     int
	base   int  // where the component begins
	args   int  // where its arguments begin, or -1
	params bool // a group in parentheses has closed in this component
}

func (s *nameScanner) scan() {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case s.at == s.base && isOperator(rest):
			s.at += operatorLen(rest)
			s.beginArgs()
		case c == ':' && strings.HasPrefix(rest, "::"):
			s.scope(rest)
		case c == ' ':
			if s.space(rest) {
				return
			}
		case c == '(':
			s.paren(rest)
		case c == ')': // of a declarator
			s.beginArgs()
			return
		case c == '<' || c == '[' || c == '{':
			s.group()
		case c == '\'':
			s.at += quoteLen(rest)
		default:
			s.at++
		}
	}
}

// begin starts a new component n bytes on.
func (s *nameScanner) begin(n int) {
	s.at += n
	s.base, s.args, s.params = s.at, -1, false
}

// beginArgs marks the end of the component's name.
func (s *nameScanner) beginArgs() {
	if s.args < 0 && s.at > s.base && s.at < len(s.text) {
		s.args = s.at
	}
}

// scope steps over "::". Rust writes generic arguments after one: "f::<u8>".
func (s *nameScanner) scope(rest string) {
	if !strings.HasPrefix(rest, "::<") || s.at == s.base {
		s.begin(2)
		return
	}
	n := 2 + groupLen(rest[2:])
	if strings.HasPrefix(rest[n:], "::") && strings.HasPrefix(rest, "::<impl ") {
		s.begin(n + 2)
		return
	}
	s.beginArgs()
	s.at += n
}

// group steps over template arguments or an ABI tag, or over a component that
// is itself in brackets, as "<T as Trait>" or "{closure#0}".
func (s *nameScanner) group() {
	s.beginArgs()
	s.at += groupLen(s.text[s.at:])
}

// paren steps over parameters, over "(anonymous namespace)", or into the
// declarator of a function that returns a pointer to one: "void (*f(int))(char)".
func (s *nameScanner) paren(rest string) {
	if s.at == s.base {
		if strings.HasPrefix(rest, "(*") || strings.HasPrefix(rest, "(&") {
			s.begin(len(rest) - len(strings.TrimLeft(rest[1:], "*&")))
			return
		}
		s.at += groupLen(rest)
		return
	}
	s.beginArgs()
	s.at += groupLen(rest)
	s.params = true
}

// space decides what follows a space: the rest of the arguments, or after a
// return type the name itself. It reports whether the scan is over.
func (s *nameScanner) space(rest string) bool {
	word := rest[1:]
	if strings.HasPrefix(word, "<") { // "operator<< <int>"
		s.beginArgs()
		s.at++
		return false
	}
	if strings.HasPrefix(word, "(.") || strings.HasPrefix(word, "[clone ") || strings.HasPrefix(word, "[enable_if:") ||
		strings.HasPrefix(word, "requires ") {
		s.beginArgs()
		return true
	}
	if s.params {
		for _, q := range []string{"const", "volatile", "&&", "&", "noexcept", "[friend]"} {
			if after, ok := strings.CutPrefix(word, q); ok &&
				(after == "" || after[0] == ' ' || after[0] == ':' || after[0] == ')') {
				s.at += 1 + len(q)
				return false
			}
		}
	}
	s.begin(1)
	return false
}

// isOperator reports whether a component is an operator function.
func isOperator(s string) bool {
	after, ok := strings.CutPrefix(s, "operator")
	return ok && after != "" && !isIdentifier(rune(after[0]))
}

// operatorSymbols are the operators of one to three characters, each before its
// own beginnings.
var operatorSymbols = strings.Fields(`
	<=> <<= >>= ->* () [] << >> <= >= -> && || ++ -- += -= *= /= %= ^= &= |= == != + - * / % ^ & | ~ ! =
	< > , ?`)

// operatorLen is the length of an operator's name: a symbol, "operator new[]",
// a literal operator, or a conversion to a type.
func operatorLen(s string) int {
	const keyword = len("operator")
	rest := s[keyword:]
	for _, symbol := range operatorSymbols {
		after, ok := strings.CutPrefix(rest, symbol)
		// "operator<<int>(…)" is operator< with template arguments.
		if ok && (after == "" || strings.IndexByte("(<[ .", after[0]) >= 0) {
			return keyword + len(symbol)
		}
	}
	for _, word := range []string{" new[]", " delete[]", " new", " delete", " co_await"} {
		if after, ok := strings.CutPrefix(rest, word); ok && (after == "" || !isIdentifier(rune(after[0]))) {
			return keyword + len(word)
		}
	}
	if after, ok := strings.CutPrefix(rest, `"" `); ok {
		n := strings.IndexFunc(after, func(r rune) bool { return r < 0x80 && !isIdentifier(r) })
		if n < 0 {
			n = len(after)
		}
		return len(s) - len(after) + n
	}
	return conversionLen(s)
}

// conversionLen is the length of a conversion operator's name, which ends where
// the parameters begin.
func conversionLen(s string) int {
	for i := len("operator"); i < len(s); {
		switch s[i] {
		case '(':
			if strings.HasPrefix(s[i:], "(anonymous namespace)") || strings.HasPrefix(s[i:], "(*)") {
				i += groupLen(s[i:])
				continue
			}
			return len(strings.TrimRight(s[:i], " "))
		case '<', '[', '{':
			i += groupLen(s[i:])
		default:
			i++
		}
	}
	return len(s)
}

// groupLen is the length of the bracketed group that s begins with: all of s
// when it does not close.
func groupLen(s string) int {
	var open brackets
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', '[', '{':
			open.push(c)
		case '<':
			if !isComparison(s, i) {
				open.push(c)
			}
		case '>':
			if i > 0 && s[i-1] == '-' || isComparison(s, i) || open.innermost() != '<' {
				continue // an arrow or a comparison
			}
			open.close('<')
		case ')':
			open.close('(')
		case ']':
			open.close('[')
		case '}':
			open.close('{')
		case '\'':
			i += quoteLen(s[i:]) - 1
		}
		if len(open.stack) == 0 {
			return i + 1
		}
	}
	return len(s)
}

// brackets are those open at a place in a name.
type brackets struct {
	stack []byte
	count [128]int // of each kind in stack
}

func (b *brackets) push(c byte) {
	b.stack = append(b.stack, c)
	b.count[c]++
}

func (b *brackets) innermost() byte { return b.stack[len(b.stack)-1] }

// close closes the innermost bracket of a kind, and with it what was left open
// within. It does nothing when there is none.
func (b *brackets) close(c byte) {
	if b.count[c] == 0 {
		return
	}
	for {
		last := b.innermost()
		b.stack = b.stack[:len(b.stack)-1]
		b.count[last]--
		if last == c {
			return
		}
	}
}

// isComparison reports whether the '<' or '>' at i is an operator in an
// expression, which the demangler sets between spaces, or part of the name of
// an operator function.
func isComparison(s string, i int) bool {
	if i > 0 && i+1 < len(s) && s[i-1] == ' ' && (s[i+1] == ' ' || s[i+1] == '=' || s[i+1] == s[i]) {
		return true
	}
	if i > 0 && (s[i-1] == '<' || s[i-1] == '>') && i > 1 && s[i-2] == ' ' && i+1 < len(s) && s[i+1] == ' ' {
		return true // the second half of " << " or " >> "
	}
	return strings.HasSuffix(s[:i], "operator")
}

// quoteLen is the length of what begins with a quote: "'lambda0'" and
// "'unnamed'" of C++, a character of Rust such as "'<'", or just the quote of
// a lifetime, "'a".
func quoteLen(s string) int {
	if len(s) >= 3 && s[2] == '\'' {
		return 3
	}
	n := 1
	for n < len(s) && (isIdentifier(rune(s[n])) || s[n] == '-') {
		n++
	}
	if n < len(s) && s[n] == '\'' {
		return n + 1
	}
	return 1
}
