package format

import "proflens/decode/model"

// Wanted is what would have been right where a file is no profile: package decode makes it
// of what its suites read.
var Wanted string

// Foreign is the error for a file that is no profile, or is one of a kind that is
// not read: what it is, "an ELF executable", and what to do instead.
func Foreign(name, what, remedy string, kind model.Kind) error {
	return &model.FormatError{
		Kind: kind, File: name, Section: "header", Msg: "this is " + what, Err: Hint(remedy), Expected: Wanted,
	}
}

// RunIt is what to do with a program instead of giving it for a profile.
const RunIt = "run the program: its profile is the .profraw that it writes; the program itself is only needed with " +
	"a profile built with -profile-correlate, with a raw heap profile of this build ID, or for the lines of its functions"

// UnreadProgram is the Companion of a program of a kind that is not read.
type UnreadProgram struct{}

// UnknownWord describes a file of which nothing is known.
const UnknownWord = "unknown"
