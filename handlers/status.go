package handlers

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/anatomyweb"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
)

// Bounds of what a failed profile's page shows of its files; the JSON has all.
const (
	maxShownFiles    = 20
	maxShownSections = 100
	maxShownFields   = 200
	maxShownNotes    = 20
)

// statusPage stands in for every view of a profile that has no tables: it is
// on its way, or could not be decoded.
func (s *server) statusPage(w http.ResponseWriter, r *http.Request) error {
	if site.WantsPlain(r) || site.AsksForText(r) {
		return s.ProfileText(w, r)
	}
	site.NoStore(w)
	e := s.Entry(r)
	if e.State == catalog.Failed && !e.Pending {
		return s.failurePage(w, r, e)
	}
	return s.progressPage(w, r, e)
}

func (s *server) progressPage(w http.ResponseWriter, r *http.Request, e *catalog.Entry) error {
	at := s.Ingest.Progress(e.ID)
	v := page.Progress{
		ID: e.ID, Name: humanize.Printable(e.Name), Describe: humanize.Printable(cmp.Or(at.Describe, e.Describe)),
		Percent: at.Percent, Files: originals(e), Link: site.Origin(r) + site.PageOf(e.ID),
	}
	v.Steps = steps(at.Stage, v.Describe)
	if v.Percent == 0 {
		v.Percent = -1 // not known
	}
	title := "Decoding"
	v.Heading = "Decoding " + v.Name
	if at.Stage == ingest.StageReceived {
		title = "Waiting"
		v.Heading, v.Percent = v.Name+" is waiting to be decoded", -1
		if at.Queued > 1 {
			v.Queued = humanize.Plural(at.Queued-1, "profile") + " before this one"
		}
	}
	shell := s.ProfileShell(r, site.OtherView, title)
	shell.Wide, shell.Refresh = false, site.RefreshSeconds
	shell.Tabs, shell.Search, shell.Notices = nil, nil, nil // every view would be this page
	shell.Profile.Receipt = site.KeptToken(r)
	return s.Render(w, r, views.Page(shell, views.ProgressMain(v)))
}

// steps are the stages with the one it is at.
func steps(now ingest.Stage, describe string) []page.Step {
	state := "done"
	var list []page.Step
	for _, stage := range []ingest.Stage{
		ingest.StageReceived, ingest.StageRecognised, ingest.StageDecoding, ingest.StageReading, ingest.StageIndexing,
		ingest.StageWriting, ingest.StageReady,
	} {
		step := page.Step{Label: string(stage), State: state}
		if stage == now {
			step.State, state = "now", "ahead"
		}
		if stage == ingest.StageRecognised && describe != "" {
			step.Note = describe
			if step.State == "ahead" {
				step.State = "done" // known before the worker comes
			}
		}
		list = append(list, step)
	}
	return list
}

func (s *server) failurePage(w http.ResponseWriter, r *http.Request, e *catalog.Entry) error {
	ctx := s.RequestContext(r)
	v := page.Failure{
		Name: humanize.Printable(e.Name), Describe: humanize.Printable(e.Describe), Files: originals(e),
		Problem: page.Problem{Title: "The profile could not be decoded.", Severity: page.Tag{Text: "error", Tone: page.Bad}},
		Kept:    "The files are kept; a later version of Proflens may read them. " + site.KeptUntil(e),
		Delete:  site.PageOf(e.ID) + "/delete",
	}
	if e.Finding != nil {
		v.Problem = problemFinding(e.Finding)
	}
	for i, f := range e.Files[:min(len(e.Files), maxShownFiles)] {
		a, err := s.anatomy.Of(ctx, f)
		if err != nil {
			return err
		}
		file := anatomyFile(a, site.APIOf(e.ID)+"/anatomy")
		file.Raw = anatomyweb.RawAddress(e, i).String()
		v.Anatomy = append(v.Anatomy, file)
	}
	var err error
	if v.Salvage, err = s.anatomy.SalvageOffer(ctx, e); err != nil {
		return err
	}
	shell := s.ProfileShell(r, site.OverviewView, "Cannot be decoded")
	shell.Wide = false
	s.Receipt(w, r, &shell)
	return s.Render(w, r, views.Page(shell, views.FailureMain(v)))
}

