package catalog

import (
	"database/sql"
	"errors"
	"math"
	"slices"

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
	var newest []int64
	step := l.Limit + 1
	if l.after == nil && !l.only() {
		step = l.s.lists.chosen + 1 // which are counted, too
	}
	page.Items = []Entry{}
	for looked := 0; len(page.Items) <= l.Limit; step = 10 * (l.Limit + 1) {
		some, err := found.Find(l.ctx, l.tx, at, step, l.s.lists.scanned)
		if err != nil {
			return page, err
		}
		if looked == 0 && l.after == nil {
			newest = some.Docs
		}
		for docs := range slices.Chunk(some.Docs, 2*(l.Limit+1)) {
			items, err := l.entriesOf(docs)
			if err != nil {
				return page, err
			}
			if page.Items = append(page.Items, items...); len(page.Items) > l.Limit {
				break
			}
		}
		at = some.At
		if looked += len(some.Docs); some.End {
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
	return page, l.countWords(&page, found, newest)
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

// entriesOf are the profiles of listings that are what else is asked for.
func (l *lister) entriesOf(docs []int64) (all []Entry, err error) {
	if len(docs) == 0 {
		return nil, nil
	}
	t := l.listedAs(docs)
	return listEntries(l.ctx, l.tx, `SELECT `+entryColumns+` FROM profile WHERE `+t.where()+`
		ORDER BY created_us DESC, id DESC`, t.args)
}

// listedAs is the condition of the profiles of listings and of what else is asked.
func (l *lister) listedAs(docs []int64) *terms {
	t := l.named(l.now, "")
	args := make([]any, len(docs))
	for i, doc := range docs {
		args[i] = doc
	}
	t.add(`id IN (SELECT profile_id FROM listing WHERE `+among(`doc`, args)+`)`, args...)
	return t
}

// countWords counts the profiles with the words: all of them, or those among the newest, of which
// some may be known.
func (l *lister) countWords(page *ListPage, found engine.Search, newest []int64) (err error) {
	limit, scanned := l.s.lists.counted, l.s.lists.scanned
	if l.only() {
		page.Total, err = found.Count(l.ctx, l.tx, limit+1, scanned)
	} else {
		limit = l.s.lists.chosen
		if newest == nil {
			var first engine.Found
			first, err = found.Find(l.ctx, l.tx, math.MaxInt64, limit+1, scanned)
			newest = first.Docs
		}
		page.Total = len(newest)
	}
	if err != nil {
		return err
	}
	if page.More = page.Total > limit; page.More {
		page.Total = limit
	} else if found.Scans {
		err := l.tx.QueryRowContext(l.ctx, `SELECT EXISTS (SELECT 1 FROM listing ORDER BY doc DESC LIMIT 1 OFFSET ?)`,
			scanned).Scan(&page.More)
		if err != nil {
			return err
		}
	}
	if l.only() {
		t := terms{}
		t.add("", l.now)
		t.add(`EXISTS (SELECT 1 FROM listing WHERE profile_id = profile.id AND instr(words, ?) > 0)`, l.words())
		over, err := l.over(&t)
		page.Total -= min(over, page.Total)
		return err
	}
	if page.Total == 0 {
		return nil
	}
	t := l.listedAs(newest[:page.Total])
	return l.tx.QueryRowContext(l.ctx, `SELECT count(*) FROM profile WHERE `+t.where(), t.args...).Scan(&page.Total)
}
