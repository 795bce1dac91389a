package table

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// Open is the table as scripts read it: the rows that a query selects; its Offset and
// Limit do not count. With whole set, a search of names is waited for.
func (d *Declaration) Open(find Find, q Query, o Options, whole bool) Table {
	l := &List{Columns: d.Columns(), Usual: ColumnNames(scripted(d.Fields(), false)), Options: o, Apart: d.Apart}
	for name := range strings.FieldsSeq(d.Text) {
		if f := d.Field(name); f == nil || !f.Extra {
			l.Text = append(l.Text, name)
		}
	}
	q.Whole = whole
	var last atomic.Pointer[Page] // one of those that were found: they say the same of the whole
	l.Read = func(ctx context.Context, offset, limit int) (Step, error) {
		q := q
		q.Offset, q.Limit = offset, limit
		page, err := find(ctx, q)
		for err == nil && whole && page.Searched != nil && !page.Searched.Storing {
			if err = ctx.Err(); err == nil {
				page, err = find(ctx, q)
			}
		}
		if err != nil {
			return Step{}, err
		}
		last.Store(&page)
		return Step{page.Len(), page.inOnePlace(), page.Matching, page.Searched != nil}, nil
	}
	l.More = func(b []byte, columns []*Field) []byte {
		page := last.Load()
		if page.Below != nil {
			b = append(append(append(b, `,"by":"`...), page.By...), `","node":`...)
			b = appendObject(b, columns, &o, reflect.ValueOf(page.Below).Elem())
		}
		return d.appendAround(b, page, o.Quote)
	}
	return l
}

// copy is one whose columns can be changed.
func (d *Declaration) copy() *Declaration {
	other := *d
	d.read()
	other.tags = new(*d.tags)
	return &other
}

// And is the declaration with these of its extra columns among the usual ones.
func (d *Declaration) And(names ...string) *Declaration {
	return d.altered(func(f *Field) { f.Extra = f.Extra && !slices.Contains(names, f.Name) })
}

// altered is the declaration with its fields changed.
func (d *Declaration) altered(change func(*Field)) *Declaration {
	other := d.copy()
	other.fields = slices.Clone(other.fields)
	for i, f := range other.fields {
		other.fields[i] = new(*f)
		change(other.fields[i])
	}
	return other
}

// Whole is the table of rows that are all there.
func (d *Declaration) Whole(set Set, o Options) Table { return d.Open(d.Within(set), Query{}, o, true) }

// Columns are those of scripts.
func (d *Declaration) Columns() []*Field { return scripted(d.Fields(), true) }

// scripted are those of scripts, extra ones among them or not.
func scripted(fields []*Field, extra bool) (list []*Field) {
	for _, f := range fields {
		if f.Script && (extra || !f.Extra) {
			list = append(list, f)
		}
	}
	return list
}

// AppendObject appends a row, of which row is a pointer, as an object of JSON.
func (d *Declaration) AppendObject(b []byte, row any, o *Options) []byte {
	return appendObject(b, scripted(d.Fields(), false), o, reflect.ValueOf(row).Elem())
}

// AppendMembers adds the columns of a struct, of which of is a pointer, to the object of JSON at the
// end of b.
func AppendMembers(b []byte, of any, o *Options) []byte {
	return append(appendMembers(b[:len(b)-1], of, o), '}')
}

// appendMembers appends the columns of a struct to the members of an object.
func appendMembers(b []byte, of any, o *Options) []byte {
	v := reflect.ValueOf(of).Elem()
	if object := appendObject(nil, scripted(FieldsOf(v.Type()), false), o, v); len(object) > 2 {
		b = append(append(b, ','), object[1:len(object)-1]...)
	}
	return b
}

// appendAround appends what the envelope of JSON says of all rows.
func (d *Declaration) appendAround(b []byte, p *Page, quote bool) []byte {
	if d.All {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(p.All), 10)
	}
	if p.Around != nil {
		b = appendMembers(b, p.Around, &Options{Quote: quote})
	}
	b = append(b, p.Members...)
	for i, f := range d.facets {
		if f.Count != "" {
			b = append(append(append(b, ',', '"'), f.Count...), '"', ':')
			b = strconv.AppendInt(b, int64(p.Facets[i]), 10)
		}
	}
	return b
}
