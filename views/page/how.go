package page

// How leads from a figure that is worked out, and not read from a file, to the
// paragraph that says how. The zero value leads nowhere and shows nothing.
type How struct {
	Anchor string // on /docs/methods
	What   string // "the share", as in "How the share is worked out"
}

// The figures that pages explain.
var (
	HowFunctions    = How{"functions", "the number of functions"}
	HowCounters     = How{"counters", "the number of counters"}
	HowTotal        = How{"total", "the total"}
	HowMax          = How{"max", "the maximum"}
	HowEntry        = How{"entry", "the entry count"}
	HowSummary      = How{"summary", "the detailed summary"}
	HowHot          = How{"thresholds", "the hot threshold"}
	HowCold         = How{"thresholds", "the cold threshold"}
	HowClass        = How{"class", "the class"}
	HowCurve        = How{"curve", "the curve"}
	HowDistribution = How{"distribution", "the distribution"}
	HowShare        = How{"share", "the share"}
	HowCum          = How{"cum", "the sum"}
	HowShape        = How{"shape", "the shape"}
	HowNames        = How{"names", "a name"}
	HowMerged       = How{"merged", "a merged row"}
	HowCoverage     = How{"coverage", "the number executed"}
	HowTree         = How{"tree", "the tree"}
	HowNamespaces   = How{"namespaces", "the tree of namespaces"}
	HowRewrite      = How{"rewrite", "a rewritten path"}
	HowSites        = How{"values", "a value site's share"}
	HowVTables      = How{"vtables", "the number of calls of a class"}
	HowMCDC         = How{"mcdc", "an MC/DC bit"}
	HowOrder        = How{"order", "the order"}
	HowOverlap      = How{"overlap", "the overlap"}
	HowDifferences  = How{"differences", "a difference"}
	HowPairs        = How{"pairs", "the pairing of records"}
	HowChanges      = How{"changes", "a node's change"}
	HowVersions     = How{"versions", "the list of versions"}
	HowLocation     = How{"location", "a function's offset in the file"}
	HowHashFit      = How{"hash-fit", "the number of functions that match"}

	HowMemProfContexts = How{"memprof-contexts", "an allocation context"}
	HowMemProfBlame    = How{"memprof-blame", "the blame frame"}
	HowMemProfCalls    = How{"memprof-calls", "a call that leads to allocations"}
	HowMemProfClass    = How{"memprof-class", "the class of a context"}
	HowMemProfLifetime = How{"memprof-lifetime", "the mean lifetime"}
	HowMemProfDensity  = How{"memprof-density", "the access density"}
	HowMemProfAverages = How{"memprof-averages", "an average"}
	HowMemProfMixed    = How{"memprof-mixed", "a site that needs cloning"}
	HowMemProfPruning  = How{"memprof-pruning", "pruning"}
	HowMemProfClones   = How{"memprof-clones", "the number of clones"}
	HowMemProfRadix    = How{"memprof-radix", "the size of call stacks"}
	HowMemProfCompared = How{"memprof-compared", "a difference"}
	HowFlameWeights    = How{"memprof-weights", "the width of a frame"}
	HowFlameColours    = How{"memprof-colours", "the colour of a frame"}

	HowMIPExecuted = How{"mip-executed", "the number executed"}
	HowMIPBlocks   = How{"mip-blocks", "a block's state"}
	HowMIPCoverage = How{"mip-coverage", "coverage in bytes"}
	HowMIPCalls    = How{"mip-calls", "a call count"}
	HowMIPOrder    = How{"mip-order", "the order"}
	HowMIPCompared = How{"mip-compared", "a difference"}
	HowMIPRuns     = How{"mip-runs", "a run's figure"}

	HowDCPISamples  = How{"dcpi-shares", "a share of the samples"}
	HowDCPICompared = How{"dcpi-compared", "a difference"}
	HowDCPIUnits    = How{"dcpi-events", "a number of events or seconds"}

	HowSaturated      = How{"saturated", "the number of saturated counters"}
	HowAllOnes        = How{"all-ones", "the number of functions whose counters are all 1"}
	HowEntryZero      = How{"entry-zero", "the number of functions that ran without being entered"}
	HowHashes         = How{"hashes", "the number of names with several hashes"}
	HowMissingNames   = How{"missing-names", "the number of missing names"}
	HowTruncatedSites = How{"truncated-sites", "the number of truncated value sites"}
	HowNeverRun       = How{"never-run", "the share that never ran"}
	HowCarry99        = How{"carry-99", "the number of counters that carry 99 %"}
)

// Hows are all of them.
var Hows = []How{
	HowFunctions, HowCounters, HowTotal, HowMax, HowEntry, HowSummary, HowHot, HowCold, HowClass, HowCurve, HowDistribution,
	HowShare, HowCum, HowShape, HowNames, HowMerged, HowCoverage, HowTree, HowNamespaces, HowRewrite, HowSites, HowVTables, HowMCDC,
	HowOrder, HowOverlap, HowDifferences, HowPairs, HowChanges, HowVersions, HowHashFit,
	HowMemProfContexts, HowMemProfBlame, HowMemProfCalls, HowMemProfClass, HowMemProfLifetime, HowMemProfDensity, HowMemProfAverages, HowMemProfMixed,
	{"cov-totals", "a total of coverage"}, {"cov-lines", "the state of a line"}, {"cov-mcdc", "a condition's pair"}, // of package covview
	HowMemProfPruning, HowMemProfClones, HowMemProfRadix, HowFlameWeights, HowFlameColours,
	HowMIPExecuted, HowMIPBlocks, HowMIPCoverage, HowMIPCalls, HowMIPOrder, HowMIPRuns,
	HowDCPISamples, HowDCPIUnits, HowDCPICompared, HowMIPCompared, HowMemProfCompared,
	HowSaturated, HowAllOnes, HowEntryZero, HowHashes, HowMissingNames, HowTruncatedSites, HowNeverRun, HowCarry99,
}

// URL is where it is said.
func (h How) URL() string { return "/docs/methods#" + h.Anchor }

// Label is the accessible name of the link.
func (h How) Label() string { return "How " + h.What + " is worked out" }
