package dcpi

import (
	"fmt"
	"strconv"
	"strings"
)

// meanings says what the lines of a header are about.
var meanings = map[string]string{
	"version":  "version of the profile",
	"image":    "id of the image that was sampled",
	"epoch":    "start of the epoch, UTC",
	"platform": "host",
	"event":    "what was sampled",
	"period":   "mean number of events between two samples",
	"tstart":   "address of the image's text, hexadecimal",
	"tsize":    "bytes of text",
	"cpuspeed": "speed of the processor, in MHz if below a million, else in Hz",
	"cpuamask": "features of the Alpha processor",
	"cpuimplv": "generation of the Alpha processor",
	"cpucount": "processors",
	"path":     "where the image was",
}

// meaningOf says what a line is about and, where its value is coded, what that
// stands for.
func meaningOf(key, value string) string {
	meaning, known := meanings[key]
	if !known {
		return "not a known keyword; kept as it is"
	}
	coded := ""
	switch key {
	case "version":
		if m := versionForm.FindStringSubmatch(value); m != nil && strings.Trim(m[1], "0") != "" {
			coded = "the layout of its samples was never published"
		}
	case "epoch":
		coded, _ = epochTime(value)
	case "cpuamask":
		if mask, err := strconv.ParseUint(value, 16, 64); err == nil {
			coded = Extensions(mask)
		}
	case "cpuimplv":
		if n, err := strconv.ParseUint(value, 10, 64); err == nil {
			coded = Implementation(n)
		}
	}
	if coded != "" {
		return meaning + ": " + coded
	}
	return meaning
}

// extensions are the bits of Alpha's AMASK instruction, as the Alpha Architecture
// Handbook names them.
var extensions = []struct {
	bit  uint
	word string
}{
	{0, "BWX: byte and word loads and stores"}, {1, "FIX: square root and moves between registers"},
	{2, "CIX: counting of bits"},
	{8, "MVI: multimedia"}, {9, "precise traps"}, {12, "prefetch with intent to modify"},
}

// Extensions says in words which extensions of the architecture a cpuamask has.
func Extensions(mask uint64) string {
	var words []string
	for _, b := range extensions {
		if mask>>b.bit&1 == 1 {
			words = append(words, b.word)
			mask &^= 1 << b.bit
		}
	}
	if mask != 0 {
		words = append(words, fmt.Sprintf("others (0x%x)", mask))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// implementations are the values of Alpha's IMPLVER instruction.
var implementations = []string{"EV4 (21064)", "EV5 (21164, EV56)", "EV6 (21264)"}

// Implementation names the processors of a cpuimplv.
func Implementation(implver uint64) string {
	if implver < uint64(len(implementations)) {
		return implementations[implver]
	}
	return "not known"
}
