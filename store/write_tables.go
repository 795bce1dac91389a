package store

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"unicode/utf8"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/store/btree"
)

// contents is what goes into a profile's file.
type contents struct {
	c        *collection
	overview *Overview
	ranking                 // for a preview the first ranks only, and no order by name
	mip      *mipTables     // nil in other families
	heap     *heapTables    // nil without a heap profile
	dcpi     *dcpi.Database // nil in other families
	w        *btree.Writer
}

// write fills every table of the schema. The small ones come first and stand
// together at the file's front.
func (c *contents) write(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		c.writeMeta, c.writeFiles, c.writeFindings, c.writeSummaries, c.writeDistributions,
		c.writeBinaryIDs, c.writePathNodes, c.writeFunctions, c.writeSites, c.writeNames, c.writePermutation, c.writeTraces,
		c.writeMIP, c.writeHeap, c.writeDCPI,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// table fills one table: rows calls add for each row, with the record in hand
// holding its columns after the first. The row id is the first column, stored
// as NULL, in all tables but those without an INTEGER PRIMARY KEY.
func (c *contents) table(name string, rows func(r *btree.Record, add func(id int64) error) error) error {
	t, err := c.w.Table(name)
	if err != nil {
		return err
	}
	var r btree.Record
	r.Null()
	err = rows(&r, func(id int64) error {
		err := t.Insert(id, &r)
		r.Reset()
		r.Null()
		return err
	})
	if err != nil {
		return err
	}
	return t.Close()
}

// name adds a name: TEXT when it is valid UTF-8, else BLOB, NULL when empty. A
// NUL byte makes it a BLOB too, since SQLite's text functions stop there.
func name(r *btree.Record, b []byte) {
	switch {
	case len(b) == 0:
		r.Null()
	case isText(b):
		r.Text(b)
	default:
		r.Blob(b)
	}
}

func isText(b []byte) bool {
	return bytes.IndexByte(b, 0) < 0 && utf8.Valid(b)
}

func text(r *btree.Record, values ...string) {
	for _, s := range values {
		r.Text([]byte(s))
	}
}

func flag(r *btree.Record, set bool) {
	if set {
		r.Int(1)
	} else {
		r.Int(0)
	}
}

func sum(r *btree.Record, s analyze.Sum) {
	r.Uint(s.Lo)
	r.Uint(s.Hi)
}

func (c *contents) writeMeta(context.Context) error {
	t, err := c.w.Table("meta")
	if err != nil {
		return err
	}
	var r btree.Record
	id := int64(0)
	put := func(key string, value func(r *btree.Record)) {
		r.Reset()
		text(&r, key)
		value(&r)
		id++
		if ierr := t.Insert(id, &r); err == nil {
			err = ierr
		}
	}
	number := func(key string, v uint64) { put(key, func(r *btree.Record) { r.Uint(v) }) }
	word := func(key, v string) { put(key, func(r *btree.Record) { text(r, v) }) }
	yes := func(key string, v bool) { put(key, func(r *btree.Record) { flag(r, v) }) }

	o, info := c.overview, &c.overview.Info
	number("schema", SchemaVersion)
	word("file_id", rand.Text())
	yes("storing", o.Storing)
	number("rows", uint64(len(c.ranked)))

	word("describe", o.Describe)
	word("format", string(info.Format))
	for _, family := range info.Families {
		word("family", string(family))
	}
	for _, flag := range info.Words {
		word("flag", flag)
	}
	number("version", info.Version)
	number("variant", uint64(info.Variant))
	yes("has_entry", analyze.HasEntry(info.Variant))
	number("pointer_size", uint64(info.PointerSize))
	yes("big_endian", info.BigEndian)
	number("profiles", uint64(info.Profiles))
	yes("explicit_fe", info.ExplicitFE)
	number("records", info.Records)
	number("trace_stream_size", info.TraceStreamSize)
	word("memprof_section", info.MemProfSection.Name)
	number("memprof_offset", info.MemProfSection.Offset)
	number("memprof_size", info.MemProfSection.Size)
	for i := range info.Partial {
		word("partial", writePartial(&info.Partial[i]))
	}

	number("functions", uint64(o.Functions))
	number("names", uint64(o.Names))
	number("never_ran", uint64(o.NeverRan))
	for _, class := range []analyze.Class{analyze.Hot, analyze.Warm, analyze.Cold, analyze.Never, analyze.NoClass} {
		number("class_"+string(class), uint64(o.Classes[class]))
	}
	number("counters", o.Counters)
	number("zero", o.Zero)
	word("total", o.Total.String())
	number("total_low", o.Total.Lo)
	number("total_high", o.Total.Hi)
	number("max", o.Max)
	number("max_at", uint64(c.rankOfMax()))
	for kind, n := range o.Sites {
		number("sites_"+string(rune('0'+kind)), n)
	}
	number("bitmap_bytes", o.BitmapBytes)
	number("traces", uint64(o.Traces))
	number("hot90", uint64(o.Hot90))
	number("hot99", uint64(o.Hot99))
	for _, f := range qualityMeta(&o.Quality) {
		number("quality_"+f.key, *f.value)
	}
	if err != nil {
		return err
	}
	return t.Close()
}

// rankOfMax is the rank of the record with the largest counter, 0 when there
// is none or a preview does not hold it.
func (c *contents) rankOfMax() int {
	for rank, i := range c.ranked {
		if int(i) == c.c.figures.maxAt {
			return rank + 1
		}
	}
	return 0
}

func (c *contents) writeFiles(context.Context) error {
	err := c.table("file", func(r *btree.Record, add func(int64) error) error {
		for i, f := range c.overview.Inputs {
			text(r, f.Name, f.SHA256)
			r.Int(f.Size)
			text(r, f.Describe, string(f.Format))
			r.Uint(f.Version)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("section", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for i, f := range c.overview.Inputs {
			for _, s := range f.Sections {
				r.Int(int64(i) + 1)
				text(r, s.Name)
				r.Uint(s.Offset)
				r.Uint(s.Size)
				text(r, s.Note)
				id++
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *contents) writeFindings(context.Context) error {
	return c.table("finding", func(r *btree.Record, add func(int64) error) error {
		for i, f := range c.overview.Findings {
			text(r, string(f.Severity), f.Code, string(f.Kind), f.File, f.Section, f.Field)
			r.Uint(f.Offset)
			text(r, f.Expected, f.Found, f.Message, f.Cause, f.Remedy)
			r.Uint(f.Count)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeSummaries(context.Context) error {
	type stored struct {
		origin string
		cs     bool
		*instrprof.Summary
	}
	var all []stored
	for _, s := range []stored{
		{"records", false, &c.overview.Summary},
		{"records", true, c.overview.CSSummary},
		{"file", false, c.overview.Info.Summary},
		{"file", true, c.overview.Info.CSSummary},
	} {
		if s.Summary != nil {
			all = append(all, s)
		}
	}
	err := c.table("summary", func(r *btree.Record, add func(int64) error) error {
		for i, s := range all {
			text(r, s.origin)
			flag(r, s.cs)
			for _, v := range []uint64{s.NumFunctions, s.NumCounts, s.MaxFunctionCount, s.MaxCount, s.MaxInternalCount, s.TotalCount} {
				r.Uint(v)
			}
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("summary_entry", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for i, s := range all {
			for _, e := range s.Detailed {
				r.Int(int64(i) + 1)
				r.Uint(e.Cutoff)
				r.Uint(e.MinCount)
				r.Uint(e.NumCounts)
				id++
				if err := add(id); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func (c *contents) writeDistributions(context.Context) error {
	err := c.table("histogram", func(r *btree.Record, add func(int64) error) error {
		for i, n := range c.overview.Histogram {
			r.Uint(n)
			if err := add(int64(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("curve", func(r *btree.Record, add func(int64) error) error {
		for _, p := range c.overview.Curve {
			r.Real(p.Share)
			if err := add(int64(p.N)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeBinaryIDs(context.Context) error {
	err := c.table("binary_id", func(r *btree.Record, add func(int64) error) error {
		for i, id := range c.overview.Info.BinaryIDs {
			r.Blob(id)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.table("vtable", func(r *btree.Record, add func(int64) error) error {
		for i, n := range c.overview.Info.VTableNames {
			name(r, n)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *contents) writeTraces(context.Context) error {
	var refs []byte
	return c.table("trace", func(r *btree.Record, add func(int64) error) error {
		for i, t := range c.c.traces {
			refs = refs[:0]
			for _, ref := range t.NameRefs {
				refs = binary.LittleEndian.AppendUint64(refs, ref)
			}
			r.Uint(t.Weight)
			r.Int(int64(len(t.NameRefs)))
			r.Blob(refs)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}
