package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"proflens/catalog/engine"
	"proflens/catalog/projects"
)

// lister makes one page of a list, in one transaction. It walks along the shortest list that
// the database keeps in this order, of what is asked for: words, a label, a project, a kind
// or all; and looks at the rest of what is asked in each profile there.
type lister struct {
	ListQuery
	ctx   context.Context
	s     *Catalog
	tx    *sql.Tx
	now   int64
	after *position // nil: from the newest on
}

func (l *lister) page() (page ListPage, err error) {
	w, err := l.lead()
	if err != nil {
		return page, err
	}
	if l.Text != "" {
		if l.only() || w.most > l.s.lists.counted {
			return l.byWords()
		}
		w.add(`EXISTS (SELECT 1 FROM listing WHERE profile_id = profile.id AND instr(words, ?) > 0)`, l.words())
	}
	if page.Items, err = l.entries(w); err == nil && !l.allOn(&page) {
		err = l.count(&page, w)
	}
	return page, err
}

// allOn reports whether a page has all that match, and says then how many these are.
func (l *lister) allOn(page *ListPage) bool {
	all := l.after == nil && len(page.Items) <= l.Limit
	if all {
		page.Total = len(page.Items)
	}
	return all
}

// only reports whether nothing is asked but words.
func (l *lister) only() bool { return l.Kind == "" && l.Project == "" && len(l.Labels) == 0 }

// lead is a way along profiles, the newest first.
type lead struct {
	from        string
	created, id string // columns of its order
	most        int    // profiles there
	terms
}

// lead chooses the way.
func (l *lister) lead() (*lead, error) {
	w := &lead{from: `profile`, created: `created_us`, id: `profile.id`}
	var err error
	if w.most, err = l.kept(l.ofProfiles()); err != nil {
		return nil, err
	}
	first := ""
	for key, value := range l.Labels {
		var of terms
		of.add(`key = ? AND value = ?`, key, value)
		if key == projects.Branch && l.Project != "" { // which are in order too
			of.add(`project = ?`, l.Project)
		}
		n, err := l.kept(`label_count`, &of)
		if err != nil {
			return nil, err
		}
		if n < w.most {
			first, w.most = key, n
		}
	}
	w.terms = *l.named(l.now, first)
	if first != "" {
		w.from, w.created, w.id = `label AS lead CROSS JOIN profile`, `lead.listed_us`, `lead.profile_id`
		w.add(`lead.value = ? AND lead.listed_us > 0 AND profile.id = lead.profile_id`, l.Labels[first])
		if first == projects.Branch && l.Project != "" {
			w.add(`lead.key = 'branch' AND lead.of_project = ? AND lead.of_project <> ''`, l.Project)
		} else {
			w.add(`lead.key = ?`, first)
		}
	} else if l.Kind != "" && l.Project == "" && l.Text == "" {
		return w, l.alongKinds(w)
	}
	return w, nil
}

// alongKinds leads along the profiles of each set of kinds that has the one looked at: so they
// are in order in the database.
func (l *lister) alongKinds(w *lead) error {
	_, of := l.ofProfiles()
	sets, err := engine.Column[string](l.ctx, l.tx,
		`SELECT kinds FROM profile_count WHERE `+of.where()+` GROUP BY kinds ORDER BY kinds`, of.args...)
	if err != nil {
		return err
	}
	newest := []string{`SELECT '' AS id WHERE false`}
	var args []any
	for i, set := range sets {
		t := l.named(l.now, "")
		t.add(`kinds = ?`, set)
		l.begin(t, `created_us`, `id`)
		newest = append(newest, fmt.Sprintf(`SELECT id FROM
			(SELECT id FROM profile WHERE %s ORDER BY created_us DESC, id DESC LIMIT %d) AS set%d`,
			t.where(), l.Limit+1, i))
		args = append(args, t.args...)
	}
	w.add(`profile.id IN (`+strings.Join(newest, ` UNION ALL `)+`)`, args...)
	return nil
}

// begin has what is selected begin where the page does.
func (l *lister) begin(t *terms, created, id string) {
	if l.after != nil {
		t.add(`(`+created+`, `+id+`) < (?, ?)`, l.after.created, l.after.id)
	}
}

// entries are those of the page along a way, and one more.
func (l *lister) entries(w *lead) ([]Entry, error) {
	t := terms{slices.Clone(w.all), slices.Clone(w.args)}
	l.begin(&t, w.created, w.id)
	return listEntries(l.ctx, l.tx, `SELECT `+entryColumns+` FROM `+w.from+` WHERE `+t.where()+
		` ORDER BY `+w.created+` DESC, `+w.id+` DESC LIMIT ?`, append(t.args, l.Limit+1))
}

// count counts what matches: from what is kept where that says it, else along a way, as far as
// counting goes.
func (l *lister) count(page *ListPage, w *lead) (err error) {
	of, from := &terms{}, ""
	switch {
	case l.Text != "" || len(l.Labels) > 1 || len(l.Labels) == 1 && l.Kind != "":
		return l.look(page, w.from, &w.terms)
	case len(l.Labels) == 0:
		from, of = l.ofProfiles()
	default:
		from = `label_count`
		for key, value := range l.Labels {
			of.add(`key = ? AND value = ?`, key, value)
		}
		if l.Project != "" {
			of.add(`project = ?`, l.Project)
		}
	}
	if page.Total, err = l.kept(from, of); err == nil && page.Total > 0 {
		var over int
		over, err = l.over(l.named(l.now, ""))
		page.Total -= over
	}
	return err
}

// ofProfiles is where profiles are counted by all but their labels, and which.
func (l *lister) ofProfiles() (from string, of *terms) {
	of = &terms{}
	of.add(inLists)
	if l.Kind != "" {
		of.add(hasKind, " "+l.Kind+" ")
	}
	if l.Project != "" {
		of.add(`project = ?`, l.Project)
	}
	return `profile_count`, of
}

// kept is a count that the database keeps.
func (l *lister) kept(from string, of *terms) (n int, err error) {
	return engine.One[int](l.ctx, l.tx, `SELECT coalesce(sum(profiles), 0) FROM `+from+` WHERE `+of.where(), of.args...)
}

// over counts those that are counted and in no list: their time is over, and nobody has swept
// them away yet.
func (l *lister) over(t *terms) (n int, err error) {
	t.all[0] = inLists + ` AND expires_us <= ?`
	return engine.One[int](l.ctx, l.tx, `SELECT count(*) FROM (SELECT * FROM profile
		WHERE expires_us > 0 AND expires_us <= ?
		ORDER BY expires_us LIMIT 1000000) AS profile WHERE `+t.where(), append([]any{l.now}, t.args...)...)
}

// look counts what it sees, up to a limit.
func (l *lister) look(page *ListPage, from string, t *terms) error {
	err := l.tx.QueryRowContext(l.ctx, `SELECT count(*) FROM (SELECT 1 FROM `+from+` WHERE `+t.where()+` LIMIT ?) AS seen`,
		append(slices.Clone(t.args), l.s.lists.counted+1)...).Scan(&page.Total)
	page.More = page.Total > l.s.lists.counted
	page.Total = min(page.Total, l.s.lists.counted)
	return err
}
