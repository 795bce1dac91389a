package sampleweb

import (
	"context"
	"strconv"
	"strings"

	"proflens/analyze/sample"
	"proflens/catalog"
	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/stored"
)

// counted are the lists of the rows that findings count.
var counted = map[string]string{
	sample.CodeUnnamed:      "/functions?among=sampled&unnamed=1",
	sample.CodeUnlistedName: "/functions?among=sampled&unlisted=1",
}

// sampleText writes the functions of a sample profile with the most samples.
func sampleText(ctx context.Context, t *site.ProfileWriter, p *stored.Profile) error {
	m, err := sampledb.Of(p)
	if err != nil {
		return err
	}
	top, err := m.Find(ctx, sampledb.Query{RowQuery: limited(site.TextHottest)})
	if err != nil {
		return err
	}
	if len(top.Rows) == 0 {
		return nil
	}
	width := len(strconv.FormatUint(top.Rows[0].Total, 10))
	t.Line("\nfunctions, by total")
	for _, n := range top.Rows {
		t.Line("  %*d  %6.2f%%  %s", width, n.Total, 100*humanize.Part(n.Total, top.Total),
			site.TextNameOf(n.Linkage, n.GUID))
	}
	return nil
}

// sampleCommands are what can be asked of a sample profile.
func sampleCommands(_ context.Context, m *sampledb.Profile) ([]site.Command, error) {
	o := m.Overview
	list := []site.Command{
		"all functions: /functions?format=text",
		"those with a name: /functions?format=text&q=NAME",
		"hot functions: /hot?format=text",
		"callers and callees: /calls?format=text",
		"every count: /records?format=text",
	}
	if o.Has(sampleprof.FullContexts) {
		list = append(list, "calling contexts: /contexts?format=text")
	}
	if o.Program.CanTell() {
		list = append(list, "what is lost: /functions?format=text&among=sampled&fit=stale,gone")
	}
	if n, _ := o.Listed(); n >= 0 {
		list = append(list, "symbols without samples: /symbols?format=text&never=true")
	}
	return append(list, "folded, for flame graphs: /flamegraph?format=folded",
		"for go tool pprof: -OJ /export/pprof",
		"as LLVM's text: -OJ /export/sample-text"), nil
}

// receipt is what can be asked of every sample profile.
func receipt(*catalog.Entry) []site.Command {
	return []site.Command{
		"most samples: /functions?format=text&limit=20",
		"as LLVM's text: -OJ /export/sample-text",
	}
}

// sampleLinks are of what every sample profile has.
func sampleLinks(*catalog.Entry) []string {
	return strings.Fields("functions contexts calls records flamegraph export/pprof export/sample-text")
}
