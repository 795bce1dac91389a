// Package stacks writes weighted call stacks in the formats of flame graph and
// profile viewers: profile.proto for pprof, folded lines, speedscope's JSON.
//
// A profile is a [Profile]: what its values count, and a stream of samples that
// can be read again. A profile without stacks has stacks of one frame; one of
// images and procedures has stacks of two.
package stacks

import "iter"

// Frame is a function in a stack, or whatever stands for one.
type Frame struct {
	Name    string // to be shown: demangled where there is such a form
	Linkage string // the name that linkers know; empty where it is Name
	File    string // source file; empty when unknown
	Line    int64  // in File; 0 when unknown
	Start   int64  // the function's first line; 0 when unknown
	// Inlined says that the frame was inlined into the one after it, so that
	// both are at one address.
	Inlined bool
	Address uint64 // of the instruction; 0 when unknown
	Image   string // the binary that Address is in; empty when unknown
}

// Sample is a stack with its values.
type Sample struct {
	// Stack begins with the leaf, as MIBs and profile.proto have it.
	Stack []Frame
	// Values are as many as Profile.Types. They are exact; formats with smaller
	// numbers write the largest they have.
	Values []uint64
	// Labels tell samples with the same stack apart: an event, a class.
	Labels []Label
}

// Label is a fact about a sample: text, or a number when Text is empty.
type Label struct {
	Key, Text string
	Number    int64
	Unit      string // of Number: "bytes", "milliseconds"; may be empty
}

// Type says what a value counts, as "samples" in "count", "space" in "bytes",
// "cpu" in "nanoseconds".
type Type struct{ Name, Unit string }

// Profile is call stacks with values.
type Profile struct {
	Name string // of the profile, for viewers that show one
	// Types of the values; there is at least one, and the first is the default.
	Types []Type
	// Samples yields the samples; it may be read several times and starts afresh.
	// What it yields is valid until its next step. An error ends it.
	Samples iter.Seq2[*Sample, error]
	// Comments say what a reader of the figures should know, a sentence each.
	Comments []string
}
