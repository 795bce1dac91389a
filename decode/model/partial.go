package model

import "fmt"

// Partial says of a file that it ends too soon and that its readable beginning
// was decoded, because somebody asked for that.
type Partial struct {
	File    string `json:"file"`
	Section string `json:"section" doc:"Section in which the file ends."`
	End     uint64 `json:"end" doc:"Size of the file in bytes."`
	Missing uint64 `json:"missing" doc:"Bytes known to be missing. More may be missing."`
	// Records of Promised were read. The headers promise those; one that is cut
	// off promises nothing.
	Records  uint64 `json:"records" doc:"Number of records read."`
	Promised uint64 `json:"promised" doc:"Number of records that the headers declare."`
	// Leading says that the records read are the first of the file. Records
	// need not be in the order of their counters; then those between are
	// missing.
	Leading bool `json:"leading" doc:"True if the records read are the first in the file."`
}

// Count says which records there are: "records 1-41 of 90", with numbers and
// the range as the caller writes them.
func (p *Partial) Count(number func(uint64) string, dash string) string {
	switch {
	case p.Records == 0:
		return "none of " + number(p.Promised) + " records"
	case !p.Leading:
		return number(p.Records) + " of " + number(p.Promised) + " records"
	}
	return "records " + number(1) + dash + number(p.Records) + " of " + number(p.Promised)
}

// String is "records 1-41 of 90; the file ends at byte 3250176, in the
// counters": ASCII, for a line of text.
func (p *Partial) String() string {
	number := func(n uint64) string { return fmt.Sprint(n) }
	return fmt.Sprintf("%s; the file ends at byte %d, in the %s", p.Count(number, "-"), p.End, p.Section)
}

// PartialLines are a line for each file of which only the beginning was
// decoded, for exports: "partial: records 1-41 of 90 of a.profraw; …".
func PartialLines(partial []Partial) []string {
	var lines []string
	for i := range partial {
		lines = append(lines, fmt.Sprintf("partial: %q: %s", partial[i].File, &partial[i]))
	}
	return lines
}
