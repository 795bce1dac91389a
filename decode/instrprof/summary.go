package instrprof

// SummaryEntry says how few counters hold a share of the total (instrprof.md
// §3.2): the NumCounts largest counters, each at least MinCount, hold
// Cutoff / 1,000,000 of it.
type SummaryEntry struct {
	Cutoff    uint64 // parts per million
	MinCount  uint64
	NumCounts uint64
}

// Summary is LLVM's profile summary, as stored in an indexed file or computed
// from records (instrprof.md §6.3).
type Summary struct {
	NumFunctions     uint64
	NumCounts        uint64 // counters ("blocks") of all functions
	MaxFunctionCount uint64 // largest counter 0
	MaxCount         uint64 // largest counter
	MaxInternalCount uint64 // largest counter but the first of each function
	TotalCount       uint64 // sum of all counters, modulo 2^64 as LLVM's is
	Detailed         []SummaryEntry
}
