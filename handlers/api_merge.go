package handlers

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/ingest"
)

// mergeBody is the body of POST /merge.
type mergeBody struct {
	Profiles     []mergeInput       `json:"profiles"`
	Name         string             `json:"name"`
	Project      string             `json:"project"`
	Labels       map[string]string  `json:"labels"`
	Visibility   catalog.Visibility `json:"visibility"`
	Expires      string             `json:"expires"`       // "36h", "7d", or a moment
	AllowPartial bool               `json:"allow_partial"` // take profiles of which only the beginning was decoded
	LeaveOut     bool               `json:"leave_out"`     // leave out profiles that cannot be read or merged
}

// postMerge is POST /merge: a new profile of several. The rules are those of an
// upload, and so is the answer.
func (s *server) postMerge(w http.ResponseWriter, r *http.Request) error {
	v, err := site.NewValues(r.URL.Query(), []string{"wait"})
	if err != nil {
		return err
	}
	wait := waitOf(v, defaultWait)
	if v.Err != nil {
		return v.Err
	}
	if err := s.NeedsUpload(r); err != nil {
		return err
	}
	m, err := readMerge(r)
	if err != nil {
		return err
	}
	return s.answerMerge(w, r, m, wait)
}

// readMerge reads the body, whatever it is called: curl -d calls everything a
// form. Errors are *site.ParamError.
func readMerge(r *http.Request) (merge, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMergeBytes+1))
	if err != nil {
		return merge{}, err
	}
	if len(body) > maxMergeBytes {
		return merge{}, &site.ParamError{Msg: fmt.Sprintf("the body is longer than %d bytes", maxMergeBytes)}
	}
	var b mergeBody
	if err := site.StrictJSON(body, &b); err != nil {
		return merge{}, &site.ParamError{Msg: "the body is not valid: " + err.Error() +
			`; send {"profiles":[{"id":"…","weight":1},…]}, and name, project, labels, visibility, expires, allow_partial or leave_out if you need them`}
	}
	v := &site.Values{Query: url.Values{"expires": {b.Expires}, "visibility": {string(b.Visibility)}}}
	m := merge{profiles: b.Profiles, allowPartial: b.AllowPartial, leaveOut: b.LeaveOut, request: ingest.Request{
		Name: b.Name, Project: b.Project, Labels: b.Labels,
		Visibility: site.Choice(v, "visibility", "", catalog.Listed, catalog.Unlisted), Expires: expiry(v, "expires"),
	}}
	if v.Err != nil {
		return m, v.Err
	}
	return m, m.check()
}

// answerMerge merges, waits for the sum to be decoded, and answers as an upload
// is answered.
func (s *server) answerMerge(w http.ResponseWriter, r *http.Request, m merge, wait time.Duration) error {
	a, err := s.merged(r.Context(), m)
	if err != nil {
		return err
	}
	accepted := []ingest.Accepted{a}
	s.await(r.Context(), accepted, wait)
	s.counts.uploaded(&accepted[0].Entry)
	return s.answerUpload(w, r, accepted, false)
}

// mergedObject says what a profile was merged from.
type mergedObject struct {
	Inputs   []mergedInputObject `json:"inputs"`
	Findings []model.Finding     `json:"findings"`
}

type mergedInputObject struct {
	ID       *string         `json:"id"` // null where the profile is unlisted and this one is listed
	Name     string          `json:"name"`
	Digest   string          `json:"digest"`
	Describe string          `json:"describe"`
	Weight   site.Exact      `json:"weight"`
	Partial  []model.Partial `json:"partial,omitempty"`
	// Contribution is what it has in the sum; null where the sum is not of counters alone,
	// and for one that is left out.
	Contribution *contributionObject `json:"contribution"`
	LeftOut      string              `json:"left_out,omitempty"` // why it is not in the sum
}

type contributionObject struct {
	Functions     uint64     `json:"functions"`
	Counters      uint64     `json:"counters"`
	Count         site.Exact `json:"count"`
	OnlyFunctions uint64     `json:"only_functions"`
	OnlyCounters  uint64     `json:"only_counters"`
	Overlap       *float64   `json:"overlap"` // null where it, or all others, have no count
}

func newContributionObject(c *catalog.Contribution, quote bool) *contributionObject {
	if c == nil {
		return nil
	}
	return &contributionObject{
		c.Functions, c.Counters, site.Exactly(quote)(c.Count), c.OnlyFunctions, c.OnlyCounters, c.Overlap,
	}
}

func newMergedObject(m *catalog.Merged, quote bool) *mergedObject {
	if m == nil {
		return nil
	}
	o := &mergedObject{
		Inputs: make([]mergedInputObject, len(m.Inputs)), Findings: append([]model.Finding{}, m.Findings...),
	}
	for i, in := range m.Inputs {
		o.Inputs[i] = mergedInputObject{Name: in.Name, Digest: in.Digest, Describe: in.Describe,
			Weight: site.Exactly(quote)(strconv.FormatUint(in.Weight, 10)), Partial: in.Partial,
			Contribution: newContributionObject(in.Contribution, quote), LeftOut: in.LeftOut}
		if in.ID != "" {
			o.Inputs[i].ID = &in.ID
		}
	}
	return o
}
