package names

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// rust reads a name of Rust's v0 mangling and writes it as it goes, as LLVM's
// demangler does. Back-references are read again where they stand, so what a
// name can cost is bounded by its text and its steps.
type rust struct {
	name     string // without "_R" and suffix; back-references count from here
	at       int
	out      strings.Builder
	silent   int // above zero, nothing is written and no back-reference followed
	depth    int
	steps    int
	bound    uint64 // lifetimes that "for<…>" binds here
	failed   bool
	noArgs   bool // generic arguments are left out
	argsOpen bool // the path just read has arguments and their '>' is to come
}

// maxRustNesting is LLVM's bound on paths, types and constants within each other.
const maxRustNesting = 500

// demangleRust writes a name of Rust's v0 mangling, without suffix. One whose text
// reaches the bound is cut there.
func demangleRust(name string, m Mode) (text string, ok bool) {
	if !strings.HasPrefix(name, "_R") {
		return "", false
	}
	r := rust{name: name[2:], noArgs: m == NoTemplates}
	r.path(false, false)
	if r.at < len(r.name) { // the crate that instantiates it
		r.silent++
		r.path(false, false)
	}
	text = r.out.String()
	return text, !r.failed && r.at == len(r.name) && text != ""
}

// enter begins a path, type or constant; the caller leaves it.
func (r *rust) enter() bool {
	r.depth++
	r.steps++
	if r.depth > maxRustNesting || r.steps > maxSteps {
		r.failed = true
	}
	return !r.failed
}

func (r *rust) leave() { r.depth-- }

func (r *rust) write(text string) {
	if r.failed || r.silent > 0 {
		return
	}
	if room := maxText - r.out.Len(); len(text) >= room {
		text = text[:room]
		r.silent++ // for good: nothing more is written
	}
	r.out.WriteString(text)
}

// look is the next byte, 0 at the end, which no name contains.
func (r *rust) look() byte {
	if r.at < len(r.name) {
		return r.name[r.at]
	}
	return 0
}

func (r *rust) next() byte {
	c := r.look()
	if c == 0 {
		r.failed = true
	}
	r.at++
	return c
}

func (r *rust) take(c byte) bool {
	if r.failed || r.look() != c {
		return false
	}
	r.at++
	return true
}

// list reads up to 'E', with text between the members.
func (r *rust) list(between string, read func()) (members int) {
	for ; !r.failed && !r.take('E'); members++ {
		if members > 0 {
			r.write(between)
		}
		read()
	}
	return members
}

// quietly reads without writing.
func (r *rust) quietly(read func()) {
	r.silent++
	read()
	r.silent--
}

// path reads a path. Within a type, generic arguments follow it without "::". If
// their '>' may stay open, argsOpen says whether it has.
func (r *rust) path(inType, leaveOpen bool) {
	defer r.leave()
	if !r.enter() {
		return
	}
	r.argsOpen = false
	switch c := r.next(); c {
	case 'C':
		r.tagged('s')
		r.identifier("")
	case 'M', 'X', 'Y':
		if c != 'Y' {
			r.quietly(func() {
				r.tagged('s')
				r.path(inType, false)
			})
		}
		r.write("<")
		r.typ()
		if c != 'M' {
			r.write(" as ")
			r.path(true, false)
		}
		r.write(">")
		r.argsOpen = false
	case 'N':
		r.nested(inType)
	case 'I':
		r.path(inType, false)
		r.arguments(inType, leaveOpen)
	case 'B':
		r.back(func() { r.path(inType, leaveOpen) })
	default:
		r.failed = true
	}
}

// nested reads an item in a path. What the compiler made has a namespace of a capital
// letter, and a number.
func (r *rust) nested(inType bool) {
	space := r.next()
	if letter := space | 0x20; letter < 'a' || letter > 'z' {
		r.failed = true
		return
	}
	r.path(inType, false)
	r.argsOpen = false
	number := r.tagged('s')
	if space >= 'a' {
		r.identifier("::")
		return
	}
	switch space {
	case 'C':
		r.write("::{closure")
	case 'S':
		r.write("::{shim")
	default:
		r.write("::{" + string(space))
	}
	r.identifier(":")
	r.write("#" + strconv.FormatUint(number, 10) + "}")
}

// arguments reads generic arguments.
func (r *rust) arguments(inType, leaveOpen bool) {
	read := func() {
		r.list(", ", func() {
			switch {
			case r.take('L'):
				r.lifetime(r.base62())
			case r.take('K'):
				r.constant()
			default:
				r.typ()
			}
		})
	}
	if r.noArgs {
		r.quietly(read)
		r.argsOpen = false
		return
	}
	if !inType {
		r.write("::")
	}
	r.write("<")
	read()
	if !leaveOpen {
		r.write(">")
	}
	r.argsOpen = leaveOpen
}

