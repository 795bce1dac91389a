package mipweb

import (
	"strings"

	"proflens/handlers/site"
	"proflens/profile/mipdb"
)

// maxRuns is more raw files than a profile may have.
const maxRuns = 10_000

// ownKeys are the parameters that select functions beside those of all lists.
var ownKeys = strings.Fields("path namespace executed saturated quality run only-run min-runs")

// qualityWords are the values of the parameter quality.
var qualityWords = map[string]mipdb.Quality{"no-name": mipdb.NoName, "blocks-differ": mipdb.BlocksDiffer}

// readFunctions reads which functions are asked for, but for their words and numbers.
func readFunctions(v *site.Values) mipdb.Query {
	f := mipdb.Query{Scope: v.One("namespace"), Executed: v.Boolean("executed"), Saturated: v.Boolean("saturated")}
	f.Path = v.One("path")
	f.Run, f.OnlyRun, f.MinRuns = v.Number("run", 1, maxRuns, 0), v.Number("only-run", 1, maxRuns, 0),
		v.Number("min-runs", 1, 1<<31-1, 0)
	for _, word := range v.List("quality") {
		odd, ok := qualityWords[word]
		if !ok {
			v.Fail("quality", "unknown value %q; use no-name, blocks-differ or both", word)
		}
		f.Odd |= odd
	}
	return f
}

// mipFiltered reports whether a query leaves functions out.
func mipFiltered(q *mipdb.Query) bool {
	return q.Text != "" || q.Regexp != "" || q.Path != "" || q.Scope != "" || q.Executed != nil || q.Saturated != nil ||
		q.Run != 0 || q.OnlyRun != 0 || q.MinRuns != 0 || q.Odd != 0 || len(q.Ranges) > 0
}
