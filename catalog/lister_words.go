package catalog

import (
	"database/sql"
	"errors"
	"math"
	"strings"

	"proflens/catalog/engine"
)

// byWords walks along the listings that have the words. Where too many have to be looked at for
// what else is asked, the page ends early, and the next one goes on.
func (l *lister) byWords() (page ListPage, err error) {
	found, err := l.s.db.Search(l.ctx, l.tx, l.words())
	if err != nil {
		return page, err
	}
	at, err := l.before()
	if err != nil {
		return page, err
	}
	page.Items = []Entry{}
	for looked, step := 0, l.Limit+1; len(page.Items) <= l.Limit; step = 10 * (l.Limit + 1) {
		docs, end, err := l.docs(found, &at, step)
		if err != nil {
			return page, err
		}
		items, err := l.entriesOf(docs)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, items...)
		if looked += len(docs); end {
			if l.allOn(&page) {
				return page, nil
			}
			break
		}
		if (looked >= l.s.lists.counted || found.Scans) && len(page.Items) <= l.Limit {
			if page.NextCursor, err = l.cursorOf(at); err != nil {
				return page, err
			}
			break
		}
	}
	return page, l.countWords(&page, found)
}

// before is the number of the listing before which the page begins.
func (l *lister) before() (doc int64, err error) {
	if l.after == nil {
		return math.MaxInt64, nil
	}
	err = l.tx.QueryRowContext(l.ctx, `SELECT doc FROM listing WHERE profile_id = ?`, l.after.id).Scan(&doc)
	if errors.Is(err, sql.ErrNoRows) { // it is gone: those of an earlier time come after it
		return l.after.created, nil
	}
	return doc, err
}

func (l *lister) cursorOf(doc int64) (string, error) {
	var e Entry
	var created int64
	err := l.tx.QueryRowContext(l.ctx, `SELECT id, created_us FROM profile JOIN listing ON profile_id = id WHERE doc = ?`,
		doc).Scan(&e.ID, &created)
	return cursorOf(created, e.ID), err
}

// docs are the next listings with the words, at most limit, and moves on to the last that was
// looked at. end says that there are no more.
func (l *lister) docs(found engine.Search, at *int64, limit int) (docs []int64, end bool, err error) {
	query, args := found.Newest(*at, limit, l.s.lists.scanned)
	rows, err := l.tx.QueryContext(l.ctx, query, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var doc int64
		if err := rows.Scan(&doc); err != nil {
			return nil, false, err
		}
		docs = append(docs, doc)
	}
	if err := rows.Err(); err != nil {
		return nil, false, err
	}
	switch {
	case len(docs) == limit:
		*at = docs[limit-1]
	case !found.Scans:
		end = true
	default:
		var seen int
		err = l.tx.QueryRowContext(l.ctx, `SELECT count(*), coalesce(min(doc), 0) FROM (SELECT doc FROM listing WHERE doc < ?
			ORDER BY doc DESC LIMIT ?) AS newest`, *at, l.s.lists.scanned).Scan(&seen, at)
		end = seen < l.s.lists.scanned
	}
	return docs, end, err
}

// entriesOf are the profiles of listings that are what else is asked for.
func (l *lister) entriesOf(docs []int64) (all []Entry, err error) {
	if len(docs) == 0 {
		return nil, nil
	}
	t := l.named(l.now, "")
	args := make([]any, len(docs))
	for i, doc := range docs {
		args[i] = doc
	}
	t.add(`id IN (SELECT profile_id FROM listing WHERE doc IN (?`+strings.Repeat(`, ?`, len(docs)-1)+`))`, args...)
	return listEntries(l.ctx, l.tx, `SELECT `+entryColumns+` FROM profile WHERE `+t.where()+`
		ORDER BY created_us DESC, id DESC`, t.args)
}

// countWords counts the profiles with the words: all of them, or those among the newest.
func (l *lister) countWords(page *ListPage, found engine.Search) error {
	limit := l.s.lists.counted
	if !l.only() {
		limit = l.s.lists.chosen
	}
	newest, args := found.Newest(math.MaxInt64, limit+1, l.s.lists.scanned)
	var seen int
	if err := l.tx.QueryRowContext(l.ctx, `SELECT count(*) FROM (`+newest+`) AS newest`, args...).Scan(&seen); err != nil {
		return err
	}
	page.More = seen > limit
	if found.Scans && !page.More {
		err := l.tx.QueryRowContext(l.ctx, `SELECT EXISTS (SELECT 1 FROM listing ORDER BY doc DESC LIMIT 1 OFFSET ?)`,
			l.s.lists.scanned).Scan(&page.More)
		if err != nil {
			return err
		}
	}
	var t terms
	if l.only() {
		page.Total = min(seen, limit)
		t.add("", l.now)
		t.add(`EXISTS (SELECT 1 FROM listing WHERE profile_id = profile.id AND instr(words, ?) > 0)`, l.words())
		over, err := l.over(&t)
		page.Total -= min(over, page.Total)
		return err
	}
	t = *l.named(l.now, "")
	newest, args = found.Newest(math.MaxInt64, limit, l.s.lists.scanned)
	t.add(`id IN (SELECT profile_id FROM listing WHERE doc IN (SELECT doc FROM (`+newest+`) AS newest))`, args...)
	return l.tx.QueryRowContext(l.ctx, `SELECT count(*) FROM profile WHERE `+t.where(), t.args...).Scan(&page.Total)
}
