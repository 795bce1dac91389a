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
	for _, group := range operatorCodes {
		for _, code := range group.codes {
			symbol := code[len("aa "):]
			operators[code[0]-'a'][code[1]-'A'] = operator{symbol, group.form, group.flag, group.prec, "operator" + symbol}
		}
	}
}

// operatorCodes are the operators of each form and strength, by their two letters. The strength of
// "dv" is LLVM's, which has its division bind as an assignment does.
var operatorCodes = []struct {
	form  form
	prec  prec
	flag  uint8
	codes []string
}{
	{formPrefix, precUnary, 0, []string{"ad &", "co ~", "de *", "ng -", "nt !", "ps +"}},
	{formPostfix, precPostfix, 0, []string{"mm --", "pp ++"}},
	{formBinary, precTimes, 0, []string{"ml *", "rm %"}},
	{formBinary, precPlus, 0, []string{"mi -", "pl +"}},
	{formBinary, precShift, 0, []string{"ls <<", "rs >>"}},
	{formBinary, precSpaceship, 0, []string{"ss <=>"}},
	{formBinary, precLess, 0, []string{"ge >=", "gt >", "le <=", "lt <"}},
	{formBinary, precEqual, 0, []string{"eq ==", "ne !="}},
	{formBinary, precAnd, 0, []string{"an &"}},
	{formBinary, precXor, 0, []string{"eo ^"}},
	{formBinary, precOr, 0, []string{"or |"}},
	{formBinary, precAndIf, 0, []string{"aa &&"}},
	{formBinary, precOrIf, 0, []string{"oo ||"}},
	{formBinary, precAssign, 0, []string{
		"aN &=", "aS =", "dV /=", "dv /", "eO ^=", "lS <<=", "mI -=", "mL *=", "oR |=", "pL +=", "rM %=", "rS >>=",
	}},
	{formBinary, precComma, 0, []string{"cm ,"}},
	{formSubscript, precPostfix, 0, []string{"ix []"}},
	{formMember, precPostfix, 0, []string{"dt ."}},
	{formMember, precPostfix, 1, []string{"pt ->"}},
	{formMember, precMember, 0, []string{"ds .*"}},
	{formMember, precMember, 1, []string{"pm ->*"}},
	{formNew, precUnary, 0, []string{"nw  new"}},
	{formNew, precUnary, newArray, []string{"na  new[]"}},
	{formDelete, precUnary, 0, []string{"dl  delete"}},
	{formDelete, precUnary, newArray, []string{"da  delete[]"}},
	{formCall, precPostfix, 0, []string{"cl ()"}},
	{formCall, precPostfix, 1, []string{"cp ()"}},
	{formConversion, precCast, 0, []string{"cv "}},
	{formConditional, precConditional, 0, []string{"qu ?"}},
	{formNameOnly, precPrimary, 0, []string{"aw  co_await"}},
	{formNamedCast, precPostfix, 0, []string{
		"cc const_cast", "dc dynamic_cast", "rc reinterpret_cast", "sc static_cast",
	}},
	{formTypeOrValue, precPostfix, 0, []string{"te typeid "}},
	{formTypeOrValue, precPostfix, 1, []string{"ti typeid "}},
	{formTypeOrValue, precUnary, 0, []string{"az alignof ", "sz sizeof "}},
	{formTypeOrValue, precUnary, 1, []string{"at alignof ", "st sizeof "}},
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
		return p.fail()
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
	return p.fail()
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
