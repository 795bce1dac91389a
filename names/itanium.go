package names

import (
	"strings"
	"sync"
)

// Bounds for hostile names of C++. A name has at most as many nodes as a few
// times its bytes; what can grow beyond that is the text that substitutions
// and packs write, and the steps they take to write nothing.
const (
	maxNesting = 1 << 10 // scopes, types and expressions within each other
	maxDrawing = 1 << 12 // nodes within each other while they are written
	maxSteps   = 1 << 19 // nodes written or asked for their shape
	maxText    = 1 << maxDemangledLog
)

// itanium reads one mangled name of the Itanium C++ ABI into a tree of nodes.
// It reads each byte once and never goes back; nodes, lists and substitutions
// lie in slices that the next name uses again. The first thing that is wrong is
// kept, as by a [wire.Cursor]: what is read behind it is nothing.
type itanium struct {
	name   string
	at     int
	depth  int
	failed bool // the name is refused
	gcc    bool // types in unresolved names are written as GCC does

	nodes []node
	refs  []ref // the members of all lists
	open  []ref // members of lists that are still being read
	subs  []ref // substitution candidates, S_ first

	templateScopes
	forward []ref // template parameters of conversion operators, not resolved yet

	noTypeArgs   bool // template arguments do not belong to the type before them
	forwardRefs  bool // template parameters may refer to what comes later
	inConstraint bool // parameters are numbered, not looked up
	invented     [3]int
}

// demangler is what a name takes to be demangled; they are pooled.
type demangler struct {
	itanium
	writer
}

var demanglers = sync.Pool{New: func() any { return new(demangler) }}

// demangleItanium writes a C++ name as LLVM's demangler does. Of a suffix that
// a compiler appended it returns the length, text being without it. It refuses
// most of what LLVM's demangler refuses, and names beyond the bounds above.
//
// After "sr", GCC writes a type as everywhere else, where clang has a grammar
// for it with other substitutions. A name that is not clang's may be GCC's.
func demangleItanium(name string, m Mode) (text string, suffix int, ok bool) {
	d := demanglers.Get().(*demangler)
	root := d.read(name, false)
	if root == 0 && strings.Contains(name, "sr") {
		d.forget()
		root = d.read(name, true)
	}
	if root != 0 {
		suffix = len(name) - d.at
		text, ok = d.writer.write(&d.itanium, root, m)
	}
	d.forget()
	demanglers.Put(d)
	return text, suffix, ok
}

// read reads a name into a tree. It returns the root, 0 for a name it refuses.
func (p *itanium) read(name string, gcc bool) ref {
	*p = itanium{
		name:  name,
		gcc:   gcc,
		nodes: append(p.nodes[:0], node{}), // 0 is no node
		refs:  p.refs[:0],
		open:  p.open[:0],
		subs:  p.subs[:0],
		templateScopes: templateScopes{
			params: p.params[:0],
			levels: p.levels[:0],
			lambda: -1,
		},
		forward: p.forward[:0],
	}
	return p.symbol()
}

// forget lets go of the name, which the nodes hold parts of.
func (p *itanium) forget() {
	clear(p.nodes)
	p.name = ""
}

// symbol reads "_Z" and an encoding, or a block within one. What is left may
// only be a suffix.
func (p *itanium) symbol() ref {
	if !p.takeWord("___Z") {
		if !p.takeWord("_Z") {
			return 0
		}
		encoding := p.encoding()
		if p.failed || p.at < len(p.name) && p.peek() != '.' {
			return 0
		}
		return encoding
	}
	encoding := p.encoding()
	if !p.takeWord("_block_invoke") {
		return 0
	}
	if numbered := p.take('_'); p.number() == "" && numbered {
		return 0
	}
	if p.peek() == '.' { // LLVM leaves the suffix of a block out
		p.at = len(p.name)
	}
	if p.at < len(p.name) {
		return 0
	}
	return p.add(node{kind: kindLead, text: "invocation function for block in ", a: encoding, flag: leadBlock})
}
