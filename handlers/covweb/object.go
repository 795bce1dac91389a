package covweb

import (
	"context"
	"strings"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/covdb"
	"proflens/profile/figure"
	"proflens/profile/stored"
)

// change leaves out shares of nothing, and says beside the lines what totals are without.
func change(overview any, w figure.Words, s *figure.Shown) {
	if left := overview.(*covdb.Overview).LeftOut; left != "" && s.Name == "lines" && w == figure.Terminal {
		s.Note += ". " + strings.TrimSuffix(humanize.Plain(left), ".")
	}
	switch {
	case !s.Whole.IsZero():
	case w == figure.Terminal:
		s.Note = "of 0"
	default:
		s.Value.Text = "–"
	}
}

func links(*catalog.Entry) []string {
	return []string{"coverage/lines", "export/llvm-cov-json", "export/lcov"}
}

// worst lists own code first, as the pages do.
const worst site.Command = "files by missing lines: /coverage/files?format=text&limit=20&sort=kind,-missing"

func commands(context.Context, *stored.Profile) ([]site.Command, error) {
	return []site.Command{
		worst,
		"functions that never ran: /coverage/functions?state=never&format=text&limit=20",
		"for genhtml and editors: -OJ /export/lcov",
	}, nil
}

func receipt(*catalog.Entry) []site.Command {
	return []site.Command{worst}
}

// counted are the lists of the rows that findings count.
var counted = map[string]string{
	"coverage.mismatched": "/misfits?kind=mismatched", "coverage.wrong_program": "/misfits?kind=mismatched",
	"coverage.short": "/misfits?kind=short",
	"coverage.lost":  "/misfits?kind=lost", "coverage.lost_idle": "/misfits?kind=lost",
	"coverage.no_bitmap": "/misfits?kind=no_bitmap", "coverage.hidden": "/misfits?kind=hidden",
	"coverage.dummies": "/misfits?kind=dummy",
}
