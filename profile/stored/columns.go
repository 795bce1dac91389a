package stored

import (
	"reflect"

	"proflens/analyze"
)

// Put adds a row's columns, in the schema's order, each by a pointer to its value: a
// number, words, a flag, bytes or a *uint64, both NULL where there are none, or a sum,
// which is two columns. It is for tables of few rows: it looks at types as it goes.
func (r *Record) Put(columns ...any) {
	for _, c := range columns {
		switch c := c.(type) {
		case *analyze.Sum:
			r.Sum(*c)
			continue
		case **uint64:
			r.Known(*c)
			continue
		case *[]byte:
			r.BlobOrNull(*c)
			continue
		}
		switch v := reflect.ValueOf(c).Elem(); {
		case v.CanUint():
			r.Uint(v.Uint())
		case v.CanInt():
			r.Int(v.Int())
		case v.Kind() == reflect.Bool:
			r.Flag(v.Bool())
		default:
			r.Texts(v.String())
		}
	}
}

// Fill reads what [Record.Put] wrote of all columns after the id into the same pointers.
func (r *Row) Fill(columns ...any) {
	at := 0
	for _, c := range columns {
		at++
		switch c := c.(type) {
		case *analyze.Sum:
			c.Lo, c.Hi = r.Uint(at), r.Uint(at+1)
			at++
			continue
		case **uint64:
			if *c = nil; !r.IsNull(at) {
				*c = new(r.Uint(at))
			}
			continue
		case *[]byte:
			*c = r.Blob(at)
			continue
		}
		switch v := reflect.ValueOf(c).Elem(); {
		case v.CanUint():
			v.SetUint(r.Uint(at))
		case v.CanInt():
			v.SetInt(r.Int(at))
		case v.Kind() == reflect.Bool:
			v.SetBool(r.Int(at) != 0)
		default:
			v.SetString(r.String(at))
		}
	}
}

// PutRows fills a table with a row for each of a list, whose ids count from 1; columns
// are those of one, as [Record.Put] takes them.
func PutRows[T any](w *Writer, table string, list []T, columns func(*T) []any) error {
	return w.Rows(table, len(list), func(r *Record, i int) { r.Put(columns(&list[i])...) })
}

// FillRows reads what [PutRows] wrote; nil where there is no row.
func FillRows[T any](p *Profile, table string, columns func(*T) []any) (list []T, err error) {
	err = p.Walk(table, func(row *Row) {
		var one T
		row.Fill(columns(&one)...)
		list = append(list, one)
	})
	return list, err
}

// FillOne reads the only row of a table; a table without one is damaged.
func FillOne[T any](p *Profile, table string, columns func(*T) []any) (*T, error) {
	list, err := FillRows(p, table, columns)
	if err == nil && len(list) != 1 {
		err = Damaged("%s has %d rows, expected 1", table, len(list))
	}
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}

// InTurn fills tables one after another.
func (w *Writer) InTurn(writes ...func(*Writer) error) error {
	for _, write := range writes {
		if err := write(w); err != nil {
			return err
		}
		if err := w.ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
