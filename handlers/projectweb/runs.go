package projectweb

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"proflens/builds"
	"proflens/catalog/projects"
	"proflens/decode/model"
	"proflens/handlers/projectpath"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/ranks"
	"proflens/profile/table"
	"proflens/views/page"
	"proflens/views/projectview"
)

// What of runs is compared and shown at most.
const (
	maxRuns  = 8
	shownRun = 50 // functions on a build's page
)

// runs are the profiles of one family that a commit has, whatever workload they ran, and
// the functions that they disagree on.
type runs struct {
	family   *site.Family
	profiles []*projects.Profile // the newest maxRuns, the oldest first
	more     int                 // that are left out
	splits   []ranks.Split
	all      int // functions that they disagree on
	common   ranks.Common
}

// runsOf are the families of which a commit has several profiles whose functions can be
// ranked; of each at most limit functions.
func (s *Handler) runsOf(ctx context.Context, h *history, b *builds.Build, limit int) (list []runs, err error) {
	for _, f := range s.Families {
		if f.Comparer == nil || f.Comparer.Ranks == nil {
			continue
		}
		r := runs{family: f, profiles: profilesOf(h, b, f.Name)}
		if len(r.profiles) < 2 {
			continue
		}
		if r.more = len(r.profiles) - maxRuns; r.more > 0 {
			r.profiles = r.profiles[r.more:]
		}
		if err := s.compareRuns(ctx, &r, limit); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// profilesOf are the profiles of a family that a build's commit has on its branch, the
// oldest first.
func profilesOf(h *history, b *builds.Build, family model.Family) (list []*projects.Profile) {
	for _, other := range h.list {
		if other != b && (b.Commit == "" || other.Commit != b.Commit || other.Branch != b.Branch) {
			continue
		}
		for _, p := range slices.Backward(other.Profiles) {
			if slices.Contains(p.Families, family) {
				list = append(list, p)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b *projects.Profile) int { return a.Created.Compare(b.Created) })
	return list
}

func (s *Handler) compareRuns(ctx context.Context, r *runs, limit int) error {
	sides := make([]*ranks.Profile, len(r.profiles))
	for i, p := range r.profiles {
		e, err := s.Store.Entry(ctx, p.ID)
		if err != nil {
			return err
		}
		opened, err := s.Store.Open(ctx, e)
		if err != nil {
			return err
		}
		sides[i], err = r.family.Comparer.Ranks(ctx, opened)
		opened.Close()
		if err != nil {
			return err
		}
	}
	r.splits, r.all, r.common = ranks.Splits(sides, limit)
	return nil
}

// heatTags are how hot a function is, in words.
var heatTags = map[ranks.Heat]page.Tag{
	ranks.Hot: {Text: "hot", Tone: "hot"}, ranks.Warm: {Text: "warm", Tone: page.Caution},
	ranks.Cold:  {Text: "cold", Tone: "cold"},
	ranks.Never: {Text: "○ never ran", Tone: page.Neutral},
	"":          {Text: "–", Tone: page.Neutral, Title: "this run does not tell"},
}

// runPanel is what the page of a build says of runs.
func (s *Handler) runPanel(h *history, b *builds.Build, r *runs) projectview.Runs {
	path := projectpath.Of(h.project, "builds", escaped(b.ID()), "runs")
	api := "/api/v1" + path
	m := projectview.Runs{
		ID: string(r.family.Name), Family: r.family.Measures,
		JSON: h.addressOf(b, query(api, "kind", string(r.family.Name))),
		CSV:  h.addressOf(b, query(api, "kind", string(r.family.Name), "format", "csv")),
		Says: humanize.Say("All {run} executed {function} and never ran {}", len(r.profiles), r.common.Executed,
			r.common.Never),
	}
	switch r.all {
	case 0:
		m.Says += "; they disagree on none."
	default:
		m.Says += "; they disagree on " + humanize.Int(r.all) + "."
	}
	if r.more > 0 {
		m.Says += " Older runs are left out: " + humanize.Int(r.more) + "."
	}
	for i, p := range r.profiles {
		label := p.Labels[projects.Workload]
		if same := func(other *projects.Profile) bool {
			return other != p &&
				other.Labels[projects.Workload] == label
		}; label == "" || slices.ContainsFunc(r.profiles, same) {
			label = p.Name
		}
		m.Heads = append(m.Heads, page.Link{
			Label: fmt.Sprintf("%d %s", i+1, cut(humanize.Printable(label))), URL: site.PageOf(p.ID),
		})
	}
	symbols := s.Symbols(names.Short)
	for i := range r.splits {
		f := &r.splits[i]
		row := projectview.Split{Name: symbols.Name(f.Linkage, f.GUID), Share: humanize.Percent(f.Share, 2)}
		for j, heat := range f.Heats {
			if heat != "" && heat != ranks.Never && row.URL == "" {
				row.URL = site.PageOf(r.profiles[j].ID) + "/functions/" + site.FID(f.ID)
			}
			row.Heats = append(row.Heats, heatTags[heat])
		}
		m.Rows = append(m.Rows, row)
	}
	if r.all > len(r.splits) {
		m.Shown = humanize.Say("The first {} of {}.", len(r.splits), r.all)
	}
	return m
}

// splitObject is a function that runs disagree on.
type splitObject struct {
	LinkageName  string       `json:"linkage_name"`
	GUID         string       `json:"guid" is:"fid"`
	Share        float64      `json:"share" doc:"The largest share of a run's total."`
	NeverSomehow bool         `json:"never_ran_in_one"`
	Heats        []ranks.Heat `json:"classes" is:"|hot|warm|cold|never"` // of each run; empty where it does not tell
}

// runsObject is what the runs of a family agree on.
type runsObject struct {
	Kind     model.Family    `json:"kind"`
	Profiles []profileObject `json:"profiles" doc:"The runs, the oldest first."`
	Executed int             `json:"executed_by_all"`
	Never    int             `json:"executed_by_none"`
	Disagree int             `json:"disagree"`
	Items    []splitObject   `json:"functions"`
}

// getRuns is GET /api/v1/projects/{project}/builds/{commit}/runs?kind=&limit=&format=.
func (s *Handler) getRuns(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), runsKeys)
	kind := v.One("kind")
	format := wanted(v, r)
	limit := v.Number("limit", 1, site.MaxLimit, site.DefaultLimit)
	if format == table.FormatCSV && v.One("limit") == "" {
		limit = 1 << 30
	}
	if v.Err != nil {
		return v.Err
	}
	h, b, err := s.buildOf(r, v)
	if err != nil {
		return err
	}
	ctx := s.RequestContext(r)
	found, err := s.runsOf(ctx, h, b, limit)
	if err != nil {
		return err
	}
	items := []runsObject{}
	var lines []runLine
	for i := range found {
		one := &found[i]
		if kind != "" && string(one.family.Name) != kind {
			continue
		}
		o := runsObject{
			Kind: one.family.Name, Executed: one.common.Executed, Never: one.common.Never, Disagree: one.all,
			Items: make([]splitObject, len(one.splits)),
		}
		for _, p := range one.profiles {
			o.Profiles = append(o.Profiles, s.profileObject(p))
		}
		for j := range one.splits {
			f := &one.splits[j]
			of := splitObject{string(f.Linkage), site.FID(f.GUID), f.Share, f.Dead, f.Heats}
			o.Items[j] = of
			for run, heat := range f.Heats {
				lines = append(lines, runLine{o.Kind, of.LinkageName, of.GUID, of.Share, one.profiles[run].ID, heat})
			}
		}
		items = append(items, o)
	}
	site.NoStore(w)
	w.Header().Add("Vary", "Accept")
	if format == table.FormatCSV {
		return writeCSV(ctx, w, runLines, lines, fileName(h.project, nameOf(b), "runs"))
	}
	return site.WriteJSON(w, listOf(items, len(items)))
}

// runLine is a function in one run, as CSV has it.
type runLine struct {
	Kind        model.Family `col:"kind"`
	LinkageName string       `col:"linkage_name"`
	GUID        string       `col:"guid"`
	Share       float64      `col:"share" is:"part"`
	Profile     string       `col:"profile"`
	Class       ranks.Heat   `col:"class"`
}

var runLines = table.Declare[runLine](table.Declaration{})
