package names

import (
	"bytes"
	"slices"
	"strings"

	"proflens/names/pattern"
)

// filter holds identifiers that the PGO name must contain, ASCII case ignored,
// for the query to match it or its demangled form.
//
// The demangler copies identifiers from the linkage name and adds words of its
// own, such as "operator" or "unsigned", and numbers. So every identifier of
// the query that the demangler cannot have added has to stand in the linkage
// name too. A case that must not be missed is never decided here: what is
// uncertain is not required. But for one: the text of an array of char that is a
// template argument stands in the linkage name as numbers, and is not found.
type filter struct {
	required []requirement // the longest word first
	// literal says that the query is a single required identifier: then a name
	// that does not contain it as it is will not do so demangled.
	literal bool
}

// requirement is a word that has to stand in the name, unless one of the codes
// does for which the demangler writes it.
type requirement struct {
	word  *folded
	codes [][]byte
}

func (r *requirement) met(pgo []byte) bool {
	if r.word.index(pgo) >= 0 {
		return true
	}
	for _, code := range r.codes {
		if bytes.Contains(pgo, code) {
			return true
		}
	}
	return false
}

// requireText adds what a substring of the name requires.
func (f *filter) requireText(text string) {
	before := len(f.required)
	f.requireIdentifiers(text)
	f.literal = len(f.required) == before+1 && len(f.required[before].word.needle) == len(text) &&
		f.required[before].codes == nil
}

// requireRegexp adds what every match of a regular expression requires.
func (f *filter) requireRegexp(re *pattern.Pattern) {
	f.literal = false
	for _, text := range re.Literals() {
		f.requireIdentifiers(text)
	}
}

// requireIdentifiers requires the identifiers in a text that a name contains.
func (f *filter) requireIdentifiers(text string) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !isIdentifier(r) }) {
		codes := codesOf(word)
		if codes != nil || !synthetic(word) {
			f.required = append(f.required, requirement{newFolded([]byte(word)), codes})
		}
	}
}

// finish orders the identifiers: the longest is the rarest.
func (f *filter) finish() {
	slices.SortStableFunc(f.required, func(a, b requirement) int { return len(b.word.needle) - len(a.word.needle) })
}

// passes reports whether a name has all that is required.
func (f *filter) passes(pgo []byte) bool {
	for i := range f.required {
		if !f.required[i].met(pgo) {
			return false
		}
	}
	return true
}

func isIdentifier(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// synthetic reports whether a demangler can have added the word, or a part of
// it, to a name: a number, perhaps with a type's suffix as in "3ul"; a word of
// its own, perhaps numbered as in "lambda0"; a part of either, since the query
// may begin and end anywhere.
func synthetic(word string) bool {
	if word[0] <= '9' || isHex(word) {
		return true
	}
	for run := range strings.FieldsFuncSeq(strings.ToLower(word), func(r rune) bool { return r <= '9' }) {
		if len(run) > 1 && !strings.Contains(syntheticWords, run) {
			return false
		}
	}
	return true
}

// isHex reports whether a word can be the end of "0x…", as which the Rust
// demangler writes large constants.
func isHex(word string) bool {
	return (word[0] == 'x' || word[0] == 'X') && strings.Trim(word[1:], "0123456789abcdefABCDEF") == ""
}

// coded are the synthetic words that the demangler writes for certain codes of
// the Itanium mangling only: the substitutions of the standard library and the
// vector type. They are what people search for most.
var coded = map[string][]string{
	"__vector": {"Dv"}, "vector": {"Dv"},
	"allocator": {"Sa", "Ss"}, "basic_string": {"Sb", "Ss"}, "char_traits": {"Ss", "Si", "So", "Sd"},
	"istream": {"Si"}, "basic_istream": {"Si"}, "ostream": {"So"}, "basic_ostream": {"So"},
	"iostream": {"Sd"}, "basic_iostream": {"Sd"},
}

// codesOf returns the codes without which the demangler adds no word of which
// this one is a part; nil when it may be added for others too, or never is.
func codesOf(word string) (codes [][]byte) {
	word = strings.ToLower(word)
	for _, whole := range strings.Fields(syntheticWords) {
		if !strings.Contains(whole, word) {
			continue
		}
		if coded[whole] == nil {
			return nil
		}
		for _, code := range coded[whole] {
			codes = append(codes, []byte(code))
		}
	}
	return codes
}

// syntheticWords are all the words that the demangler writes of its own accord,
// in lower case. A test compares them with its source.
const syntheticWords = `
 _accum _bitint _complex _float _fract _imaginary _sat __alignof__ __float __int __uuidof __vector
 abi alignof allocator an anonymous arg at auto basic_iostream basic_istream basic_ostream basic_string
 bfloat bits block_literal bool cast char char_traits class clone closure co_await const const_cast
 construction constructors covariant decimal decltype default delete destructors double dyn dynamic_cast
 enable_if enum extern false float fn for fp friend function global guard half hidden imaginary
 inf init initialization initializer int invocation iostream isize istream java keyed lambda long
 module namespace nan new noexcept non nullptr nullptr_t object objcproto offset operator or ostream
 parameter parm pack_expansion pixel reference reinterpret_cast requires resource restrict return rtti routine
 shim short signed sizeof static_cast std str string struct template temporary this thread throw thunk to
 transaction transaction_safe true typeid typeinfo typename typedef ull union unnamed unsafe unsigned
 usize utf variable vector virtual void volatile vtable vtt wchar_t wrapper tls tt mut as in of from
 block gs ul ll uuidof volatile restrict alloc_token byte_array
`
