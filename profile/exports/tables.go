package exports

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"proflens/decode/dcpi"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profile"
	"proflens/profile/stored"
	"proflens/profile/table"
	"proflens/profile/tables"
)

// tableForms are a table in a format: of DCPI's samples the three that are worth a
// line each, of other families the first.
func tableForms(of table.Format) []Form {
	label, takes := strings.ToUpper(string(of)), []string{"table", "cols", "names"}
	if of == table.FormatCSV {
		takes = append(takes, "guard")
	}
	return []Form{
		{Family: dcpi.Family, Takes: takes, Offers: func(*stored.Profile) ([]Offer, error) {
			if of == table.FormatNDJSON {
				return nil, nil
			}
			list := make([]Offer, len(dcpiTables))
			for i, t := range dcpiTables {
				list[i] = Offer{Label: t.Label + ", " + label, Query: t.Query, For: t.For}
			}
			return list, nil
		}},
		{Takes: takes, Offers: func(p *stored.Profile) ([]Offer, error) {
			entry, err := tables.Find(p.Overview.Info.Families, "")
			if err != nil {
				return nil, nil
			}
			says := map[table.Format]string{
				table.FormatCSV: entry.About + ", a row each", table.FormatNDJSON: "the same, one object per line, for scripts",
			}[of]
			if says == "" {
				return nil, nil
			}
			return []Offer{{Label: label, For: says}}, nil
		}},
	}
}

// WriteTables writes an export of a profile's tables: one of them whole, or all as
// a database, which is first made in dir. The error is a *[OptionError] for a
// table that the profile does not have.
func (e *Export) WriteTables(ctx context.Context, w io.Writer, p *stored.Profile, dir string, o Options) error {
	if e.Of == SQLite {
		return writeSQLite(ctx, w, p, dir)
	}
	demangled := names.NewCache(demangledBytes) // call stacks and calls name a function often
	return e.writeTable(ctx, w, p.Overview.Info, o, func(t tables.Entry) (table.Table, error) {
		return t.Open(ctx, p, tableOptions(o, demangled.Demangle))
	})
}

// WriteTable is WriteTables of a decoded profile that is not stored. It reports false, and
// has written nothing, where the profile must be stored for that.
func (e *Export) WriteTable(ctx context.Context, w io.Writer, p *format.Profile, o Options) (written bool, err error) {
	if e.Of == SQLite {
		return false, nil
	}
	err = e.writeTable(ctx, w, p.Info, o, func(t tables.Entry) (table.Table, error) {
		if t.List == nil {
			return nil, nil
		}
		list, err := t.List(ctx, p, tableOptions(o, names.Demangle)) // each name once
		written = list != nil || err != nil
		return list, err
	})
	return written, err
}

// demangledBytes is how much of demangled names is remembered.
const demangledBytes = 16 << 20

func tableOptions(o Options, demangle func(string, names.Mode) string) table.Options {
	form := names.Mode(o.Word("names"))
	return table.Options{Demangle: func(linkage string) string { return demangle(linkage, form) }}
}

// writeTable writes one table, if there is one.
func (e *Export) writeTable(ctx context.Context, w io.Writer, info model.Info, o Options,
	open func(tables.Entry) (table.Table, error)) error {
	entry, err := tables.Find(info.Families, o["table"])
	if err != nil {
		return &OptionError{"table", err.Error()}
	}
	opened, err := open(entry)
	if opened == nil || err != nil {
		return err
	}
	rows, err := opened.Select(strings.FieldsFunc(o["cols"], func(r rune) bool { return r == ',' }), e.Of)
	if err != nil {
		return &OptionError{"cols", err.Error()}
	}
	rows.Head.Guard = o.Yes("guard")
	rows.Head.Partial = model.PartialLines(info.Partial)
	_, err = rows.Copy(ctx, 0, -1, func() (*table.Writer, error) { return table.NewWriter(w, e.Of, rows.Head) })
	return err
}

func writeSQLite(ctx context.Context, w io.Writer, p *stored.Profile, dir string) error {
	path := filepath.Join(dir, "export.db")
	if err := profile.WriteSQLite(ctx, p, path); err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}
