package format

import "proflens/decode/model"

// advices are what is generally said about a kind of fault.
var advices = map[model.Kind]Advice{
	model.KindTruncated: {
		"the file was cut short: by a full disk, an interrupted copy, or a program killed while writing", CopyAgain,
	},
	model.KindMalformed: {"the file was damaged, or a compiler with its own format wrote it", UseProfdata},
	model.KindBadMagic: {
		"the file's content does not match its first bytes, or files were concatenated that cannot be",
		"give the files separately",
	},
	model.KindBadHeader: {"the file was cut short, or its header is damaged", CopyAgain},
	model.KindUnrecognizedFormat: {
		"it is another kind of file", "give a .profraw, .profdata, .proftext, .memprofraw, .mip, .mipmap with .mipraw, or " +
			"a DCPI profile",
	},
	model.KindUnsupportedVersion: {"a newer compiler wrote the file, or its header is damaged", UseNewer},
	model.KindIncompatible: {
		"the files were made by different kinds of instrumentation", "open them as separate profiles",
	},
	model.KindUnsupportedHashType: {"the header is damaged, or a fork of LLVM wrote the file", UseProfdata},
	model.KindTooLarge:            {"a size in the file is damaged; no real profile looks like this", CopyAgain},
	model.KindEOF:                 {"the text ends inside its header", CopyAgain},
	model.KindUncompressFailed: {
		"the compressed names were altered, often by a transfer in text mode", "copy the file again, in binary mode",
	},
	model.KindEmpty: {
		"the program has not written its profile: it was killed, called _exit, which runs no atexit handlers, or is still " +
			"running",
		"let the program exit normally, call __llvm_profile_write_file, or compile with -fprofile-continuous, which writes " +
			"while it runs; LLVM_PROFILE_FILE says where",
	},
	model.KindTimeout: {
		"the file is very large, or the server is busy", "try again, or raise the decoding time limit",
	},
	model.KindInternal: {
		"a fault in Proflens, not in the file", "report it with the file, if you can share it",
	},
	model.KindMissingCorrelation: {
		"the program was built with -profile-correlate",
		"add the executable as it was linked: not stripped and, for debug-info correlation, with its debug info",
	},
	model.KindUnexpectedCorrelate: {"the header is damaged", CopyAgain},
	model.KindUnableToCorrelate: {
		"the executable was stripped, or built with different flags than the profile says",
		"give the executable that ran, as it was linked",
	},
	model.KindCountTooLarge: {"the file was cut short, or a number in it is damaged", CopyAgain},
	model.KindCorrupt:       {"the file was damaged, or written by another tool", CopyAgain},
	model.KindTrailingData: {
		"something was appended to the profile", "give the files separately instead of concatenating them",
	},
	model.KindRawVersionMismatch: {"a newer compiler built the program, or the header is damaged", UseNewer},
}

// ProgramAdvice is for executables that stand beside profiles.
var ProgramAdvice = map[model.Kind]Advice{
	model.KindIncompatible: {
		"the executable is another program, or was rebuilt after the profiles were recorded",
		"leave it out, or open it together with its own profiles",
	},
	model.KindTruncated: {
		"the executable was truncated by an interrupted copy, or stripped", "copy the executable again, as it was linked",
	},
	model.KindMalformed: {
		"the executable was damaged after it was linked, or a tool rewrote it", "copy the executable again, as it was linked",
	},
	model.KindUnsupportedVersion: {
		"an object file was given, or a newer linker wrote the executable", "give the executable that ran",
	},
}
