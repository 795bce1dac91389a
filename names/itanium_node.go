package names

// ref is a node of a name's tree, by its place; 0 is none.
type ref int32

// span is a list of nodes.
type span struct{ start, n int32 }

// node is a part of a name. What its fields hold depends on the kind.
type node struct {
	kind       kind
	shape      shape
	prec       prec
	flag       uint8
	a, b, c, d ref
	list       span
	text       string // of the name, or a word for it
}

// kind says what a node is.
type kind uint8

const (
	_             kind = iota
	kindText           // text
	kindLead           // text a
	kindTrail          // a text, without what follows a's name
	kindStd            // a name of the standard library that has a code of its own; flag: which
	kindStdFull        // the same with all that it stands for
	kindNested         // a::b
	kindFriend         // a::friend b
	kindQualified      // a::b in an expression
	kindLocal          // a::b in function a
	kindGlobal         // ::a
	kindTagged         // a[abi:text]
	kindTemplate       // a, b: arguments
	kindArgs           // <list>
	kindModule         // a: parent, b: name; flag: partition
	kindInModule       // b@a
	kindCtor           // text; flag: destructor
	kindDtorName       // ~a
	kindUnnamed        // 'unnamed text'
	kindClosure        // text: number, a: list of template parameters, b, c: constraints, list: parameters
	kindBindings       // [list]
	kindVtableIn       // construction vtable for a-in-b
	kindEncoding       // a: return type, b: name, c: enable_if, d: requires, list: parameters; flag: quals
	kindEnableIf       // [enable_if:list]
	kindList           // list

	kindQualifiers    // a, flag: quals
	kindPointer       // *a
	kindReference     // &a; flag: of an rvalue
	kindMemberPointer // b a::*
	kindArray         // a[b]
	kindFunction      // a(list) b: exception specification; flag: quals
	kindNoexcept      // noexcept(a)
	kindThrow         // throw(list)
	kindVendor        // a text b: arguments
	kindProtocol      // a<text> of Objective-C
	kindVector        // a vector[b]
	kindPixels        // pixel vector[text]
	kindBits          // _BitInt(a); flag: unsigned
	kindTransformed   // text(a)

	kindForward         // a: what it refers to, once that is known, b: number
	kindPack            // list: the arguments of a parameter pack
	kindArgPack         // list: a pack as an argument
	kindExpansion       // a...
	kindDeclared        // a, an argument whose parameter is written too
	kindInvented        // text and number b: a parameter without a name
	kindTypeParam       // typename a
	kindConstrained     // b a
	kindValueParam      // b a
	kindTemplateParam   // template<list> typename a requires b
	kindPackParam       // ...a
	kindBinary          // a text b
	kindPrefix          // text a
	kindPostfix         // a text
	kindSubscript       // a[b]
	kindMember          // a text b
	kindConditional     // a ? b : c
	kindEnclosing       // text(a)
	kindCast            // text<a>(b)
	kindNew             // a: list of placement, b: type, list: initialisers; flag: newGlobal, newArray
	kindDelete          // a; flag as for new
	kindCall            // a(list); flag: a in parentheses
	kindConvert         // (a)(list)
	kindInitList        // a{list}
	kindField           // a = b, with '.' or, by the flag, in brackets
	kindRange           // [a ... b] = c
	kindFold            // a: pack, b: initial value, text: operator; flag: from the left
	kindSizeofPack      // sizeof...(a)
	kindString          // "<a>"
	kindLambda          // []a{...}
	kindEnumerator      // (a)text
	kindInteger         // text; flag: place in integers
	kindFloat           // text; flag: the letter of its type
	kindSubobject       // b.<a at offset text>
	kindRequires        // a: list of parameters, list: requirements
	kindExprRequirement // a, b: type constraint; flag: noexcept
	kindTypeRequirement // a
	kindNestedRequires  // a
)

// shape is what a type has to be asked before another is wound around it: in
// C++ a declaration has parts on both sides of the name.
type shape uint8

const (
	hasRight   shape = 1 << iota // something follows the name
	isArray                      // within qualifiers at most
	isFunction                   // the same
	varies                       // the answers depend on the place in a pack
)

// prec is how strongly an operator binds; smaller is stronger.
type prec uint8

const (
	precPrimary prec = iota
	precPostfix
	precUnary
	precCast
	precMember
	precTimes
	precPlus
	precShift
	precSpaceship
	precLess
	precEqual
	precAnd
	precXor
	precOr
	precAndIf
	precOrIf
	precConditional
	precAssign
	precComma
	precDefault
)

// Qualifiers, in the flag of a node.
const (
	qualConst uint8 = 1 << iota
	qualVolatile
	qualRestrict
	qualRef
	qualRvalue
)

// Flags of kindLead, for the forms of a name without parameters.
const leadBlock = 1

// Flags of kindNew and kindDelete.
const (
	newGlobal uint8 = 1 << iota
	newArray
)

// add adds a node to the tree.
func (p *itanium) add(n node) ref {
	p.nodes = append(p.nodes, n)
	return ref(len(p.nodes) - 1)
}

func (p *itanium) addText(text string) ref { return p.add(node{kind: kindText, text: text}) }

// lead adds a node of text before another, which has to be there.
func (p *itanium) lead(text string, a ref) ref {
	if a == 0 {
		return p.fail()
	}
	return p.add(node{kind: kindLead, text: text, a: a})
}

// shapeOf is the shape of a node, as far as it is known without writing.
func (p *itanium) shapeOf(a ref) shape { return p.nodes[a].shape }

// close makes a list of the members read since open had a length.
func (p *itanium) close(start int) span {
	s := span{int32(len(p.refs)), int32(len(p.open) - start)}
	p.refs = append(p.refs, p.open[start:]...)
	p.open = p.open[:start]
	return s
}

// only is a list of one member.
func (p *itanium) only(a ref) span {
	p.open = append(p.open, a)
	return p.close(len(p.open) - 1)
}

// listNode is a list as a node, none for an empty list.
func (p *itanium) listNode(s span) ref {
	if s.n == 0 {
		return 0
	}
	return p.add(node{kind: kindList, list: s})
}

func (p *itanium) members(s span) []ref { return p.refs[s.start : s.start+s.n] }

// substitutable adds a node to the substitution candidates.
func (p *itanium) substitutable(a ref) ref {
	if a != 0 {
		p.subs = append(p.subs, a)
	}
	return a
}

// baseName is the last name of a class, which its constructors are called by.
func (p *itanium) baseName(a ref) string {
	for range len(p.nodes) {
		switch n := &p.nodes[a]; n.kind {
		case kindText:
			return n.text
		case kindStd:
			return stdNames[n.flag].name
		case kindStdFull:
			return stdNames[n.flag].template
		case kindTagged, kindTemplate, kindGlobal:
			a = n.a
		case kindNested, kindFriend, kindQualified, kindInModule:
			a = n.b
		default:
			return ""
		}
	}
	return ""
}
