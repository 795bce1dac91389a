package table

import (
	"context"
	"reflect"
	"strconv"
	"strings"
)

// Open is the table as scripts read it: the rows that a query selects; its Offset and
// Limit do not count. With whole set, a search of names is waited for.
func (d *Declaration) Open(find Find, q Query, o Options, whole bool) Table {
	l := &List[reflect.Value]{Columns: d.Columns(&o), Text: strings.Fields(d.Text), Quote: o.Quote}
	if len(l.Text) == 0 {
		l.Text = nil
	}
	q.Whole = whole
	var page Page
	l.Read = func(ctx context.Context, offset, limit int) (Step[reflect.Value], error) {
		q.Offset, q.Limit = offset, limit
		var err error
		for page, err = find(ctx, q); err == nil && whole && page.Searched != nil; page, err = find(ctx, q) {
			if err = ctx.Err(); err != nil {
				break
			}
		}
		if err != nil {
			return Step[reflect.Value]{}, err
		}
		rows := make([]reflect.Value, page.Len())
		for i := range rows {
			rows[i] = page.Row(i)
		}
		return Step[reflect.Value]{rows, page.Matching, page.Searched != nil}, nil
	}
	l.More = func(b []byte, _ []Column[reflect.Value]) []byte { return d.appendAround(b, &page, o.Quote) }
	return l
}

// Whole is the table of rows that are all there.
func (d *Declaration) Whole(set Set, o Options) Table { return d.Open(d.Within(set), Query{}, o, true) }

// Columns are those of scripts, written as o says.
func (d *Declaration) Columns(o *Options) []Column[reflect.Value] {
	var list []Column[reflect.Value]
	for _, f := range d.Fields {
		if f.Script {
			list = append(list, Column[reflect.Value]{f.Name, f.width, func(row *reflect.Value) Cell { return f.Cell(*row, o) }})
		}
	}
	return list
}

// AppendObject appends a row, of which row is a pointer, as an object of JSON.
func (d *Declaration) AppendObject(b []byte, row any, o *Options) []byte {
	v := reflect.ValueOf(row).Elem()
	return AppendObject(b, d.Columns(o), o.Quote, &v)
}

// appendAround appends what the envelope of JSON says of all rows.
func (d *Declaration) appendAround(b []byte, p *Page, quote bool) []byte {
	if d.All {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(p.All), 10)
	}
	if p.Around != nil {
		members := Declaration{Fields: FieldsOf(reflect.TypeOf(p.Around).Elem())}
		if object := members.AppendObject(nil, p.Around, &Options{Quote: quote}); len(object) > 2 {
			b = append(append(b, ','), object[1:len(object)-1]...)
		}
	}
	b = append(b, p.Members...)
	for i, f := range d.Facets {
		if f.Count != "" {
			b = append(append(append(b, ',', '"'), f.Count...), '"', ':')
			b = strconv.AppendInt(b, int64(p.Facets[i]), 10)
		}
	}
	return b
}
