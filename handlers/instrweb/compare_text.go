package instrweb

import (
	"fmt"
	"strings"

	"proflens/decode/instrprof"
	"proflens/profile/instrdb"
)

// overlapKinds are the words of llvm-profdata overlap for kinds of value sites.
var overlapKinds = [instrprof.NumValueKinds]string{"IndirectCall", "MemOP", "VTable"}

// overlapText is the program level of what llvm-profdata overlap prints; nothing
// where one profile has no counts, as that does.
func overlapText(base, test string, o *instrdb.Overlap) string {
	if !o.Comparable() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Profile overlap information for base_profile: %s and test_profile: %s\nProgram level:\n", base, test)
	fmt.Fprintf(&b, "  # of functions overlap: %d\n", o.Overlap.Overlap.Entries)
	if n := o.Mismatch.Entries; n > 0 {
		fmt.Fprintf(&b, "  # of functions mismatch: %d\n", n)
	}
	if n := o.Unique.Entries; n > 0 {
		fmt.Fprintf(&b, "  # of functions only in test_profile: %d\n", n)
	}
	part := func(kind string, overlap, mismatch, unique, base, test float64) {
		fmt.Fprintf(&b, "  %s profile overlap: %.3f%%\n", kind, overlap*100)
		if o.Mismatch.Entries > 0 {
			fmt.Fprintf(&b, "  Mismatched count percentage (%s): %.3f%%\n", kind, mismatch*100)
		}
		if o.Unique.Entries > 0 {
			fmt.Fprintf(&b, "  Percentage of %s profile only in test_profile: %.3f%%\n", kind, unique*100)
		}
		fmt.Fprintf(&b, "  %s profile base count sum: %.0f\n  %s profile test count sum: %.0f\n", kind, base, kind, test)
	}
	part("Edge", o.Overlap.Overlap.Edge, o.Mismatch.Edge, o.Unique.Edge, o.Base.Edge, o.Test.Edge)
	for kind, word := range overlapKinds {
		if o.Base.Values[kind] < 1 && o.Test.Values[kind] < 1 {
			continue
		}
		part(word, o.Overlap.Overlap.Values[kind], o.Mismatch.Values[kind], o.Unique.Values[kind], o.Base.Values[kind],
			o.Test.Values[kind])
	}
	return b.String()
}
