package chart

// HeatLegend prints the ends of the heat ramp.
type HeatLegend struct{ Low, High string }
