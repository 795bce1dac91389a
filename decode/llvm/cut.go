package llvm

import (
	"fmt"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// cut is a file that ends too soon, carried as the cause of the error about it.
type cut struct{ partial model.Partial }

func (c cut) Error() string { return "the file is cut short: " + c.partial.String() }

// cutShort adds to a reader's error about a raw file how much of it is there,
// when it is for want of the rest that it cannot be read.
func cutShort(data []byte, err error) error {
	fault, ok := model.FaultIn(err)
	if !ok || fault.File != "" || fault.Err != nil || !instrprof.IsRaw(data) {
		return err
	}
	partial := instrprof.CutOf(data)
	if partial == nil {
		return err
	}
	marked := *fault
	marked.Err = cut{*partial}
	return &marked
}

// Advice implements [format.Advised].
func (c cut) Advice() format.Advice { return format.Advice{Cause: c.cause(), Remedy: c.remedy()} }

func (c cut) cause() string {
	return fmt.Sprintf("the file is cut short: it ends at byte %d, in the %s, and %s or more are missing; "+
		"the program was killed while writing its profile, the disk was full, or a copy was interrupted",
		c.partial.End, c.partial.Section, wire.Plural(c.partial.Missing, "byte"))
}

func (c cut) remedy() string {
	const whole = "copy the file again, or record the profile again and let the program exit normally"
	if c.partial.Records == 0 {
		return whole + "; it holds no record to salvage"
	}
	number := func(n uint64) string { return fmt.Sprint(n) }
	return whole + "; or salvage what can be read: " + c.partial.Count(number, " to ")
}
