package handlers

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/ingest"
)

// mergeBody is the body of POST /merge.
type mergeBody struct {
	Profiles     []mergeInput       `json:"profiles" is:"list 1..10000"`
	Name         string             `json:"name,omitempty"`
	Project      string             `json:"project,omitempty"`
	Labels       map[string]string  `json:"labels,omitempty"`
	Visibility   catalog.Visibility `json:"visibility,omitempty" is:"|listed|unlisted"`
	Expires      string             `json:"expires,omitempty"` // "36h", "7d", or a moment
	AllowPartial bool               `json:"allow_partial,omitempty" doc:"Accept partial profiles."`
	LeaveOut     bool               `json:"leave_out,omitempty"` // leave out profiles that cannot be read or merged
}

const postMergeSays = `
	uploads mergeProfiles: Merge profiles into a new one
	Adds up to 10,000 ready profiles as llvm-profdata merge does, a few at a time. The new profile stores the sum as
	an indexed file of its own and a list of its inputs, and keeps both if the inputs are deleted. Front-end and IR
	profiles cannot be merged.
	?wait: How long to wait for decoding, such as 30s.
	<Merge
	>201 Profile receipt: Merged and decoded.
	+Location: The profile's page.
	>202 Profile receipt: Merged, still decoding.
	+Location: The profile's page.
	>422 Problem: The profiles cannot be merged: kind is incompatible and the detail names both.
	>400 401 403 404 409 410 413`

// postMerge is POST /merge: a new profile of several. The rules are those of an
// upload, and so is the answer.
func (s *server) postMerge(w http.ResponseWriter, r *http.Request) error {
	v := site.NewValues(r.URL.Query(), waitKeys)
	until := waitOf(v, wait{long: defaultWait})
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
	return s.answerMerge(w, r, m, until)
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
func (s *server) answerMerge(w http.ResponseWriter, r *http.Request, m merge, until wait) error {
	a, err := s.merged(r.Context(), m)
	if err != nil {
		return err
	}
	accepted := []ingest.Accepted{a}
	s.await(r.Context(), accepted, until)
	s.counts.uploaded(&accepted[0].Entry)
	return s.answerUpload(w, r, accepted, false)
}

// mergedObject says what a profile was merged from.
type mergedObject struct {
	Inputs   []mergedInputObject `json:"inputs"`
	Findings []model.Finding     `json:"findings"`
}

type mergedInputObject struct {
	ID       *string         `json:"id" doc:"Null if the input is unlisted and this profile is listed."`
	Name     string          `json:"name"`
	Digest   string          `json:"digest"`
	Describe string          `json:"describe"`
	Weight   site.Exact      `json:"weight"`
	Partial  []model.Partial `json:"partial,omitempty"`
	// Contribution is what it has in the sum; null where the sum is not of counters alone,
	// and for one that is left out.
	Contribution *contributionObject `json:"contribution"`
	LeftOut      string              `json:"left_out,omitempty" doc:"Why the input is not in the sum."`
}

type contributionObject struct {
	Functions     uint64     `json:"functions" doc:"Records with a count."`
	Counters      uint64     `json:"counters" doc:"Counters above 0."`
	Count         site.Exact `json:"count"`
	OnlyFunctions uint64     `json:"only_functions" doc:"Records with a count that no other input has a count of."`
	OnlyCounters  uint64     `json:"only_counters" doc:"Counters that are 0 in all other inputs."`
	Overlap       *float64   `json:"overlap" is:"0..1.000001"` // null where it, or all others, have no count
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
