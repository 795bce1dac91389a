package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"proflens/decode/model"
	"proflens/names"
	"proflens/store"
)

// valueKindWords are the values of the parameter kind.
var valueKindWords = []string{"indirect", "memop", "vtable"}

var valueKeys = slices.Concat([]string{"kind"}, listingKeys)

// valueParams is a request for value sites.
type valueParams struct {
	listing
	Kind  model.ValueKind
	Given bool // kind was given
}

// parseValues reads a request for value sites. Errors are *paramError.
func parseValues(q url.Values) (valueParams, error) {
	v, err := newValues(q, valueKeys)
	if err != nil {
		return valueParams{}, err
	}
	word := choice(v, "kind", valueKindWords...)
	p := valueParams{Kind: model.ValueKind(slices.Index(valueKindWords, word)), Given: v.one("kind") != "", listing: v.listing()}
	return p, v.err
}

// listValues is GET /profiles/{id}/values: the value sites of one kind, those
// with the most frequent value first.
func (s *server) listValues(w http.ResponseWriter, r *http.Request) error {
	p, err := parseValues(r.URL.Query())
	if err != nil {
		return err
	}
	demangle := uncached(p.Names)
	if p.wanted(r) == FormatJSON {
		demangle = s.cached(p.Names)
	}
	return listRows(s, w, r, p.listing, func(ctx context.Context) (rowList[valueItem], error) {
		return valueList(ctx, s.profile(r), p, demangle)
	})
}

// valueItem is a value site with what its cells need.
type valueItem struct {
	*store.ValueRow
	namedItem
	kind   model.ValueKind
	total  float64 // of the kind
	detail functionDetail
}

func valueList(ctx context.Context, p Profile, v valueParams, demangle func(string) string) (rowList[valueItem], error) {
	return rowList[valueItem]{
		name: "-values", columns: valueColumns, text: valueTextColumns,
		read: func(ctx context.Context, offset, limit int) ([]valueItem, int, error) {
			page, err := p.Values(ctx, store.ValueQuery{Kind: v.Kind, Offset: offset, Limit: limit})
			if err != nil {
				return nil, 0, err
			}
			known, err := p.NamesOf(ctx, valueRefs(v.Kind, page.Rows, 255))
			if err != nil {
				return nil, 0, err
			}
			items := make([]valueItem, len(page.Rows))
			for i := range page.Rows {
				row := &page.Rows[i]
				items[i] = valueItem{ValueRow: row, namedItem: newNamedItem(row.NameRef, row.Name, demangle), kind: v.Kind, total: page.Total.Float64(),
					detail: functionDetail{params: recordParams{listing: v.listing}, targets: known, demangle: demangle}}
			}
			return items, page.All, nil
		},
	}, ctx.Err()
}

// valueRefs are the NameRefs among the first n values of sites.
func valueRefs(kind model.ValueKind, rows []store.ValueRow, n int) []uint64 {
	if kind == model.MemOPSize {
		return nil
	}
	var refs []uint64
	for i := range rows {
		for _, v := range rows[i].Values[:min(len(rows[i].Values), n)] {
			if v.Value != 0 {
				refs = append(refs, v.Value)
			}
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// valueColumns are all columns of the table of value sites.
var valueColumns = slices.Concat(
	[]column[valueItem]{{"kind", 23, func(v *valueItem) cell { return textOf(v.kind.String()) }}},
	nameColumnsOf(func(v *valueItem) *namedItem { return &v.namedItem }),
	[]column[valueItem]{
		{"func_hash", 16, func(v *valueItem) cell { return textOf(fid(v.FuncHash)) }},
		{"rank", 8, func(v *valueItem) cell { return intOf(uint64(v.Rank)) }},
		{"context_sensitive", 17, func(v *valueItem) cell { return boolOf(v.CS) }},
		{"index", 5, func(v *valueItem) cell { return intOf(uint64(v.Index)) }},
		{"sum", 20, func(v *valueItem) cell { return bigCountOf(v.Sum.String()) }},
		{"share", 8, func(v *valueItem) cell { return ratioOf(part(v.Sum.Float64(), v.total)) }},
		{"distinct", 8, func(v *valueItem) cell { return intOf(uint64(len(v.Values))) }},
		{"top_count", 20, func(v *valueItem) cell { return countOf(v.top().Count) }},
		{"top_share", 9, func(v *valueItem) cell { return ratioOf(part(float64(v.top().Count), v.Sum.Float64())) }},
		{"top", 0, (*valueItem).topName},
		{"values", 0, (*valueItem).values},
	})

var valueTextColumns = []string{"sum", "share", "top_count", "top_share", "index", "demangled", "top"}

// top is the most frequent value.
func (v *valueItem) top() model.Value {
	if len(v.Values) == 0 {
		return model.Value{}
	}
	return v.Values[0]
}

// topName is the most frequent value in words: a function, a vtable, sizes.
func (v *valueItem) topName() cell {
	if len(v.Values) == 0 {
		return cell{}
	}
	value := v.Values[0].Value
	if v.kind == model.MemOPSize {
		return textOf(memOPSize(value))
	}
	if name := v.detail.targets[value].Name; len(name) > 0 {
		_, linkage := names.Split(name)
		return textOf(v.detail.demangle(linkage))
	}
	return cell{}
}

// values is every value as the object of a function has it.
func (v *valueItem) values() cell {
	d := &v.detail
	d.b = append(d.b[:0], '[')
	for i, value := range v.Values {
		if i > 0 {
			d.b = append(d.b, ',')
		}
		d.value(v.kind, value)
	}
	return jsonOf(append(d.b, ']'))
}

// part is a share, 0 of nothing.
func part(of, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return of / whole
}