// back reads what stood at an earlier place once more.
func (r *rust) back(read func()) {
	to := r.base62()
	if r.failed || to >= uint64(r.at) {
		r.failed = true
		return
	}
	if r.silent > 0 {
		return
	}
	at := r.at
	r.at = int(to)
	read()
	r.at = at
}

var rustTypes = map[byte]string{
	'a': "i8", 'b': "bool", 'c': "char", 'd': "f64", 'e': "str", 'f': "f32", 'h': "u8",
	'i': "isize", 'j': "usize", 'l': "i32", 'm': "u32", 'n': "i128", 'o': "u128", 'p': "_",
	's': "i16", 't': "u16", 'u': "()", 'v': "...", 'x': "i64", 'y': "u64", 'z': "!",
}

func (r *rust) typ() {
	defer r.leave()
	if !r.enter() {
		return
	}
	c := r.next()
	if basic := rustTypes[c]; basic != "" {
		r.write(basic)
		return
	}
	switch c {
	case 'A', 'S':
		r.write("[")
		r.typ()
		if c == 'A' {
			r.write("; ")
			r.constant()
		}
		r.write("]")
	case 'T':
		r.write("(")
		if r.list(", ", r.typ) == 1 {
			r.write(",")
		}
		r.write(")")
	case 'R', 'Q':
		r.write("&")
		r.namedLifetime("", " ")
		if c == 'Q' {
			r.write("mut ")
		}
		r.typ()
	case 'P':
		r.write("*const ")
		r.typ()
	case 'O':
		r.write("*mut ")
		r.typ()
	case 'F':
		r.binding(r.signature)
	case 'D':
		r.write("dyn ")
		r.binding(func() { r.list(" + ", r.bounds) })
		if !r.namedLifetime(" + ", "") {
			r.failed = true
		}
	case 'B':
		r.back(r.typ)
	default:
		r.at--
		r.path(true, false)
	}
}

// namedLifetime reads a lifetime that need not be there, and is not written if it has no name.
func (r *rust) namedLifetime(before, after string) (there bool) {
	if !r.take('L') {
		return false
	}
	if n := r.base62(); n > 0 {
		r.write(before)
		r.lifetime(n)
		r.write(after)
	}
	return true
}

// binding reads what may bind lifetimes for itself. Each takes a byte of the name
// where it is used, so more than that are none.
func (r *rust) binding(read func()) {
	outer := r.bound
	if n := r.tagged('G'); n > 0 && !r.failed {
		if n >= uint64(len(r.name))-min(outer, uint64(len(r.name))) {
			r.failed = true
			return
		}
		r.write("for<")
		for i := range n {
			r.bound++
			if i > 0 {
				r.write(", ")
			}
			r.lifetime(1)
		}
		r.write("> ")
	}
	read()
	r.bound = outer
}

func (r *rust) signature() {
	if r.take('U') {
		r.write("unsafe ")
	}
	if r.take('K') {
		abi := "C"
		if !r.take('C') {
			var coded bool
			abi, coded = r.bytes()
			r.failed = r.failed || coded
		}
		r.write(`extern "` + strings.ReplaceAll(abi, "_", "-") + `" `)
	}
	r.write("fn(")
	r.list(", ", r.typ)
	r.write(")")
	if !r.take('u') {
		r.write(" -> ")
		r.typ()
	}
}

// bounds reads a trait, with types that are associated with it among its arguments.
func (r *rust) bounds() {
	r.path(true, true)
	open := r.argsOpen
	for r.take('p') {
		if open {
			r.write(", ")
		} else {
			r.write("<")
		}
		open = true
		name, _ := r.bytes()
		r.write(name + " = ")
		r.typ()
	}
	if open {
		r.write(">")
	}
	r.argsOpen = false
}

func (r *rust) constant() {
	defer r.leave()
	if !r.enter() {
		return
	}
	switch c := r.next(); c {
	case 'a', 's', 'l', 'x', 'n', 'i', 'h', 't', 'm', 'y', 'o', 'j':
		if r.take('n') {
			r.write("-")
		}
		if value, digits := r.hex(); len(digits) <= 16 {
			r.write(strconv.FormatUint(value, 10))
		} else {
			r.write("0x" + digits)
		}
	case 'b':
		switch _, digits := r.hex(); digits {
		case "0":
			r.write("false")
		case "1":
			r.write("true")
		default:
			r.failed = true
		}
	case 'c':
		r.character()
	case 'p':
		r.write("_")
	case 'B':
		r.back(r.constant)
	default:
		r.failed = true
	}
}

