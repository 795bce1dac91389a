package covweb

import (
	"proflens/encode/llvmcov"
	"proflens/profile/covdb"
)

// objects are what the family's objects of the API are written from, by their names: rows of
// tables with those of their lists.
var objects = map[string]any{
	"Changed": llvmcov.ChangedObject{}, "CoverageFile": covdb.Files, "CoverageFunction": covdb.Functions,
	"CoverageLine": covdb.Lines, "CoverageBranch": covdb.Branches, "CoverageDecision": covdb.Decisions,
	"CoverageMisfit": covdb.Misfits,
}

// objectsSay is what objects are, and what members of structs and tables are more than they say.
const objectsSay = `
	=llvmcov.ChangedObject Changed: Coverage of the lines that a diff adds.
	=coverage.Metric CoverageMetric
	=covdb.Overview SourceCoverage: of a profile that was given its program: the numbers are llvm-cov's, those of union
	count what ran in any instance of a template
	=CoverageCondition
	.line integer
	.column integer
	.folded boolean
	.pair null list integer
	=ComparedLine: A line in both profiles; what one of them does not have is null.
	.file
	.turn kept|newly_covered|newly_uncovered|only_base|only_test
	.base_line integer 0.. null
	.test_line integer 0.. null
	.base_count Count null
	.test_count Count null
	.base_state missed|partly|covered null
	.test_state missed|partly|covered null`
