package instrdb

import (
	"strconv"

	"proflens/internal/humanize"
	"proflens/profile/table"
)

// appendCSV appends the usual columns of a record as their cells would be written, which takes
// twice as long: these are what is exported by the million.
func (r *Row) appendCSV(b []byte, o *table.Options) []byte {
	b = comma(humanize.AppendUint(b, uint64(r.Rank)))
	b = comma(table.AppendHex(b, r.Ref))
	b = comma(table.AppendHex(b, r.FuncHash))
	b = r.Name.AppendCSV(b, o)
	b = comma(append(b, r.Class...))
	if r.Total.Hi > 0 {
		b = append(b, r.Total.String()...)
	} else {
		b = humanize.AppendUint(b, r.Total.Lo)
	}
	if b = comma(b); r.Digits != nil {
		b = append(b, r.Digits...)
	} else {
		b = appendShare(b, r.Share)
	}
	b = comma(appendShare(comma(b), r.Cum))
	if r.Entered {
		b = humanize.AppendUint(b, r.Entry)
	}
	b = comma(humanize.AppendUint(comma(b), r.Max))
	b = comma(humanize.AppendUint(b, uint64(r.MaxIndex)))
	b = comma(humanize.AppendUint(b, uint64(r.NumCounters)))
	b = comma(humanize.AppendUint(b, uint64(r.NumZero)))
	b = comma(strconv.AppendBool(b, r.Executed()))
	b = comma(humanize.AppendUint(b, uint64(r.SiteCount)))
	b = comma(humanize.AppendUint(b, r.Ordinal))
	b = comma(strconv.AppendBool(b, r.CS))
	b = comma(strconv.AppendBool(b, r.Pseudo))
	if b = comma(table.AppendField(b, r.File)); r.Line > 0 {
		b = humanize.AppendUint(b, uint64(r.Line))
	}
	return b
}

func comma(b []byte) []byte { return append(b, ',') }

func appendShare(b []byte, share float64) []byte { return strconv.AppendFloat(b, share, 'g', -1, 64) }