func (r *rust) character() {
	value, digits := r.hex()
	if len(digits) > 6 {
		r.failed = true
		return
	}
	switch {
	case value == '\t':
		r.write(`'\t'`)
	case value == '\r':
		r.write(`'\r'`)
	case value == '\n':
		r.write(`'\n'`)
	case value == '\'' || value == '\\':
		r.write(`'\` + string(rune(value)) + `'`)
	case value >= ' ' && value <= '~':
		r.write(`'` + string(rune(value)) + `'`)
	default:
		r.write(`'\u{` + digits + `}'`)
	}
}

// lifetime writes the lifetime that is so many bindings away; 0 has no name.
func (r *rust) lifetime(n uint64) {
	switch {
	case n == 0:
		r.write("'_")
	case n > r.bound:
		r.failed = true
	case r.bound-n < 26:
		r.write("'" + string(rune('a'+r.bound-n)))
	default:
		r.write("'z" + strconv.FormatUint(r.bound-n-25, 10))
	}
}

// identifier reads an identifier, and writes it after some text if it is not empty.
func (r *rust) identifier(before string) {
	name, coded := r.bytes()
	if name == "" {
		return
	}
	if coded {
		var ok bool
		if name, ok = decodePunycode(name); !ok {
			r.failed = true
		}
	}
	r.write(before + name)
}

// bytes reads an identifier as it stands, and whether it is in Punycode.
func (r *rust) bytes() (name string, coded bool) {
	coded = r.take('u')
	n := r.decimal()
	r.take('_') // before an identifier that begins with a digit or '_'
	if r.failed || n > uint64(len(r.name)-r.at) {
		r.failed = true
		return "", false
	}
	name = r.name[r.at : r.at+int(n)]
	r.at += int(n)
	if strings.ContainsFunc(name, func(c rune) bool { return !isIdentifier(c) }) {
		r.failed = true
	}
	return name, coded
}

// tagged reads a number that a letter says is there: one more than what follows.
func (r *rust) tagged(tag byte) uint64 {
	if !r.take(tag) {
		return 0
	}
	n := r.base62()
	if n == math.MaxUint64 {
		r.failed = true
	}
	return n + 1
}

// base62 reads a number up to '_': one more than its digits, which are 0 if there are none.
func (r *rust) base62() uint64 {
	if r.take('_') {
		return 0
	}
	value := uint64(0)
	for !r.failed {
		c := r.next()
		if c == '_' {
			return value + 1
		}
		var digit uint64
		switch {
		case isDigit(c):
			digit = uint64(c - '0')
		case c >= 'a' && c <= 'z':
			digit = uint64(c-'a') + 10
		case c >= 'A' && c <= 'Z':
			digit = uint64(c-'A') + 36
		default:
			r.failed = true
		}
		if value > (math.MaxUint64-1-digit)/62 {
			r.failed = true
		}
		value = value*62 + digit
	}
	return 0
}

// decimal reads a number. 0 is one of its own: no other begins with it.
func (r *rust) decimal() (value uint64) {
	if r.take('0') {
		return 0
	}
	if !isDigit(r.look()) {
		r.failed = true
	}
	for !r.failed && isDigit(r.look()) {
		if value > math.MaxInt64/100 {
			r.failed = true
		}
		value = value*10 + uint64(r.next()-'0')
	}
	return value
}

// hex reads hexadecimal digits up to '_'; 0 has no other digit. The value is the
// last sixteen digits'.
func (r *rust) hex() (value uint64, digits string) {
	from := r.at
	for !r.failed && !r.take('_') {
		c := r.next()
		switch {
		case isDigit(c):
			value = value<<4 | uint64(c-'0')
		case c >= 'a' && c <= 'f':
			value = value<<4 | uint64(c-'a'+10)
		default:
			r.failed = true
		}
	}
	if r.failed {
		return 0, ""
	}
	digits = r.name[from : r.at-1]
	if digits == "" || digits[0] == '0' && digits != "0" {
		r.failed = true
	}
	return value, digits
}

// decodePunycode decodes RFC 3492 as Rust writes it, with '_' for the last '-'. What
// stands before it is ASCII.
func decodePunycode(name string) (text string, ok bool) {
	const base, tMin, tMax, skew, most = 36, 1, 26, 38, math.MaxInt32
	var runes []rune
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		runes, name = []rune(name[:i]), name[i+1:]
	}
	damp, bias, n, i := 700, 72, 128, 0
	for at := 0; at < len(name); i++ {
		before, weight := i, 1
		for k := base; ; k += base {
			if at == len(name) {
				return "", false
			}
			c := name[at]
			at++
			digit := int(c) - 'a'
			if isDigit(c) {
				digit = int(c) - '0' + 26
			}
			if digit < 0 || digit > (most-i)/weight {
				return "", false
			}
			i += digit * weight
			t := min(max(k-bias, tMin), tMax)
			if digit < t {
				break
			}
			if weight > most/(base-t) {
				return "", false
			}
			weight *= base - t
		}
		delta, points := (i-before)/damp, len(runes)+1
		damp, delta = 2, delta+delta/points
		for bias = 0; delta > (base-tMin)*tMax/2; bias += base {
			delta /= base - tMin
		}
		bias += (base - tMin + 1) * delta / (delta + skew)
		n, i = n+i/points, i%points
		if n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return "", false
		}
		runes = append(runes, 0)
		copy(runes[i+1:], runes[i:])
		runes[i] = rune(n)
	}
	return string(runes), true
}
