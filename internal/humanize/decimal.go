package humanize

import "strconv"

// pairs are the numbers below a hundred, of two digits each.
const pairs = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849" +
	"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

// AppendUint appends a number in decimal, as [strconv.AppendUint] does, in half the time where
// it is below a hundred million: profiles have little else.
func AppendUint(b []byte, v uint64) []byte {
	switch {
	case v < 10:
		return append(b, byte('0'+v))
	case v < 100:
		return append(b, pairs[2*v], pairs[2*v+1])
	case v < 1000:
		low := v % 100
		return append(b, byte('0'+v/100), pairs[2*low], pairs[2*low+1])
	case v < 10000:
		high, low := v/100, v%100
		return append(b, pairs[2*high], pairs[2*high+1], pairs[2*low], pairs[2*low+1])
	case v < 1e8:
		high, low := v%10000/100, v%100
		return append(AppendUint(b, v/10000), pairs[2*high], pairs[2*high+1], pairs[2*low], pairs[2*low+1])
	}
	return strconv.AppendUint(b, v, 10)
}
