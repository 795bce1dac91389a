package command

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/builds/gate"
	"proflens/decode/model"
)

// buildAnswer is what is read of a build.
type buildAnswer struct {
	Commit   string         `json:"commit"`
	Profiles []buildProfile `json:"profiles"`
}

type buildProfile struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Families []model.Family `json:"families"`
}

// count is how many of these families a profile has.
func (p *buildProfile) count(families []model.Family) (n int) {
	for _, family := range p.Families {
		if slices.Contains(families, family) {
			n++
		}
	}
	return n
}

// buildBefore is the newest build of the branch that is not of the commit, nor older ones
// that the commit came before: in a list of the newest first, what stands behind it. A
// server without any is no fault: then there is no base.
func (c *gateConfig) buildBefore(ctx context.Context) (*gateSide, error) {
	side := &gateSide{}
	if c.project == "" {
		return side, nil
	}
	query := url.Values{"limit": {"1000"}}
	for key, value := range map[string]string{"branch": c.branch, "workload": c.workload} {
		if value != "" {
			query.Set(key, value)
		}
	}
	var answer struct {
		Items []buildAnswer `json:"items"`
		problemAnswer
	}
	status, err := c.ask(ctx, http.MethodGet,
		c.server+"/api/v1/projects/"+url.PathEscape(c.project)+"/builds?"+query.Encode(), "", nil, &answer)
	switch {
	case err != nil:
		return nil, err
	case status == http.StatusNotFound:
		return side, nil
	case status != http.StatusOK:
		return nil, answer.problem()
	}
	items := answer.Items
	for i := range items {
		if items[i].Commit == c.commit && c.commit != "" {
			items = items[i+1:]
			break
		}
	}
	for i := range items {
		if items[i].Commit != c.commit || c.commit == "" {
			side.remotes = items[i].profiles(c.server, gate.BaseOf(c.rules))
			break
		}
	}
	return side, nil
}

// profiles are those of a build, of each family one: that with most of the needed families,
// so that a coverage build is not judged by counters that were uploaded beside it, or the newest.
func (b *buildAnswer) profiles(server string, needed []model.Family) (list []remote) {
	var known []model.Family
	slices.SortStableFunc(b.Profiles, func(p, q buildProfile) int { return q.count(needed) - p.count(needed) })
	for _, p := range b.Profiles {
		if p.count(known) > 0 {
			continue
		}
		known = append(known, p.Families...)
		r := remote{server, p.ID, p.Name}
		if b.Commit != "" && p.Name != "" {
			r.name += " of " + b.Commit[:min(len(b.Commit), 12)]
		}
		list = append(list, r)
	}
	return list
}
