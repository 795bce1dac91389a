package model

// Wanted names a function whose data are looked for in a file: by the number of a
// record, by NameRef, or by name.
type Wanted struct {
	Record *uint64 // from 0, over all profiles of the file
	Ref    *uint64
	Hash   *uint64 // FuncHash, of several records of that NameRef
	Name   string  // the whole, or a part that the name has
}

// Location is where the data of one function stand in a file, and how that is
// worked out with the file's own numbers.
type Location struct {
	Function string  `json:"function" doc:"Empty if the file has no name for it."`
	NameRef  string  `json:"name_ref" is:"fid"`  // 16 hexadecimal digits
	FuncHash string  `json:"func_hash" is:"fid"` // the same
	Record   uint64  `json:"record" doc:"Number of the record, across all profiles in the file."`
	Records  uint64  `json:"records" doc:"Number of records in the file."`
	Same     []Match `json:"same,omitempty" doc:"Other records of this name."`
	Sums     []Sum   `json:"sums"`
}

// Match is a record that was not asked for alone: another of the same name, or
// one of several whose name has the words that were looked for.
type Match struct {
	Function string `json:"function"`
	FuncHash string `json:"func_hash" is:"fid"`
	Record   uint64 `json:"record"`
}

// Sum is one worked sum: how a part of a function is found.
type Sum struct {
	Of      string `json:"of"`      // "counters"
	Section string `json:"section"` // that the part is in
	Terms   []Term `json:"terms" is:"null"`
	// Offset and Size are where the part stands in the file, in bytes; Size is 0
	// where that is not known.
	Offset uint64   `json:"offset" doc:"Offset of the part in the file."`
	Size   uint64   `json:"size" doc:"Size in bytes; 0 if it has no place of its own."`
	Values []string `json:"values,omitempty" doc:"The first 32 values there."`
	More   uint64   `json:"more,omitempty" is:"1.." doc:"Number of values after those."`
	Note   string   `json:"note,omitempty"`
}

// Term is one line of a sum. The first has no sign; "=" is a result, to which the
// next lines are applied.
type Term struct {
	Sign  string `json:"sign,omitempty" is:"+|−|×|÷|&|="` // one of + − × ÷ & =
	Name  string `json:"name"`
	Value string `json:"value" doc:"Decimal, or hexadecimal after 0x. A hash has 16 hexadecimal digits."`
	Note  string `json:"note,omitempty"`
	// Offset and Size are where the number stands in the file; Size is 0 for one
	// that was worked out.
	Offset uint64 `json:"offset,omitempty" doc:"Offset of the number in the file."`
	Size   uint64 `json:"size,omitempty" is:"1.." doc:"Its size there, in bytes."`
}
