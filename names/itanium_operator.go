package names

// operator is how one is coded, written and read in expressions.
type operator struct {
	symbol string
	form   form
	flag   uint8 // that of the node, or for formTypeOrValue 1 for a type
	prec   prec
	name   string // "operator" and the symbol
}

// form says what an operator's operands are.
type form uint8

const (
	_ form = iota
	formPrefix
	formPostfix
	formBinary
	formSubscript
	formMember // flag 1: one that can be declared
	formNew
	formDelete
	formCall
	formConversion
	formConditional
	formNameOnly
	formNamedCast   // from here on they cannot be declared
	formTypeOrValue // of sizeof and the like
)

// operatorOf finds an operator by its two letters.
func operatorOf(a, b byte) *operator {
	if a < 'a' || a > 'z' || b < 'A' || b > 'z' {
		return nil
	}
	if o := &operators[a-'a'][b-'A']; o.form != 0 {
		return o
	}
	return nil
}

var operators [26]['z' - 'A' + 1]operator

func init() {
	for code, o := range operatorCodes {
		o.name = "operator" + o.symbol
		operators[code[0]-'a'][code[1]-'A'] = o
	}
}

// operatorCodes are the operators. The strength of "dv" is LLVM's, which has
// its division bind as an assignment does.
var operatorCodes = map[string]operator{
	"aN": {"&=", formBinary, 0, precAssign, ""}, "aS": {"=", formBinary, 0, precAssign, ""},
	"aa": {"&&", formBinary, 0, precAndIf, ""}, "ad": {"&", formPrefix, 0, precUnary, ""},
	"an": {"&", formBinary, 0, precAnd, ""}, "at": {"alignof ", formTypeOrValue, 1, precUnary, ""},
	"aw": {" co_await", formNameOnly, 0, precPrimary, ""}, "az": {"alignof ", formTypeOrValue, 0, precUnary, ""},
	"cc": {"const_cast", formNamedCast, 0, precPostfix, ""}, "cl": {"()", formCall, 0, precPostfix, ""},
	"cm": {",", formBinary, 0, precComma, ""}, "co": {"~", formPrefix, 0, precUnary, ""},
	"cp": {"()", formCall, 1, precPostfix, ""}, "cv": {"", formConversion, 0, precCast, ""},
	"dV": {"/=", formBinary, 0, precAssign, ""}, "da": {" delete[]", formDelete, newArray, precUnary, ""},
	"dc": {"dynamic_cast", formNamedCast, 0, precPostfix, ""}, "de": {"*", formPrefix, 0, precUnary, ""},
	"dl": {" delete", formDelete, 0, precUnary, ""}, "ds": {".*", formMember, 0, precMember, ""},
	"dt": {".", formMember, 0, precPostfix, ""}, "dv": {"/", formBinary, 0, precAssign, ""},
	"eO": {"^=", formBinary, 0, precAssign, ""}, "eo": {"^", formBinary, 0, precXor, ""},
	"eq": {"==", formBinary, 0, precEqual, ""}, "ge": {">=", formBinary, 0, precLess, ""},
	"gt": {">", formBinary, 0, precLess, ""}, "ix": {"[]", formSubscript, 0, precPostfix, ""},
	"lS": {"<<=", formBinary, 0, precAssign, ""}, "le": {"<=", formBinary, 0, precLess, ""},
	"ls": {"<<", formBinary, 0, precShift, ""}, "lt": {"<", formBinary, 0, precLess, ""},
	"mI": {"-=", formBinary, 0, precAssign, ""}, "mL": {"*=", formBinary, 0, precAssign, ""},
	"mi": {"-", formBinary, 0, precPlus, ""}, "ml": {"*", formBinary, 0, precTimes, ""},
	"mm": {"--", formPostfix, 0, precPostfix, ""}, "na": {" new[]", formNew, newArray, precUnary, ""},
	"ne": {"!=", formBinary, 0, precEqual, ""}, "ng": {"-", formPrefix, 0, precUnary, ""},
	"nt": {"!", formPrefix, 0, precUnary, ""}, "nw": {" new", formNew, 0, precUnary, ""},
	"oR": {"|=", formBinary, 0, precAssign, ""}, "oo": {"||", formBinary, 0, precOrIf, ""},
	"or": {"|", formBinary, 0, precOr, ""}, "pL": {"+=", formBinary, 0, precAssign, ""},
	"pl": {"+", formBinary, 0, precPlus, ""}, "pm": {"->*", formMember, 1, precMember, ""},
	"pp": {"++", formPostfix, 0, precPostfix, ""}, "ps": {"+", formPrefix, 0, precUnary, ""},
	"pt": {"->", formMember, 1, precPostfix, ""}, "qu": {"?", formConditional, 0, precConditional, ""},
	"rM": {"%=", formBinary, 0, precAssign, ""}, "rS": {">>=", formBinary, 0, precAssign, ""},
	"rc": {"reinterpret_cast", formNamedCast, 0, precPostfix, ""}, "rm": {"%", formBinary, 0, precTimes, ""},
	"rs": {">>", formBinary, 0, precShift, ""}, "sc": {"static_cast", formNamedCast, 0, precPostfix, ""},
	"ss": {"<=>", formBinary, 0, precSpaceship, ""}, "st": {"sizeof ", formTypeOrValue, 1, precUnary, ""},
	"sz": {"sizeof ", formTypeOrValue, 0, precUnary, ""}, "te": {"typeid ", formTypeOrValue, 0, precPostfix, ""},
	"ti": {"typeid ", formTypeOrValue, 1, precPostfix, ""},
}

// takeOperator steps over the letters of an operator.
func (p *itanium) takeOperator() *operator {
	o := operatorOf(p.peek(), p.peekAt(1))
	if o != nil {
		p.at += 2
	}
	return o
}

// operatorName reads the name of an operator function.
func (p *itanium) operatorName(info *nameInfo) ref {
	o := p.takeOperator()
	switch {
	case o == nil:
	case o.form == formConversion:
		return p.conversionName(info)
	case o.form >= formNamedCast || o.form == formMember && o.flag == 0:
		return 0
	default:
		return p.addText(o.name)
	}
	if p.takeWord("li") {
		return p.lead(`operator"" `, p.sourceName())
	}
	if p.peek() == 'v' && isDigit(p.peekAt(1)) { // a vendor's
		p.at += 2
		return p.lead("operator ", p.sourceName())
	}
	return 0
}

// conversionName reads the type that a conversion operator converts to. It may
// refer to template arguments that follow it.
func (p *itanium) conversionName(info *nameInfo) ref {
	args, forward := p.noTypeArgs, p.forwardRefs
	p.noTypeArgs = true
	p.forwardRefs = forward || info != nil
	t := p.readType()
	p.noTypeArgs, p.forwardRefs = args, forward
	if info != nil {
		info.special = true
	}
	return p.lead("operator ", t)
}
