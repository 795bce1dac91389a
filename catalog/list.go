package catalog

import (
	"context"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"proflens/catalog/engine"
	"proflens/catalog/projects"
)

// ErrBadCursor is returned for a cursor that no list gave out.
var ErrBadCursor = errors.New("not a cursor of this list")

// How many entries a page of the list has.
const (
	DefaultListLimit = 50
	MaxListLimit     = 500
)

// ListQuery selects listed profiles. The zero value is the newest of all.
type ListQuery struct {
	Kind    string            // a family, such as "instr"
	Project string            // the whole name
	Text    string            // substring of name, project, description, label or file name; ASCII case ignored
	Labels  map[string]string // all of them, exactly
	Cursor  string            // NextCursor of the page before
	Limit   int               // entries; 0 means DefaultListLimit, at most MaxListLimit
}

// ListPage is one page of profiles, newest first.
type ListPage struct {
	Items      []Entry
	NextCursor string // empty on the last page
	Total      int    // that match, on all pages
	// More says that Total is where counting ended: so many match at least.
	More bool
}

// listLimits are how far lists look.
type listLimits struct {
	// counted is how many profiles are looked at to count those that match where no count is
	// kept, and how many of those that have some words one page looks at for what else is asked
	// of them. What comes after them is on the next page.
	counted int
	// chosen is how many of those that have some words are looked at to count those of them
	// that are what else is asked: each is a row of its own to read.
	chosen int
	// scanned is how many of the newest profiles one page looks at for words that are too short
	// for the index.
	scanned int
}

var usualLimits = listLimits{counted: 10_000, chosen: 2_000, scanned: 20_000}

// List returns the listed profiles that match, newest first, failed ones and
// those still being decoded among them. It returns ErrBadCursor.
func (s *Catalog) List(ctx context.Context, q ListQuery) (ListPage, error) {
	if q.Limit <= 0 {
		q.Limit = DefaultListLimit
	}
	q.Limit = min(q.Limit, MaxListLimit)
	after, err := readCursor(q.Cursor)
	if err != nil {
		return ListPage{}, err
	}
	tx, err := s.db.Snapshot(ctx)
	if err != nil {
		return ListPage{}, err
	}
	defer tx.Rollback()
	l := lister{ctx: ctx, s: s, tx: tx, ListQuery: q, now: s.now().UnixMicro(), after: after}
	page, err := l.page()
	if err != nil {
		return ListPage{}, wrapped(err)
	}
	if len(page.Items) > q.Limit {
		page.Items = page.Items[:q.Limit]
		last := &page.Items[q.Limit-1]
		page.NextCursor = cursorOf(last.Created.UnixMicro(), last.ID)
	}
	entries := make([]*Entry, len(page.Items))
	for i := range page.Items {
		entries[i] = &page.Items[i]
	}
	return page, loadParts(ctx, tx, entries...)
}

// Groups are how the profiles that a query selects are grouped: by "project", or by the
// values of a label. The group with the newest profile comes first; profiles without the
// project or the label are in none.
func (s *Catalog) Groups(ctx context.Context, q ListQuery, by string, limit int) ([]projects.Group, error) {
	if by == "project" && q.Kind == "" && q.Project == "" && q.Text == "" && len(q.Labels) == 0 {
		return s.Projects().Listed(ctx, limit)
	}
	where, args, err := s.where(ctx, &q, s.now().UnixMicro())
	if err != nil {
		return nil, err
	}
	value, from := `project`, `profile`
	if by == "project" {
		where += ` AND project <> ''`
	} else {
		value, from = `lead.value`, `label AS lead JOIN profile ON profile.id = lead.profile_id`
		where, args = where+` AND lead.key = ? AND lead.listed_us > 0`, append(args, holdable(by))
	}
	return s.Projects().Groups(ctx, `SELECT `+value+`, count(*), max(created_us) FROM `+from+` WHERE `+where+`
		GROUP BY `+value+` ORDER BY max(created_us) DESC, `+value+` LIMIT ?`, append(args, limit)...)
}

func listEntries(ctx context.Context, q engine.Querier, query string, args []any) ([]Entry, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	items := []Entry{}
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return nil, err
		}
		items = append(items, *e)
	}
	return items, rows.Err()
}

// live is the condition under which a profile is in lists.
const live = inLists + ` AND (expires_us = 0 OR expires_us > ?)`

// inLists is that but for time.
const inLists = `visibility = 'listed' AND state NOT IN ('expired', 'deleted')`

// terms are conditions with their arguments.
type terms struct {
	all  []string
	args []any
}

func (t *terms) add(term string, args ...any) {
	for i, v := range args {
		if text, ok := v.(string); ok {
			args[i] = holdable(text)
		}
	}
	t.all, t.args = append(t.all, term), append(t.args, args...)
}

// where joins them.
func (t *terms) where() string { return strings.Join(t.all, " AND ") }

// holdable is a text without what PostgreSQL takes in none, and no name has.
func holdable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
}

// named are the conditions of a query, but for its words, and for the label that leads to it.
func (q *ListQuery) named(now int64, lead string) *terms {
	var t terms
	t.add(live, now)
	if q.Kind != "" {
		t.add(hasKind, " "+q.Kind+" ")
	}
	if q.Project != "" {
		t.add(`project = ? AND project <> ''`, q.Project) // which the index needs to hear
	}
	for k, v := range q.Labels {
		if k != lead {
			t.add(`EXISTS (SELECT 1 FROM label WHERE profile_id = profile.id AND key = ? AND value = ?)`, k, v)
		}
	}
	return &t
}

const hasKind = `instr(' ' || kinds || ' ', ?) > 0`

// words are what a name is to have, as listings have it: lower case of ASCII only, which is
// what the query language promises.
func (q *ListQuery) words() string { return holdable(lowerASCII(q.Text)) }

// where is the condition of a query.
func (s *Catalog) where(ctx context.Context, q *ListQuery, now int64) (string, []any, error) {
	t := q.named(now, "")
	if q.Text != "" {
		found, err := s.db.Search(ctx, s.db.Read, q.words())
		if err != nil {
			return "", nil, wrapped(err)
		}
		t.add(`id IN (SELECT profile_id FROM `+found.From+` WHERE `+found.Where+`)`, found.Args...)
	}
	return t.where(), t.args, nil
}

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}, s)
}

// A cursor is the creation time and the id of the last entry shown: it says
// nothing about how many unlisted ones there are.
func cursorOf(created int64, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(created, 36) + "." + id))
}

// position is where a page begins: after what was created at a time.
type position struct {
	created int64
	id      string
}

// readCursor reads a cursor; nil for none.
func readCursor(cursor string) (*position, error) {
	if cursor == "" {
		return nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return nil, ErrBadCursor
	}
	at, id, ok := strings.Cut(string(raw), ".")
	created, err := strconv.ParseInt(at, 36, 64)
	if !ok || err != nil || id == "" {
		return nil, ErrBadCursor
	}
	return &position{created, holdable(id)}, nil
}
