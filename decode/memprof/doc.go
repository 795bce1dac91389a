// Package memprof reads LLVM's heap profiles (memprof.md): what the runtime
// writes, raw or as a report in text, the section of an indexed profile, and
// the text form in YAML. Whatever it reads becomes a [model.HeapProfile].
//
// A raw profile has addresses. [Raw.Profile] makes functions of them when it is
// given the executables, as llvm-profdata does, and leaves them addresses when
// it is not.
package memprof
