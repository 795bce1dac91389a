package instrdb

import (
	"bytes"
	"context"
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"

	"proflens/analyze/sources"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/names"
	"proflens/profile/instrdb/collected"
	"proflens/profile/stored"
)

// places are where functions are declared.
type places struct {
	at       []place  // by record; nil where nothing says where they are
	files    []string // sorted; a place has the index plus one
	placed   int      // records that have a place
	beside   bool     // another part has told them
	findings []model.Finding
}

// place is a line of a file; 0 where it is not known.
type place struct{ file, line uint32 }

// of is the place of a record.
func (p *places) of(record uint32) place {
	if p.at == nil {
		return place{}
	}
	return p.at[record]
}

// sureness is how well a declaration fits a record: the name alone may be that of another
// function, which is local too.
type sureness uint8

const (
	unplaced   sureness = iota
	byName              // and the last part of the path, where the record has one
	byEnd               // the path of the unit ends with that of the record
	notDoubted          // nothing can fit better
)

// placing finds the places of records, by the linkage name in their PGO name.
type placing struct {
	c     *collected.Collection
	seed  maphash.Seed
	first map[uint64]uint32 // by hash of the linkage name: the first record plus one
	next  []uint32          // by record: that of the same hash plus one, 0 for none
	sure  []sureness        // by record
	files map[string]uint32 // by name: number from 1, in the order of finding
	places
}

// place asks who knows where functions are declared: the parts that are prepared, or else
// the programs that came with the profile.
func placesOf(ctx context.Context, c *collected.Collection, profile *format.Profile,
	others []stored.Prepared) (places, error) {
	i := slices.IndexFunc(others, func(o stored.Prepared) bool { _, ok := o.(stored.Declarer); return ok })
	if i < 0 && profile.Declared == nil || c.Len() == 0 {
		return places{}, nil
	}
	p := newPlacing(c)
	p.beside = i >= 0
	var err error
	if i >= 0 {
		others[i].(stored.Declarer).EachDeclaration(p.visit)
	} else if p.findings, err = profile.Declared(ctx, p.wanted, p.visit); err != nil {
		return places{}, err
	}
	p.finish()
	if p.placed == 0 && i < 0 && len(p.findings) == 0 { // which say why
		p.findings = append(p.findings,
			model.Finding{Severity: model.Warning, Code: "lines.none", Kind: model.KindIncompatible,
				Message: "no function of the profile is in the debug info of the programs that came with it",
				Cause:   "they are other programs, without a build ID that would tell, or only libraries in them have debug info",
				Remedy:  "give the program that ran, compiled with -g, Rust with CARGO_PROFILE_RELEASE_DEBUG=1"})
	}
	return p.places, nil
}

func newPlacing(c *collected.Collection) *placing {
	n := c.Len()
	p := &placing{
		c: c, seed: maphash.MakeSeed(), first: make(map[uint64]uint32, n), next: make([]uint32, n),
		sure: make([]sureness, n), files: map[string]uint32{},
	}
	p.at = make([]place, n)
	for i := range uint32(n) {
		if _, linkage := names.Cut(c.NameOf(c.At(i))); len(linkage) > 0 {
			key := maphash.Bytes(p.seed, linkage)
			p.next[i], p.first[key] = p.first[key], i+1
		}
	}
	return p
}

// each visits the records of a linkage name, with the path in their names.
func (p *placing) each(linkage []byte, visit func(record uint32, path []byte)) {
	for n := p.first[maphash.Bytes(p.seed, linkage)]; n > 0; n = p.next[n-1] {
		path, own := names.Cut(p.c.NameOf(p.c.At(n - 1)))
		if bytes.Equal(own, linkage) {
			visit(n-1, path)
		}
	}
}

// wanted reports whether a better place may be found for records of a name.
func (p *placing) wanted(linkage []byte) (wanted bool) {
	p.each(linkage, func(record uint32, _ []byte) { wanted = wanted || p.sure[record] < notDoubted })
	return wanted
}

func (p *placing) visit(d model.Declaration) {
	p.each(d.Name, func(record uint32, path []byte) {
		sure := sureOf(string(path), &d)
		if sure <= p.sure[record] {
			return
		}
		file := sources.Clean(d.File)
		number, ok := p.files[file]
		if !ok {
			number = uint32(len(p.files)) + 1
			p.files[strings.Clone(file)] = number
		}
		p.sure[record], p.at[record] = sure, place{number, d.Line}
	})
}

// sureOf is how well a declaration fits a record with a path in its name, which is that of
// a compilation unit; empty for a function that other units see.
func sureOf(own string, d *model.Declaration) sureness {
	unit := d.Unit
	if unit == "" {
		unit = d.File
	}
	switch {
	case own == "" && d.Local, own == "" && d.Unit == "":
		return byName
	case own == "" || own == d.Unit:
		return notDoubted
	case endsWith(unit, own) || endsWith(own, unit):
		return byEnd
	case path.Base(own) == path.Base(unit):
		return byName
	}
	return unplaced
}

// endsWith reports whether a path ends with all parts of another.
func endsWith(whole, end string) bool {
	rest, ok := strings.CutSuffix(whole, end)
	return ok && strings.HasSuffix(rest, "/")
}

// finish numbers the files by name.
func (p *placing) finish() {
	p.places.files = slices.Sorted(maps.Keys(p.files))
	number := make([]uint32, len(p.files)+1)
	for i, name := range p.places.files {
		number[p.files[name]] = uint32(i) + 1
	}
	for i := range p.at {
		at := &p.at[i]
		if at.file = number[at.file]; at.file > 0 {
			p.placed++
		}
	}
}
