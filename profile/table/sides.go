package table

import (
	"reflect"
	"strconv"
	"strings"
)

// Sides is what two profiles have of a row; nil in one that does not have it. A row of a
// comparison embeds it with the tag pair, which lists the columns of a side in their order,
// with their widths behind a colon: "total:12,max". Each comes twice, with base_ and test_ in
// front; where the tag is:"apart" is there, all of the base profile come first. A column of S
// that has the tag change:"NAME" is also subtracted: pages have the column NAME of how much
// more of it the test profile has.
type Sides[S any] struct{ Base, Test *S }

// Any is what the base profile has, or else the test profile.
func (s *Sides[S]) Any() *S {
	if s.Base != nil {
		return s.Base
	}
	return s.Test
}

// State is one of the bits that all comparisons have: whether both have the row.
func (s *Sides[S]) State() State {
	switch {
	case s.Base == nil:
		return OnlyTest
	case s.Test == nil:
		return OnlyBase
	}
	return Matched
}

// Move compares a figure of both sides, which is 0 of one that does not have the row.
func (s *Sides[S]) Move(figure func(*S) float64) Move {
	var figures [2]float64
	for i, side := range []*S{s.Base, s.Test} {
		if side != nil {
			figures[i] = figure(side)
		}
	}
	return NewMove(figures[0], figures[1])
}

// Called is the name of a row: that of the base, or of the test profile where the base does not
// say it.
func (s *Sides[S]) Called(name func(*S) Name) (n Name) {
	for _, side := range []*S{s.Base, s.Test} {
		if side != nil && n.PGO == "" {
			n = name(side)
		}
	}
	return n
}

// addSides adds the columns of [Sides] in the order of the tag pair, and what is subtracted.
func (d *Declaration) addSides(f reflect.StructField, list string, path []int) {
	var sides [2]*Declaration
	for i, prefix := range []string{"base_", "test_"} {
		sides[i] = &Declaration{States: d.States, tags: new(tags)}
		of := f.Type.Field(i).Type
		sides[i].readStruct(structOf(of), append(path[:len(path):len(path)], i), scope{within: true, prefix: prefix})
	}
	apart := f.Tag.Get("is") == "apart"
	var later []*Field // of the test profile, where they stand apart
	for column := range strings.SplitSeq(list, ",") {
		own, width, sized := strings.Cut(column, ":")
		var pair [2]*Field
		for i, side := range sides {
			c := named(side.fields, [2]string{"base_", "test_"}[i]+own)
			if c == nil {
				panic("table: no side has the column " + own)
			}
			if sized {
				c.width, _ = strconv.Atoi(width)
			}
			if c.Head == headOfName(c.Name) {
				c.Head = headOfName(own)
			}
			c.Head += [2]string{" in A", " in B"}[i]
			if pair[i] = c; apart && i == 1 {
				later = append(later, c)
			} else {
				d.fields = append(d.fields, c)
			}
		}
		if name := pair[0].change; name != "" {
			d.fields = append(d.fields, difference(name, pair))
		}
	}
	d.fields = append(d.fields, later...)
}

// difference is the column of how much more the test profile has in a column than the base;
// one that does not have the row has nothing.
func difference(name string, of [2]*Field) *Field {
	c := *of[0]
	c.Name, c.Head, c.Help = name, strings.TrimSuffix(c.Head, " in A")+", B − A", "value in B minus value in A"
	c.path, c.within, c.Script, c.Page, c.Sort, c.Range, c.Signed = nil, false, false, true, true, false, true
	c.number = func(row reflect.Value) float64 {
		base, _ := of[0].Float(row)
		test, _ := of[1].Float(row)
		return test - base
	}
	c.cell = func(row reflect.Value, _ *Options) Cell { return Number(c.number(row)) }
	c.size = true
	return &c
}
