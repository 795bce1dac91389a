package dcpi

import "proflens/decode/model"

// finding is what is odd about a profile that can be read all the same.
func finding(file, code string) model.Finding {
	f := oddities[code]
	f.Code, f.File = "dcpi."+code, file
	return f
}

// oddities, by the last part of their codes.
var oddities = map[string]model.Finding{
	"no_version_line": {
		Severity: model.Note, Section: "header", Field: "version", Message: "the header has no version; it is read as version 0",
		Cause: "an edition of the tools that wrote none", Remedy: "nothing, unless the counts look wrong",
	},
	"no_tstart_line": {
		Severity: model.Warning, Section: "header", Field: "tstart", Message: "the header does not say where the text starts: addresses are offsets from 0",
		Cause: "an edition of the tools that wrote no tstart", Remedy: "add the executable: its text gives the address",
	},
	"unlisted_minor_version": {
		Severity: model.Warning, Section: "header", Field: "version", Message: "the version is neither 0.06 nor 0.07; it is read as they are",
		Cause: "a release of the tools of which no description is known", Remedy: "compare the totals with those of dcpiprof",
	},
	"repeated_period": {
		Severity: model.Warning, Section: "header", Field: "period", Message: "the period stands twice; the first one counts",
		Cause: "the format lists the line as required and as optional", Remedy: "check which of them is right",
	},
	"crlf_header": {
		Severity: model.Warning, Section: "header", Message: "the lines of the header end in CR LF",
		Cause: "it was written on Windows NT, or copied as text", Remedy: "nothing: the totals show that the samples are whole",
	},
	"stride_1": {
		Severity: model.Warning, Section: "samples", Message: "the counts are read as one a byte, not one an instruction: only so do the chunks make sense",
		Cause: "a writer that took the length of a range for bytes", Remedy: "compare some addresses with dcpicat",
	},
	"beyond_tsize": {
		Severity: model.Warning, Section: "samples", Field: "tsize", Message: "samples lie beyond the end of the text",
		Cause: "tsize is of another build of the image", Remedy: "look at the addresses above the text in the list of samples",
	},
	"total_wrapped": {
		Severity: model.Note, Section: "footer", Field: "total_samples", Message: "there are more samples than the 32 bits of the footer hold; the sum shown is exact",
		Cause: "profiles were added up", Remedy: "nothing",
	},
}
