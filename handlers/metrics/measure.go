package metrics

// Measure is a number of the program for its operator, as the metrics have it.
type Measure struct {
	Name, Help string
	Labels     []string // names of labels; their values are few, and never an id or a name of a user
	Counts     bool     // it only rises, until the process ends
	// Read puts the value, one for each set of labels' values; what cannot be
	// told now it leaves out.
	Read func(Put)
}

// Put puts a value, with those of its labels.
type Put func(value float64, labels ...string)
