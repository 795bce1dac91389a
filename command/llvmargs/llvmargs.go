// Package llvmargs reads the arguments of LLVM's tools as those do: an option has one dash
// or two, its value comes after "=" or as the next argument, options and files stand in any
// order, "--" ends the options, and @FILE holds more arguments.
package llvmargs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Options is where the value of each option goes, by its name: to a *bool, *string,
// *[]string, *uint32, *uint64, [Number], [Choice], [Word], [Rest] or [Value].
type Options map[string]any

// Version says which version of which program this is, given ours: scripts look for LLVM's.
func Version(ours string) string { return "Proflens " + ours + ", in the place of LLVM version 22\n" }

// Number is an option whose value LLVM calls by another type than uint: ulong or ullong.
type Number struct {
	To   *uint64
	Type string
}

// Choice is an option whose value is one of some words.
type Choice struct {
	To    *string
	Words []string
}

// Word is a switch that stands for one value of what several switches choose.
type Word struct {
	To   any // as in [Options]
	Word string
}

// Rest is an option behind which every argument that is no option goes elsewhere.
type Rest struct{ To *[]string }

// Value is where a value of another kind goes.
type Value interface {
	// IsSwitch reports whether it needs no value; the empty one turns it on.
	IsSwitch() bool
	// Set takes a value, and says whether it is one.
	Set(value string) Kind
}

// Kind is what is wrong with an argument.
type Kind int

// The kinds.
const (
	Right Kind = iota
	Unknown
	NoValue
	NotBool
	NotNumber
	NotFloat
	NotAWord
)

// Fault is what is wrong with an argument.
type Fault struct {
	Kind             Kind
	Arg, Name, Value string
	Type             string   // of a number, if it is no uint
	Words            []string // that the value may be
}

// Error says it in our own words.
func (f *Fault) Error() string {
	at := fmt.Sprintf("-%s=%s: ", f.Name, f.Value)
	switch f.Kind {
	case Unknown:
		return "unknown option " + f.Arg
	case NoValue:
		return fmt.Sprintf("-%s needs a value", f.Name)
	case NotBool:
		return at + "use 1 or 0"
	case NotNumber, NotFloat:
		return at + "use a number"
	default:
		return at + "use " + strings.Join(f.Words, ", ")
	}
}

// AsLLVM says it in the words of LLVM's tools, of which one has such options.
func (f *Fault) AsLLVM(tool string, options Options) string {
	of := fmt.Sprintf("%s: for the %s option: ", tool, dashed(f.Name))
	switch f.Kind {
	case Unknown:
		said := fmt.Sprintf("%s: Unknown command line argument '%s'.  Try: '%[1]s --help'", tool, f.Arg)
		if near := options.nearest(f.Name); near != "" {
			_, value, has := strings.Cut(f.Arg, "=")
			if has {
				near += "=" + value
			}
			said += fmt.Sprintf("\n%s: Did you mean '%s'?", tool, dashed(near))
		}
		return said
	case NoValue:
		return of + "requires a value!"
	case NotBool:
		return fmt.Sprintf("%s'%s' is invalid value for boolean argument! Try 0 or 1", of, f.Value)
	case NotNumber:
		return fmt.Sprintf("%s'%s' value invalid for %s argument!", of, f.Value, cmp.Or(f.Type, "uint"))
	case NotFloat:
		return fmt.Sprintf("%s'%s' value invalid for floating point argument!", of, f.Value)
	default:
		return fmt.Sprintf("%sCannot find option named '%s'!", of, f.Value)
	}
}

// nearest is the option that is most like one that there is not.
func (o Options) nearest(name string) string {
	nearest, least := "", len(name)+1
	for _, other := range slices.Sorted(maps.Keys(o)) {
		if d := levenshtein.ComputeDistance(name, other); d < least {
			nearest, least = other, d
		}
	}
	return nearest
}

// dashed is a name as LLVM prints it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// Parse gives options their values and returns all other arguments, and the first that is
// wrong. Of an option that is given twice the last one counts, as since LLVM 15.
func (o Options) Parse(args []string) (others []string, fault *Fault) {
	to := &others
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			*to = append(*to, args...)
			break
		}
		if len(arg) < 2 || arg[0] != '-' {
			*to = append(*to, arg)
			continue
		}
		name, value, has := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		f := &Fault{Arg: arg, Name: name}
		option, ok := o[name]
		switch rest, isRest := option.(Rest); {
		case !ok:
			f.Kind = Unknown
			return others, f
		case isRest:
			to = rest.To
			continue
		}
		if !has && !isSwitch(option) {
			if len(args) == 0 {
				f.Kind = NoValue
				return others, f
			}
			value, args = args[0], args[1:]
		}
		if f.Value = value; f.set(option) != Right {
			return others, f
		}
	}
	return others, nil
}

func isSwitch(to any) bool {
	switch to := to.(type) {
	case *bool, Word:
		return true
	case Value:
		return to.IsSwitch()
	}
	return false
}

// set gives an option its value and notes what is wrong with that.
func (f *Fault) set(to any) Kind {
	switch to := to.(type) {
	case *bool:
		*to, f.Kind = Bool(f.Value)
	case *string:
		*to = f.Value
	case *[]string:
		*to = append(*to, f.Value)
	case *uint32:
		*to = uint32(f.number(32))
	case *uint64:
		*to = f.number(64)
	case Number:
		*to.To, f.Type = f.number(64), to.Type
	case Choice:
		*to.To = f.Value
		if f.Words = to.Words; !slices.Contains(to.Words, f.Value) {
			f.Kind = NotAWord
		}
	case Word:
		f.Value = to.Word
		return f.set(to.To)
	case Value:
		f.Kind = to.Set(f.Value)
	}
	return f.Kind
}

// number is a whole number of so many bits.
func (f *Fault) number(bits int) uint64 {
	n, err := strconv.ParseUint(f.Value, 0, bits)
	if err != nil || strings.Contains(f.Value, "_") {
		f.Kind = NotNumber
	}
	return n
}

// Bool is the value of a switch, which the empty one turns on.
func Bool(value string) (bool, Kind) {
	switch value {
	case "", "true", "TRUE", "True", "1":
		return true, Right
	case "false", "FALSE", "False", "0":
		return false, Right
	}
	return false, NotBool
}

// Names are all options as they are given, in order.
func (o Options) Names() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		option := dashed(name)
		switch to := o[name].(type) {
		case *string, *[]string:
			option += "=<string>"
		case *uint32, *uint64, Number:
			option += "=<uint>"
		case Choice:
			option += "=" + strings.Join(to.Words, "|")
		}
		list = append(list, option)
	}
	return list
}
