package command

import (
	"context"
	"net/http"
	"net/url"
	"slices"
)

// buildAnswer is what is read of a build.
type buildAnswer struct {
	Commit   string `json:"commit"`
	Profiles []struct {
		ID       string   `json:"id"`
		Name     string   `json:"name"`
		Families []string `json:"families"`
	} `json:"profiles"`
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
		c.server+"/api/v1/projects/"+url.PathEscape(c.project)+"/builds?"+query.Encode(), nil, &answer)
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
			side.remotes = items[i].profiles(c.server)
			break
		}
	}
	return side, nil
}

// profiles are those of a build, of each family the newest.
func (b *buildAnswer) profiles(server string) (list []remote) {
	known := map[string]bool{}
	for _, p := range b.Profiles {
		if slices.ContainsFunc(p.Families, func(family string) bool { return known[family] }) {
			continue
		}
		for _, family := range p.Families {
			known[family] = true
		}
		r := remote{server, p.ID, p.Name}
		if b.Commit != "" && p.Name != "" {
			r.name += " of " + b.Commit[:min(len(b.Commit), 12)]
		}
		list = append(list, r)
	}
	return list
}
