package exports

import "proflens/profile/table"

// All is every export, in the order of help texts and lists.
var All = []Export{
	{
		Name: "proftext", Does: "the text form, as llvm-profdata merge --text writes it", Type: plain,
		Forms: []Form{instrText, memprofText},
	},
	{
		Name: "profdata", Does: "an indexed profile, as llvm-profdata merge writes it, with its heap profile", Type: binary,
		Forms: []Form{instrIndexed, memprofIndexed},
	},
	{Name: "order", Does: "functions in order of first run, for a linker: of temporal traces, or of a Machine IR " +
		"Profile with timestamps", Type: plain,
		Forms: []Form{instrOrder, mipOrder}},
	{
		Name: "memprof-yaml", Ending: "yaml",
		Does: "a heap profile as text, as llvm-profdata show --memory prints an indexed one", Type: plain,
		Forms: []Form{memprofYAML},
	},
	{
		Name: "memprof-dump", Ending: "memprof.txt",
		Does: "a raw heap profile, with its executable, as llvm-profdata show --memory prints it", Type: plain,
		Forms: []Form{memprofDump},
	},
	{Name: "mip-json", Ending: "mip.json", Does: "a Machine IR Profile as JSON", Type: json, Forms: []Form{mipJSON}},
	{
		Name: "mip", Does: "a Machine IR Profile as a .mip: map and runs added up, or one written back", Type: binary,
		Forms: []Form{mipProfile},
	},
	{
		Name: "dcpi-json", Ending: "dcpi.json", Does: "one file of DCPI, or of dcpicat, as JSON", Type: json,
		Forms: []Form{dcpiJSON},
	},
	{
		Name: "dcpi", Ending: "prof", Does: "a profile of DCPI: one written back, or several of an image and event added up",
		Type: binary, Forms: []Form{dcpiProfile},
	},
	{
		Name: "sample-text", Ending: "afdotext",
		Does: "a sample profile as text, as llvm-profdata merge --sample --text writes it", Type: plain,
		Forms: []Form{sampleText},
	},
	{
		Name: "sample-extbinary", Ending: "afdo",
		Does: "a sample profile as an extensible file, as llvm-profdata merge --sample writes it", Type: binary,
		Forms: []Form{sampleExtBinary},
	},
	{
		Name: "sample-binary", Ending: "binary.afdo",
		Does: "a sample profile as raw binary, which every release of LLVM reads", Type: binary, Forms: []Form{sampleBinary},
	},
	{Name: "pprof", Ending: "pb.gz",
		Does: "call stacks of a heap profile or of sampled functions, images and procedures of DCPI, else one sample for " +
			"each function, for go tool pprof", Type: binary,
		Forms: []Form{memprofPprof, instrPprof, dcpiPprof, samplePprof}},
	{Name: "folded", Does: "call stacks of a heap profile or of sampled functions, a line each: frames from the root " +
		"on, and a weight; of DCPI image;procedure and samples", Type: plain,
		Forms: []Form{memprofFolded, dcpiFolded, sampleFolded}},
	{Name: "speedscope", Ending: "speedscope.json",
		Does:  "call stacks of a heap profile or of sampled functions, or procedures of DCPI, as JSON for speedscope",
		Type:  json,
		Forms: []Form{memprofSpeedscope, dcpiSpeedscope, sampleSpeedscope}},
	{
		Name: "llvm-cov-json", Ending: "cov.json",
		Does: "source coverage, of a profile with its program, as llvm-cov export writes it", Type: json,
		Forms: []Form{coverageJSON},
	},
	{
		Name: "lcov", Ending: "info", Does: "source coverage as an LCOV trace, as llvm-cov export -format=lcov writes it",
		Type: plain, Forms: []Form{coverageLCOV},
	},
	{
		Name: "cobertura", Ending: "cobertura.xml", Does: "source coverage as XML of Cobertura", Type: xml,
		Forms: []Form{coverageXML},
	},
	{
		Name: "cov-report", Ending: "cov.txt", Does: "source coverage by file, as llvm-cov report prints it", Type: plain,
		Forms: []Form{coverageReport},
	},
	{Name: "csv", Does: "a table with a line of names first", Of: table.FormatCSV, Forms: tableForms(table.FormatCSV)},
	{Name: "json", Does: "a table as the API's list", Of: table.FormatJSON, Forms: tableForms(table.FormatJSON)},
	{Name: "ndjson", Does: "a table, one object per line", Of: table.FormatNDJSON, Forms: tableForms(table.FormatNDJSON)},
	{Name: "sqlite", Ending: "db",
		Does: "the profile's database, with its vectors as rows; documented in docs/pages/sqlite.md", Of: SQLite,
		Forms: []Form{{Offers: always(Offer{Label: "SQLite", For: "everything as a database, with counts as rows"})}}},
}

// Types of content.
const (
	plain  = "text/plain; charset=utf-8"
	binary = "application/octet-stream"
	json   = "application/json"
	xml    = "application/xml"
)
