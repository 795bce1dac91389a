package humanize

import "strconv"

// Hex writes a place in a file: "0x319800".
func Hex(v uint64) string { return "0x" + strconv.FormatUint(v, 16) }

// Offset writes a place in a file both ways: "0x319800 (byte 3 250 176)".
func Offset(v uint64) string { return Hex(v) + " (byte" + NumberSpace + Int(v) + ")" }
