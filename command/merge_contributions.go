package command

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/decode"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
)

// contributed is what one input has in the sum, as JSON.
type contributed struct {
	Input         string      `json:"input"`
	Weight        uint64      `json:"weight"`
	Functions     uint64      `json:"functions"`
	Counters      uint64      `json:"counters"`
	Count         json.Number `json:"count"`
	OnlyFunctions uint64      `json:"only_functions"`
	OnlyCounters  uint64      `json:"only_counters"`
	Overlap       *float64    `json:"overlap"` // null where the input, or all others, have no count
	LeftOut       string      `json:"left_out,omitempty"`
}

// contributionHead names the columns of the CSV, which are the members of the JSON.
var contributionHead = strings.Fields(`
	input weight functions counters count only_functions only_counters overlap left_out`)

func (c *contributed) row() []string {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	overlap := ""
	if c.Overlap != nil {
		overlap = strconv.FormatFloat(*c.Overlap, 'f', 6, 64)
	}
	return []string{
		c.Input, number(c.Weight), number(c.Functions), number(c.Counters), c.Count.String(), number(c.OnlyFunctions),
		number(c.OnlyCounters), overlap, c.LeftOut,
	}
}

// contribute reads the inputs again and writes what each has in the sum, in their order;
// errs are why some are not in it.
func (c *mergeConfig) contribute(ctx context.Context, fleet *llvm.Fleet, files []decode.Lazy, errs []error,
	stdout io.Writer) error {
	list := make([]contributed, len(files))
	var again []decode.Lazy
	var at []int
	for i, f := range files {
		list[i] = contributed{Input: f.Name, Weight: max(1, f.Weight), Count: "0"}
		if errs[i] != nil {
			list[i].LeftOut = errs[i].Error()
			continue
		}
		again, at = append(again, f), append(at, i)
	}
	contributions := analyze.NewContributions(fleet.Sum())
	err := decode.Again(ctx, fleet, again, func(i int, src instrprof.Source) error {
		has, err := contributions.Of(ctx, src, again[i].Weight)
		l := &list[at[i]]
		l.Functions, l.Counters, l.OnlyFunctions, l.OnlyCounters = has.Functions, has.Counters, has.OnlyFunctions,
			has.OnlyCounters
		l.Count = json.Number(has.Count.String())
		if has.Compared {
			l.Overlap = &has.Overlap
		}
		return err
	})
	if err != nil {
		return err
	}
	return writeOutput(c.contributions, onScreen(stdout), func(w io.Writer) error {
		if strings.HasSuffix(c.contributions, ".json") {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(list)
		}
		return writeContributions(w, list)
	})
}

func writeContributions(w io.Writer, list []contributed) error {
	out := csv.NewWriter(w)
	if err := out.Write(contributionHead); err != nil {
		return err
	}
	for i := range list {
		if err := out.Write(list[i].row()); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