// problemFinding tells a finding in full.
func problemFinding(f *model.Finding) page.Problem {
	p := page.Problem{
		Title: site.Told(f), Severity: site.SeverityTag(f.Severity),
		Kind: string(f.Kind), Code: f.Code, File: humanize.Printable(f.File), Place: humanize.Printable(f.Section),
		Expected: humanize.Grouped(humanize.Printable(f.Expected)), Found: humanize.Grouped(humanize.Printable(f.Found)),
		Cause: site.Prose(f.Cause), Remedy: site.Prose(f.Remedy),
	}
	if f.Field != "" {
		p.Place = strings.TrimPrefix(p.Place+", "+humanize.Printable(f.Field), ", ")
	}
	if f.Section != "" || f.Offset > 0 {
		p.Offset = humanize.Offset(f.Offset)
	}
	return p
}

func originals(e *catalog.Entry) []page.OriginalFile {
	var list []page.OriginalFile
	for _, f := range e.Files[:min(len(e.Files), maxShownFiles)] {
		o := page.OriginalFile{
			Name: humanize.Printable(f.Name), Size: humanize.Bytes(uint64(max(f.Size, 0))), SHA256: f.SHA256,
			URL: site.APIOf(e.ID) + "/original?" + url.Values{"file": {f.Name}}.Encode(),
		}
		if f.Finding != nil {
			p := problemFinding(f.Finding)
			o.Problem = &p
		}
		list = append(list, o)
	}
	return list
}

func anatomyFile(a *model.Anatomy, json string) page.AnatomyFile {
	v := page.AnatomyFile{
		Name: humanize.Printable(a.File), Format: humanize.Printable(a.Format), JSON: json,
		More: max(len(a.Sections)-maxShownSections, 0),
	}
	for _, section := range a.Sections[:min(len(a.Sections), maxShownSections)] {
		row := page.AnatomySection{
			Name: humanize.Printable(section.Name), Note: humanize.Printable(section.Note), Offset: humanize.Hex(section.Offset),
			Size: humanize.Bytes(section.Size).Text, More: max(len(section.Fields)-maxShownFields, 0),
		}
		for _, f := range section.Fields[:min(len(section.Fields), maxShownFields)] {
			row.Fields = append(row.Fields, page.AnatomyField{
				Name: humanize.Printable(f.Name), Offset: humanize.Hex(f.Offset), Size: humanize.Int(f.Size),
				Value: humanize.Printable(f.Value), Meaning: humanize.Printable(f.Meaning),
			})
		}
		v.Sections = append(v.Sections, row)
	}
	for i := range a.Findings {
		if f := &a.Findings[i]; f.Severity != model.Error && len(v.Notes) < maxShownNotes {
			v.Notes = append(v.Notes, site.Told(f))
		}
	}
	return v
}

// deletePage asks before a profile is deleted.
func (s *server) deletePage(w http.ResponseWriter, r *http.Request) error {
	site.NoStore(w)
	return s.Render(w, r, s.deletion(r, ""))
}

// deletion is the page that asks; wrong says what was wrong with the token
// that was given before.
func (s *server) deletion(r *http.Request, wrong string) templ.Component {
	e := s.Entry(r)
	v := page.Deletion{
		ID: e.ID, Name: humanize.Printable(e.Name), Action: site.PageOf(e.ID) + "/delete", Back: site.PageOf(e.ID),
		Wrong: wrong,
		Facts: page.Facts{
			{Term: "Added", Value: humanize.Exactly(e.Created).Text},
			{
				Term: "Size", Value: humanize.Say("{:bytes} in {file}", max(e.Size, 0), len(e.Files)),
			},
			{Term: "SHA-256", Value: e.Digest},
		},
	}
	shell := s.ProfileShell(r, site.OtherView, "Delete")
	shell.Wide, shell.Tabs, shell.Search = false, nil, nil
	shell.Profile.Delete = ""
	return views.Page(shell, views.DeletionMain(v))
}

// undecodedDiagnostics is the page of findings for a profile without tables: of one
// that failed it says why, another is on its way.
func (s *server) undecodedDiagnostics(w http.ResponseWriter, r *http.Request) error {
	if e := s.Entry(r); e.State == catalog.Failed && !e.Pending {
		return s.anatomy.DiagnosticsPage(w, r)
	}
	return s.statusPage(w, r)
}
