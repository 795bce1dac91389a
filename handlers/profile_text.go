package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profiledb/stored"
	"proflens/tables"
)

// How much of each list the summary for a terminal has, and how long a name in
// it can be, in characters.
const (
	textHottest  = 10
	textFindings = 8
	textName     = 90
)

// profileText answers with the summary of a profile for a terminal: what it is,
// its figures, and the commands that lead on. No byte of a file can do more in
// it than be seen.
func (s *Site) profileText(w http.ResponseWriter, r *http.Request) error {
	e := s.entry(r)
	if s.notModified(w, r, "plain "+origin(r)) {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	t := profileWriter{api: shellWord(origin(r) + apiOf(e.ID))}
	t.line("%s", tables.Printable(e.Name))
	if e.Describe != "" {
		t.line("%s", tables.Printable(e.Describe))
	}
	t.line("%s%s", tables.Printable(origin(r)), pageOf(e.ID))
	o, err := s.textTables(ctx, e, &t)
	if err != nil {
		return err
	}
	findings := entryFindings(e)
	switch {
	case o != nil:
		findings = readyFindings(e, o)
		if o.Storing {
			unsettled(w)
		}
	case e.State == catalog.Failed && !e.Pending:
		t.line("\nstored, but not decodable: %s", tables.Printable(failedProfile(e).Detail))
	default:
		unsettled(w)
		at := s.Ingest.Progress(e.ID)
		t.line("\n%s, %d %%; ask again", at.Stage, at.Percent)
	}
	t.findings(findings)
	s.commandsOf(e, &t)
	return writePlain(w, http.StatusOK, t.b.String())
}

// textTables writes what a profile's tables say, of each family that it has, and
// returns its overview; nil where it has none.
func (s *Site) textTables(ctx context.Context, e *catalog.Entry, t *profileWriter) (*stored.Overview, error) {
	if e.State == catalog.Failed {
		return nil, nil
	}
	p, err := s.Store.Open(ctx, e)
	if errors.Is(err, catalog.ErrRebuilding) || errors.Is(err, catalog.ErrNotFound) && e.State != catalog.Ready {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer p.Close()
	for _, f := range s.families {
		if !p.Has(f.name) {
			continue
		}
		if err := f.text(ctx, t, p); err != nil {
			return nil, err
		}
	}
	return p.Overview, nil
}

// profileWriter writes the summary of a profile.
type profileWriter struct {
	b   strings.Builder
	api string // address of the profile in the API, fit for a shell
	// ordered says that machine IR has the order in which functions first ran.
	ordered bool
	// wanted says that an executable would give names to addresses of a heap profile.
	wanted bool
	// epochs says that samples are of several epochs, which can be compared.
	epochs bool
}

func (t *profileWriter) line(format string, args ...any) {
	fmt.Fprintf(&t.b, format+"\n", args...)
}

// textFigure is a figure of the summary for a terminal.
type textFigure struct{ label, value, note string }

// list writes figures below each other.
func (t *profileWriter) list(list []textFigure) {
	label, value := 0, 0
	for _, f := range list {
		label, value = max(label, len(f.label)), max(value, len(f.value))
	}
	t.line("")
	for _, f := range list {
		t.line("%s", strings.TrimRight(fmt.Sprintf("  %-*s  %*s  %s", label, f.label, value, f.value, f.note), " "))
	}
}

// textWord is a name for a terminal, cut where it would fill several lines.
func textWord(name string) string {
	name = tables.Printable(name)
	if utf8.RuneCountInString(name) > textName {
		name = string([]rune(name)[:textName-1]) + "…"
	}
	return name
}

// findings are the worst of them, a line each.
func (t *profileWriter) findings(list []model.Finding) {
	if len(list) == 0 {
		return
	}
	t.line("\nfindings")
	for _, f := range worstFirst(list)[:min(len(list), textFindings)] {
		line := findingLine(f)
		where := ""
		if line.Where != "" {
			where = " (" + line.Where + ")"
		}
		t.line("  %-7s  %s", line.Severity, tables.Printable(line.Message+where))
	}
	if more := len(list) - textFindings; more > 0 {
		t.line("  and %d more", more)
	}
}

// commandsOf are what can be asked next.
func (s *Site) commandsOf(e *catalog.Entry, t *profileWriter) {
	t.line("\nnext")
	next := func(does, call string) { t.line("  %-24s  curl %s", does, call) }
	if e.State != catalog.Failed {
		for _, family := range e.Families {
			for _, f := range s.families {
				if f.name == family {
					f.commands(t, next)
				}
			}
		}
	}
	next("everything, as JSON", quoted(t.api, "?format=json"))
	next("every finding", quoted(t.api, "/diagnostics"))
	next("sections and fields", quoted(t.api, "/anatomy"))
	next("the file itself", "-OJ "+quoted(t.api, "/original"))
}

// quoted adds to an address that may be quoted for a shell already.
func quoted(address, rest string) string {
	return "'" + strings.TrimSuffix(strings.TrimPrefix(address, "'"), "'") + rest + "'"
}

// textNameOf is a function's short name for a terminal, cut where it would fill
// several lines.
func textNameOf(pgo []byte, ref uint64) string {
	if len(pgo) == 0 {
		return "<md5 0x" + fid(ref) + ">"
	}
	_, linkage := names.Split(pgo)
	return textWord(names.Demangle(linkage, names.Short))
}
