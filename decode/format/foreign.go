package format

import "proflens/decode/model"

// Wanted is what would have been right where a file is no profile.
const Wanted = "a profile: of LLVM's instrumentation, MemProf, Machine IR or DCPI"

// Foreign is the error for a file that is no profile, or is one of a kind that is
// not read: what it is, "an ELF executable", and what to do instead.
func Foreign(name, what, remedy string, kind model.Kind) error {
	return &model.FormatError{Kind: kind, File: name, Section: "header", Msg: "this is " + what, Err: Hint(remedy), Expected: Wanted}
}

// RunIt is what to do with a program instead of giving it for a profile.
const RunIt = "run the program: the .profraw it writes is the profile, and this file is what it was built into; only a profile of -profile-correlate, or a raw heap profile with this build id, wants the program beside it"

// UnreadProgram is the Companion of a program of a kind that is not read.
type UnreadProgram struct{}
