// Package llvmargs reads the arguments of LLVM's tools as those do: an option has one dash
// or two, its value comes after "=" or as the next argument, options and files stand in any
// order, "--" ends the options, and @FILE holds more arguments.
package llvmargs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Options is where the value of each option goes, by its name: to a *bool, *string,
// *[]string, *uint64, [Choice], [Word] or [Percent].
type Options map[string]any

// Choice is an option whose value is one of some words.
type Choice struct {
	To    *string
	Words []string
}

// Word is a switch that stands for one value of what several switches choose.
type Word struct {
	To   *string
	Word string
}

// Error is a wrong command line, in the words of LLVM's tools.
type Error struct{ Msg string }

// Error is the message.
func (e *Error) Error() string { return e.Msg }

// Parse gives options their values and returns all other arguments. tool is what the
// program is called in errors, which are of type [*Error].
func Parse(tool string, options Options, args []string) (others []string, err error) {
	given := map[any]bool{}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return append(others, args...), nil
		}
		if len(arg) < 2 || arg[0] != '-' {
			others = append(others, arg)
			continue
		}
		name, value, has := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		to, ok := options[name]
		if !ok {
			return nil, unknown(tool, arg, name, options)
		}
		if once(to) && given[to] {
			return nil, &Error{fmt.Sprintf("%s: for the %s option: may only occur zero or one times!", tool, dashed(name))}
		}
		if once(to) {
			given[to] = true
		}
		if !has && !isSwitch(to) {
			if len(args) == 0 {
				return nil, &Error{fmt.Sprintf("%s: for the %s option: requires a value!", tool, dashed(name))}
			}
			value, args = args[0], args[1:]
		}
		if fault := set(to, value); fault != "" {
			return nil, &Error{fmt.Sprintf("%s: for the %s option: %s", tool, dashed(name), fault)}
		}
	}
	return others, nil
}

// unknown names the option that is most like one that there is not, as LLVM does.
func unknown(tool, arg, name string, options Options) error {
	said, _, _ := strings.Cut(arg, "=")
	fault := fmt.Sprintf("%s: Unknown command line argument '%s'.  Try: '%s --help'", tool, arg, tool)
	nearest, least := "", len(name)+1
	for _, other := range sorted(options) {
		if d := distance(name, other); d < least {
			nearest, least = other, d
		}
	}
	if nearest != "" {
		fault += fmt.Sprintf("\n%s: Did you mean '%s'?", tool, dashed(nearest+strings.TrimPrefix(arg, said)))
	}
	return &Error{fault}
}

func sorted(options Options) []string {
	var names []string
	for name := range options {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// distance is how many letters have to be put in, taken out or changed to make a of b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// dashed is a name as LLVM prints it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// once reports whether an option may be given only once.
func once(to any) bool {
	switch to.(type) {
	case *[]string, Choice, Word:
		return false
	}
	return true
}

func isSwitch(to any) bool {
	switch to.(type) {
	case *bool, Word:
		return true
	}
	return false
}

// set gives an option its value and says what is wrong with that.
func set(to any, value string) string {
	switch to := to.(type) {
	case *bool:
		switch value {
		case "", "true", "TRUE", "True", "1":
			*to = true
		case "false", "FALSE", "False", "0":
			*to = false
		default:
			return fmt.Sprintf("'%s' is invalid value for boolean argument! Try 0 or 1", value)
		}
	case *string:
		*to = value
	case *[]string:
		*to = append(*to, value)
	case *uint64:
		n, err := strconv.ParseUint(value, 0, 64)
		if err != nil || strings.Contains(value, "_") {
			return fmt.Sprintf("'%s' value invalid for uint argument!", value)
		}
		*to = n
	case Choice:
		if !slices.Contains(to.Words, value) {
			return fmt.Sprintf("Cannot find option named '%s'!", value)
		}
		*to.To = value
	case Word:
		*to.To = to.Word
	}
	return ""
}

// Names are all options as they are given, in order.
func (o Options) Names() (list []string) {
	for _, name := range sorted(o) {
		option := dashed(name)
		switch to := o[name].(type) {
		case *string, *[]string:
			option += "=<string>"
		case *uint64:
			option += "=<uint>"
		case Choice:
			option += "=" + strings.Join(to.Words, "|")
		}
		list = append(list, option)
	}
	return list
}
