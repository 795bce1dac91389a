package catalog

import (
	"context"
	"database/sql"
	"encoding/base64"
	"errors"
	"fmt"
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
}

// List returns the listed profiles that match, newest first, failed ones and
// those still being decoded among them. It returns ErrBadCursor.
func (s *Catalog) List(ctx context.Context, q ListQuery) (ListPage, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = DefaultListLimit
	}
	limit = min(limit, MaxListLimit)
	where, args := q.where(s.now().UnixMicro())
	after, afterArgs, err := afterCursor(q.Cursor)
	if err != nil {
		return ListPage{}, err
	}

	tx, err := s.db.Read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return ListPage{}, fmt.Errorf("catalog: %w", err)
	}
	defer tx.Rollback()
	var page ListPage
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM profile WHERE `+where, args...).Scan(&page.Total); err != nil {
		return ListPage{}, fmt.Errorf("catalog: %w", err)
	}
	args = append(append(args, afterArgs...), limit+1)
	page.Items, err = listEntries(ctx, tx, `SELECT `+entryColumns+` FROM profile WHERE `+where+after+
		` ORDER BY created_us DESC, id DESC LIMIT ?`, args)
	if err != nil {
		return ListPage{}, fmt.Errorf("catalog: %w", err)
	}
	if len(page.Items) > limit {
		page.Items = page.Items[:limit]
		page.NextCursor = cursorAfter(&page.Items[limit-1])
	}
	for i := range page.Items {
		if err := loadParts(ctx, tx, &page.Items[i]); err != nil {
			return ListPage{}, err
		}
	}
	return page, nil
}

// Groups are how the profiles that a query selects are grouped: by "project", or by the
// values of a label. The group with the newest profile comes first; profiles without the
// project or the label are in none.
func (s *Catalog) Groups(ctx context.Context, q ListQuery, by string, limit int) ([]projects.Group, error) {
	where, args := q.where(s.now().UnixMicro())
	value, from := `project`, `profile`
	if by == "project" {
		where += ` AND project <> ''`
	} else {
		value, from = `label.value`, `profile JOIN label ON label.profile_id = profile.id`
		where, args = where+` AND label.key = ?`, append(args, by)
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

// where is the condition without the cursor.
func (q ListQuery) where(now int64) (string, []any) {
	terms := []string{`visibility = 'listed'`, `state NOT IN ('expired', 'deleted')`, `(expires_us = 0 OR expires_us > ?)`}
	args := []any{now}
	add := func(term string, values ...any) {
		for i, v := range values {
			if words, ok := v.(string); ok { // PostgreSQL takes no others, and no name has them
				values[i] = strings.ReplaceAll(strings.ToValidUTF8(words, "\ufffd"), "\x00", "\ufffd")
			}
		}
		terms = append(terms, term)
		args = append(args, values...)
	}
	if q.Kind != "" {
		add(`instr(' ' || kinds || ' ', ?) > 0`, " "+q.Kind+" ")
	}
	if q.Project != "" {
		add(`project = ? AND project <> ''`, q.Project) // which the index needs to hear
	}
	if q.Text != "" {
		// lower() folds ASCII only, which is what the query language promises.
		t := lowerASCII(q.Text)
		add(`(instr(lower(name), ?) > 0 OR instr(lower(project), ?) > 0 OR instr(lower(describe), ?) > 0
			OR id IN (SELECT profile_id FROM label WHERE instr(lower(key || '=' || value), ?) > 0)
			OR id IN (SELECT profile_id FROM file WHERE instr(lower(name), ?) > 0))`, t, t, t, t, t)
	}
	for k, v := range q.Labels {
		add(`id IN (SELECT profile_id FROM label WHERE key = ? AND value = ?)`, k, v)
	}
	return strings.Join(terms, " AND "), args
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
func cursorAfter(e *Entry) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(e.Created.UnixMicro(), 36) + "." + e.ID))
}

func afterCursor(cursor string) (term string, args []any, err error) {
	if cursor == "" {
		return "", nil, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		return "", nil, ErrBadCursor
	}
	at, id, ok := strings.Cut(string(raw), ".")
	created, err := strconv.ParseInt(at, 36, 64)
	if !ok || err != nil || id == "" {
		return "", nil, ErrBadCursor
	}
	return ` AND (created_us, id) < (?, ?)`, []any{created, id}, nil
}
