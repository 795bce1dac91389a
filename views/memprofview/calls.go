package memprofview

// MixPart is a class's part of a bar of 1000 units.
type MixPart struct{ X, Width, Fill string }
