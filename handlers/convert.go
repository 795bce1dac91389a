package handlers

import (
	"fmt"
	"strconv"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// convertModel fills the page in with the preview of every version, and of the
// one asked for in full.
func convertModel(v *page.Convert, e *catalog.Entry, o *encode.ProfdataPreview, p convertParams) {
	c := newConvertObject(e, o, p)
	v.Title = "Version " + strconv.Itoa(c.Version)
	v.JSON = addressOfConvert(site.APIOf(e.ID)+"/convert", c)
	v.Lossy = page.Check{Name: "lossy", Value: "true", Label: "Drop unsupported data", Checked: p.Lossy}
	if o.AsksForVTableNames {
		v.VTables = &page.Check{Name: "keep-vtable-symbols", Value: "true", Checked: p.VTableNames,
			Label: humanize.Say("Keep {vtable name}, as llvm-profdata does with --keep-vtable-symbols", o.VTableNames)}
	}
	for i := range o.Versions {
		v.Versions = append(v.Versions, convertVersion(o, &o.Versions[i], c.Version))
	}
	v.HasMemProf = o.Heap != nil
	v.Facts = convertFacts(o, c)
	for _, f := range c.Lost {
		v.Lost = append(v.Lost, findingText(f))
	}
	for _, f := range c.Findings {
		v.Remarks = append(v.Remarks, findingText(f))
	}
	if c.Refused {
		v.Refused = fmt.Sprintf("Version %d cannot hold all of this profile. Tick “Drop unsupported data” to write it "+
			"without, or choose a version that holds it.", c.Version)
		return
	}
	v.Download = c.Download
	v.Command = fmt.Sprintf("proflens export -f profdata -version %d", c.Version)
	if p.Lossy {
		v.Command += " -lossy"
	}
	if p.VTableNames {
		v.Command += " -keep-vtable-symbols"
	}
	v.Command += " -o app.profdata FILE…"
}

// addressOfConvert is the same question to the API.
func addressOfConvert(path string, c *convertObject) string {
	a := site.NewAddress(path).With("version", strconv.Itoa(c.Version))
	if c.Lossy {
		a = a.With("lossy", "true")
	}
	if c.VTableNames {
		a = a.With("keep-vtable-symbols", "true")
	}
	return a.String()
}

// hashTags are the words for how hashes fit.
var hashTags = map[encode.HashFit]page.Tag{
	encode.HashOfControlFlow: {Text: "match", Tone: page.Good, Title: "IR hashes are the same in every version"},
	encode.HashKept:          {Text: "match", Tone: page.Good, Title: "the same hash generation as the producer's"},
	encode.HashMismatch:      {Text: "some do not", Tone: page.Bad, Title: "clang computes other hashes for this version"},
	encode.HashUnknown: {
		Text: "not known", Tone: page.Caution, Title: "the profile does not show which hash generation it uses",
	},
}

func convertVersion(o *encode.ProfdataPreview, v *encode.VersionPreview, current int) page.ConvertVersion {
	row := page.ConvertVersion{
		Value: strconv.Itoa(v.Version), Checked: v.Version == current, Default: v.Version == o.Default,
		Releases: fmt.Sprintf("LLVM %d and newer", encode.WrittenBy(v.Version).First),
		Loses:    "nothing", Hashes: hashTags[v.Hashes],
	}
	if o.Producer.Records == 0 && o.Heap != nil {
		row.Hashes = page.Tag{Text: "none", Title: "the profile is a heap profile"}
	}
	if v.Heap != nil {
		row.Heap = fmt.Sprintf("MemProf %d", v.Heap.MemProf)
	} else if o.Heap != nil {
		row.Heap = "left out"
	}
	if n := len(v.Lost); n > 0 {
		row.Loses, row.Loss = humanize.Plural(n, "thing"), true
	}
	if n := v.Mismatched(); n > 0 {
		row.Concerns = humanize.Say("{} of {}", n, o.Producer.Records)
	}
	return row
}

// convertFacts say what the file of the chosen version is to others.
func convertFacts(o *encode.ProfdataPreview, c *convertObject) page.Facts {
	facts := page.Facts{
		{Term: "Read by", Value: fmt.Sprintf("LLVM %d and newer, clang and llvm-profdata", c.ReadSince)},
		{Term: "Functions", Value: c.HashesSay},
	}
	if c.Heap != nil {
		facts.Add("Heap profile", c.Heap.says())
	}
	if c.IdenticalTo != nil {
		facts.Add("Bytes", "the same as "+*c.IdenticalTo+
			" writes for these records, except for the order of records that share a name")
	}
	if o.Producer.FrontEnd && o.Producer.Records > 0 {
		facts.Add("Made by", producerSays(o.Producer))
	}
	if c.VTables.Have > 0 {
		kept := "left out"
		if c.VTables.Kept {
			kept = "kept"
		}
		facts.Add("VTable names", humanize.Int(c.VTables.Have)+", "+kept)
	}
	return facts
}

// producerSays is what the profile shows of its compiler.
func producerSays(p encode.Producer) string {
	first, last := encode.WrittenBy(max(p.First, encode.MinVersion)).First, encode.WrittenBy(p.Last).Last
	says := fmt.Sprintf("the compiler of LLVM %s, as far as the profile shows", encode.Releases{First: first, Last: last})
	if p.First < encode.MinVersion {
		says = fmt.Sprintf("the compiler of LLVM %d or older, as far as the profile shows", last)
		if p.Last == encode.MaxVersion {
			says = "a compiler whose release the profile does not show"
		}
	}
	if p.WideHashes > 0 {
		says += humanize.Say("; {hash has|hashes have} more than 60 bits, which LLVM 22 and newer never write", p.WideHashes)
	}
	return says
}

func findingText(f model.Finding) page.Line {
	more := site.Sentence(humanize.Printable(f.Cause))
	if f.Remedy != "" {
		if more != "" {
			more += " "
		}
		more += site.Sentence(humanize.Printable(f.Remedy))
	}
	return page.Line{
		Severity: site.SeverityTag(f.Severity),
		Text:     site.Sentence(humanize.Printable(f.Message)), More: more,
	}
}
