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
		Severity: model.Note, Section: "header", Field: "version",
		Message: "the header has no version; it is read as version 0",
		Cause:   "this edition of the tools wrote none", Remedy: "nothing, unless the counts look wrong",
	},
	"no_tstart_line": {
		Severity: model.Warning, Section: "header", Field: "tstart",
		Message: "the header does not say where the text starts: addresses are offsets from 0",
		Cause:   "this edition of the tools wrote no tstart", Remedy: "add the executable: its text gives the address",
	},
	"unlisted_minor_version": {
		Severity: model.Warning, Section: "header", Field: "version",
		Message: "the version is neither 0.06 nor 0.07; it is read the same way",
		Cause:   "this release of the tools is undocumented", Remedy: "compare the totals with those of dcpiprof",
	},
	"repeated_period": {
		Severity: model.Warning, Section: "header", Field: "period", Message: "the period appears twice; the first is used",
		Cause: "the format lists the line as required and as optional", Remedy: "check which one is right",
	},
	"crlf_header": {
		Severity: model.Warning, Section: "header", Message: "the lines of the header end in CR LF",
		Cause:  "the file was written on Windows NT, or copied as text",
		Remedy: "nothing: the totals show that the samples are whole",
	},
	"stride_1": {
		Severity: model.Warning, Section: "samples",
		Message: "counts are read as one per byte, not one per instruction: only then do the chunks make sense",
		Cause:   "the writer counted a range in bytes", Remedy: "compare a few addresses with dcpicat",
	},
	"beyond_tsize": {
		Severity: model.Warning, Section: "samples", Field: "tsize", Message: "samples lie beyond the end of the text",
		Cause:  "tsize comes from another build of the image",
		Remedy: "look at the addresses above the text in the list of samples",
	},
	"total_wrapped": {
		Severity: model.Note, Section: "footer", Field: "total_samples",
		Message: "there are more samples than the footer's 32 bits can hold; the sum shown is exact",
		Cause:   "profiles were added up", Remedy: "nothing",
	},
}
