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
	Function string  `json:"function"`  // empty where the file has no name for it
	NameRef  string  `json:"name_ref"`  // 16 hexadecimal digits
	FuncHash string  `json:"func_hash"` // the same
	Record   uint64  `json:"record"`    // its number, from 0, over all profiles of the file
	Records  uint64  `json:"records"`   // of the file
	Same     []Match `json:"same,omitempty"`
	Sums     []Sum   `json:"sums"`
}

// Match is a record that was not asked for alone: another of the same name, or
// one of several whose name has the words that were looked for.
type Match struct {
	Function string `json:"function"`
	FuncHash string `json:"func_hash"`
	Record   uint64 `json:"record"`
}

// Sum is one worked sum: how a part of a function is found.
type Sum struct {
	Of      string `json:"of"`      // "counters"
	Section string `json:"section"` // that the part is in
	Terms   []Term `json:"terms"`
	// Offset and Size are where the part stands in the file, in bytes; Size is 0
	// where that is not known.
	Offset uint64   `json:"offset"`
	Size   uint64   `json:"size"`
	Values []string `json:"values,omitempty"` // what stands there, the first of it
	More   uint64   `json:"more,omitempty"`   // values after those
	Note   string   `json:"note,omitempty"`
}

// Term is one line of a sum. The first has no sign; "=" is a result, to which the
// next lines are applied.
type Term struct {
	Sign  string `json:"sign,omitempty"` // one of + − × ÷ & =
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"`
	// Offset and Size are where the number stands in the file; Size is 0 for one
	// that was worked out.
	Offset uint64 `json:"offset,omitempty"`
	Size   uint64 `json:"size,omitempty"`
}
