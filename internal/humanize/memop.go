package humanize

import "math/bits"

// MemOPSize says which sizes in bytes a value of a memop site stands for: up to
// 8 and powers of two up to 512 are exact, one more than a power of two stands
// for what lies between it and the next, 513 for all above 512 (instrprof.md
// §2.6).
func MemOPSize(v uint64) string {
	switch {
	case v == 1:
		return "1 byte"
	case v == 513:
		return "≥ 513 bytes"
	case v > 8 && v < 513 && bits.OnesCount64(v-1) == 1 && v&1 == 1:
		return Int(v) + "–" + Int(2*(v-1)-1) + " bytes"
	}
	return Int(v) + " bytes"
}
