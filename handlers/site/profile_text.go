package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/names"
	"proflens/profile/stored"
)

// How much of each list the summary for a terminal has, and how long a name in
// it can be, in characters.
const (
	TextHottest  = 10
	textFindings = 8
	textName     = 90
)

// ProfileText answers with the summary of a profile for a terminal: what it is,
// its figures, and the commands that lead on. No byte of a file can do more in
// it than be seen.
func (s *Site) ProfileText(w http.ResponseWriter, r *http.Request) error {
	e := s.Entry(r)
	if s.NotModified(w, r, "plain "+s.Curl()+" "+Origin(r)) {
		return nil
	}
	ctx := s.RequestContext(r)
	t := ProfileWriter{curl: s.Curl(), api: ShellWord(Origin(r) + APIOf(e.ID))}
	t.Line("%s", humanize.Printable(e.Name))
	if e.Describe != "" {
		t.Line("%s", humanize.Printable(e.Describe))
	}
	t.Line("%s%s", humanize.Printable(Origin(r)), PageOf(e.ID))
	o, commands, err := s.textTables(ctx, e, &t)
	if err != nil {
		return err
	}
	findings := EntryFindings(e)
	switch {
	case o != nil:
		findings = ReadyFindings(e, o)
		if o.Storing {
			Unsettled(w)
		}
	case e.State == catalog.Failed && !e.Pending:
		t.Line("\nstored, but cannot be decoded: %s", humanize.Printable(FailedProfile(e).Detail))
	default:
		Unsettled(w)
		at := s.Ingest.Progress(e.ID)
		t.Line("\n%s, %d %%; ask again", at.Stage, at.Percent)
	}
	t.findings(findings)
	t.next(commands)
	return WritePlain(w, http.StatusOK, t.b.String())
}

// textTables writes what a profile's tables say, of each family that it has, and
// returns its overview, nil where it has none, and what can be asked next.
func (s *Site) textTables(ctx context.Context, e *catalog.Entry,
	t *ProfileWriter) (*stored.Overview, []Command, error) {
	if e.State == catalog.Failed {
		return nil, nil, nil
	}
	p, err := s.Store.Open(ctx, e)
	if errors.Is(err, catalog.ErrRebuilding) || errors.Is(err, catalog.ErrNotFound) && e.State != catalog.Ready {
		return nil, s.FirstCommands(e), nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	for _, f := range leadFirst(s.Families) {
		if !p.Has(f.Name) {
			continue
		}
		if err := t.figures(ctx, f, p); err != nil {
			return nil, nil, err
		}
		if f.Text != nil {
			if err := f.Text(ctx, t, p); err != nil {
				return nil, nil, err
			}
		}
	}
	var commands []Command
	for _, f := range s.leading(e) {
		list, err := f.Commands(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		commands = append(commands, list...)
	}
	return p.Overview, commands, nil
}

// ProfileWriter writes the summary of a profile.
type ProfileWriter struct {
	b    strings.Builder
	curl string // how a command begins
	api  string // address of the profile in the API, fit for a shell
}

func (t *ProfileWriter) Line(format string, args ...any) {
	fmt.Fprintf(&t.b, format+"\n", args...)
}

// TextFigure is a figure of the summary for a terminal.
type TextFigure struct{ Label, Value, Note string }

// List writes figures below each other.
func (t *ProfileWriter) List(list []TextFigure) {
	label, value := 0, 0
	for _, f := range list {
		label, value = max(label, len(f.Label)), max(value, len(f.Value))
	}
	t.Line("")
	for _, f := range list {
		t.Line("%s", strings.TrimRight(fmt.Sprintf("  %-*s  %*s  %s", label, f.Label, value, f.Value, f.Note), " "))
	}
}

// TextWord is a name for a terminal. Where it would fill several lines, the end of what a
// function stands in is cut, and what it takes; never the function's own name.
func TextWord(name string) string {
	name = humanize.Printable(name)
	if utf8.RuneCountInString(name) <= textName {
		return name
	}
	parts := names.SplitDemangled(name)
	scope, own, args := []rune(parts.Namespace), []rune(parts.Base), []rune(parts.Args)
	if room := textName - len(own) - len(scope); room > 0 {
		return string(scope) + string(own) + string(args[:room-1]) + "…"
	}
	if room := textName - len(own) - 2; room > 0 {
		return string(scope[:room]) + "… " + string(own)
	}
	return string(own[:textName-1]) + "…"
}

// findings are the worst of them, a line each.
func (t *ProfileWriter) findings(list []model.Finding) {
	if len(list) == 0 {
		return
	}
	t.Line("\nfindings")
	for _, f := range WorstFirst(list)[:min(len(list), textFindings)] {
		if f.Severity == model.Note {
			f.Cause, f.Remedy = "", ""
		}
		t.b.WriteString(FindingText(f))
	}
	if more := len(list) - textFindings; more > 0 {
		t.Line("  and %d more", more)
	}
}

// FindingText is a finding for a terminal, with its advice below it.
func FindingText(f model.Finding) string {
	line := findingLine(f)
	if line.Where != "" {
		line.Message += " (" + line.Where + ")"
	}
	return fmt.Sprintf("  %-7s  %s\n", line.Severity, humanize.Printable(line.Message)) +
		Advice(&f, strings.Repeat(" ", 11))
}

// Command is what a terminal can ask of a profile with curl: what it does and, behind a colon, the options of
// curl and the path below the profile's address in the API: "the file itself: -OJ /original".
type Command string

// Does is what it does.
func (c Command) Does() string {
	does, _, _ := strings.Cut(string(c), ": ")
	return does
}

// Line is the command for a profile at an address that may be quoted for a shell
// already; it begins as [Site.Curl] says.
func (c Command) Line(curl, api string) string {
	_, call, _ := strings.Cut(string(c), ": ")
	at := strings.LastIndexByte(call, ' ') + 1
	return curl + " " + call[:at] + "'" + strings.TrimSuffix(strings.TrimPrefix(api, "'"), "'") + call[at:] + "'"
}

// next are the commands that lead on: those of the families, and those for all.
func (t *ProfileWriter) next(commands []Command) {
	t.Line("\nnext")
	for _, c := range append(commands,
		"everything, as JSON: ?format=json", "every finding: /diagnostics", "sections and fields: /anatomy",
		"the file itself: -OJ /original") {
		t.Line("  %-24s  %s", c.Does(), c.Line(t.curl, t.api))
	}
}

// TextNameOf is a function's short name for a terminal, cut where it would fill
// several lines.
func TextNameOf(pgo []byte, ref uint64) string {
	if len(pgo) == 0 {
		return "<md5 0x" + FID(ref) + ">"
	}
	_, linkage := names.Split(pgo)
	return TextWord(names.Demangle(linkage, names.Short))
}
