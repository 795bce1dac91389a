package dcpidb

import "proflens/analyze"

// Dimension is what makes the columns of a table of samples.
type Dimension string

// The dimensions.
const (
	ByEvent    Dimension = "event"
	ByEpoch    Dimension = "epoch"
	ByPlatform Dimension = "platform"
)

// Dimensions are all of them, the usual one first.
var Dimensions = []Dimension{ByEvent, ByEpoch, ByPlatform}

// Unit is what a table of samples shows.
type Unit string

// The units. Events and seconds are estimated: samples × period, and cycles ÷
// the processor's speed.
const (
	UnitSamples Unit = "samples"
	UnitEvents  Unit = "events"
	UnitSeconds Unit = "seconds" // of CPU time; of cycles alone
)

// Units are all of them, the usual one first.
var Units = []Unit{UnitSamples, UnitEvents, UnitSeconds}

// Selection chooses profiles of a database, and how their samples are put side by
// side. The zero value is all, with a column for each event.
type Selection struct {
	Images    []int    // in Overview.Images; empty is all, as of the others
	Events    []string // columns by epoch or by platform are of one: the first that there is
	Epochs    []string // starts, RFC 3339
	Platforms []string
	By        Dimension
	Unit      Unit
	Shift     int64 // bytes by which symbols are moved
}

// Column is one column of a table of samples.
type Column struct {
	Name  string // of the event, epoch or host
	Key   string // of the column, which no other of the table has
	Event string // what its samples are of
	Unit  Unit   // that it is shown in: events instead of samples where periods differ
	// NoTime is set where seconds were asked for and there are none: the event is
	// not cycles, or the speed of the processor is not known.
	NoTime bool
	Total  Cell
	Rate   analyze.DCPIRate // of the first profile
	by     Dimension
}

// show sets the unit of a column to the one asked for, as far as it can be.
func (c *Column) show(unit Unit) {
	switch unit {
	case UnitEvents:
		c.Unit = UnitEvents
	case UnitSeconds:
		c.Unit = UnitSeconds
		c.NoTime = !isCycles(c.Event) || c.Total.Samples > 0 && c.Total.Seconds == 0
	}
}

// adding is the unit in which the column adds up.
func (c *Column) adding() Unit {
	if c.NoTime {
		return UnitSamples
	}
	return c.Unit
}

// share is the part of the column's total that a sum is.
func (c *Column) share(sum float64) float64 {
	if total := c.Total.Value(c.adding()); total > 0 {
		return min(sum/total, 1)
	}
	return 0
}

// Cell is what a row has in a column.
type Cell struct {
	Samples         uint64
	Events, Seconds float64 // estimated
}

// Value is the figure in a unit.
func (c *Cell) Value(unit Unit) float64 {
	switch unit {
	case UnitEvents:
		return c.Events
	case UnitSeconds:
		return c.Seconds
	}
	return float64(c.Samples)
}

func (c *Cell) add(samples uint64, rate *analyze.DCPIRate) {
	c.Samples += samples
	c.Events += rate.Events(samples)
	if s, ok := rate.Seconds(samples); ok {
		c.Seconds += s
	}
}

// Add adds another cell.
func (c *Cell) Add(o *Cell) {
	c.Samples += o.Samples
	c.Events += o.Events
	c.Seconds += o.Seconds
}
