package mipweb

import (
	"fmt"

	"proflens/profile/mipdb"
)

// mipAddress writes an address at link time, or where the program is not at hand
// how far from the section of counters it is.
func mipAddress(o *mipdb.Overview, offset int64) string {
	switch {
	case o.RawAddress != nil:
		return fmt.Sprintf("0x%x", *o.RawAddress+uint64(offset))
	case offset < 0:
		return fmt.Sprintf("−0x%x", -uint64(offset))
	}
	return fmt.Sprintf("+0x%x", offset)
}

// addressHead is the head of their column, and what its title says.
func addressHead(o *mipdb.Overview) (label, title string) {
	if o.RawAddress != nil {
		return "Address", "at link time"
	}
	return "From counters", "bytes from the first counter to the function; − means before it"
}

// addressNotes say what the numbers are where they are no addresses.
func addressNotes(o *mipdb.Overview) []string {
	if o.RawAddress != nil {
		return nil
	}
	return []string{
		"The map gives each function's distance from the counters (section __llvm_mipraw), not its address. Code is " +
			"usually linked before them, hence the −. Add the program for addresses.",
	}
}
