package store

// Filtered reports whether the query selects functions, rather than having all.
func (q *FunctionQuery) Filtered() bool { return q.hasNumbers() || q.hasNames() }
