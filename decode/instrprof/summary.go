package instrprof

// SummaryEntry says how few counters hold a share of the total (instrprof.md
// §3.2): the NumCounts largest counters, each at least MinCount, hold
// Cutoff / 1,000,000 of it.
type SummaryEntry struct {
	Cutoff    uint64 `api:"cutoff" doc:"Parts per million."`
	MinCount  uint64 `api:"min_count,exact"`
	NumCounts uint64 `api:"num_counts"`
}

// Summary is LLVM's profile summary, as stored in an indexed file or computed
// from records (instrprof.md §6.3).
type Summary struct {
	NumFunctions     uint64 `api:"num_functions"`
	NumCounts        uint64 `api:"num_counts"`               // counters ("blocks") of all functions
	MaxFunctionCount uint64 `api:"max_function_count,exact"` // largest counter 0
	MaxCount         uint64 `api:"max_count,exact"`          // largest counter
	MaxInternalCount uint64 `api:"max_internal_count,exact"` // largest counter but the first of each function
	// TotalCount is the sum of all counters.
	TotalCount uint64         `api:"total_count,exact" doc:"Modulo 2^64, as in LLVM."`
	Detailed   []SummaryEntry `api:"detailed"`
}
