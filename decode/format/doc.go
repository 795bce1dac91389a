// Package format says what a package of decode is: a [Suite] of formats whose files
// form profiles together, each [Format] with the ways to tell it from others, to
// look into it and to advise on its faults; and what passes between packages, a
// [File] with what it was [Recognised] as, and the [Profile] that opening gives.
//
// Package decode lists the suites and is the one to call.
package format
