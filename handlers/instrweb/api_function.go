package instrweb

import (
	"context"
	"encoding/hex"
	"fmt"
	"math/bits"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"proflens/decode/instrprof"
	"proflens/handlers/site"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// getFunction is GET /profiles/{id}/functions/{fid}: every record of the name, as far as
// instrdb gives them at once, with its counters, value sites and bitmap. counters=from..to cuts the lists
// of counters, both ends inclusive. As CSV, NDJSON or text it is a table of the
// counters, in order or by count.
func (s *handler) getFunction(w http.ResponseWriter, r *http.Request) error {
	p, err := parseFunction(r.URL.Query(), counterColumns)
	if err != nil {
		return err
	}
	ref, err := refOf(r)
	if err != nil {
		return err
	}
	if p.Format != "" && p.Format != table.FormatJSON {
		return s.listCounters(w, r, ref, p)
	}
	if s.NotModified(w, r, "") {
		return nil
	}
	ctx := s.RequestContext(r)
	records, all, err := readFunction(ctx, s.records(r), ref, p.Hash)
	if err != nil {
		return err
	}
	targets, err := s.records(r).NamesOf(ctx, targetsOf(records))
	if err != nil {
		return err
	}
	o := s.records(r).Overview
	if s.Profile(r).Storing() {
		site.Unsettled(w)
	}
	d := functionDetail{params: p.RecordParams, overview: o, all: all}
	d.options, d.targets = table.Options{Demangle: s.Cached(p.Names), Quote: p.Counts}, targets
	body := d.write(records)
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
	return nil
}

// listCounters answers with the counters of a function as a table.
func (s *handler) listCounters(w http.ResponseWriter, r *http.Request, ref uint64, p functionParams) error {
	return s.ListTable(w, r, p.Listing, "-counters",
		func(ctx context.Context, o table.Options, _ bool) (table.Table, error) {
			records, _, err := readFunction(ctx, s.records(r), ref, p.Hash)
			if err != nil {
				return nil, err
			}
			q := instrdb.CounterQuery{
				Hash: p.Hash, From: p.From, To: p.To, ByCount: len(p.Sort) > 0 && p.byCount(false), Up: !p.descending(),
			}
			return instrdb.Counters.Whole(table.Set{Rows: q.Of(records)}, o), nil
		})
}

// named is the PGO name of the function of an address.
func (s *handler) named(ctx context.Context, r *http.Request) ([]byte, error) {
	ref, err := refOf(r)
	if err != nil {
		return nil, err
	}
	records, _, err := readFunction(ctx, s.records(r), ref, nil)
	if err != nil {
		return nil, err
	}
	return []byte(records[0].PGO), nil
}

// refOf is the NameRef of an address.
func refOf(r *http.Request) (uint64, error) {
	ref, ok := site.ParseFID(chi.URLParam(r, "fid"))
	if !ok {
		return 0, fmt.Errorf("%w: a fid is a NameRef in 16 lower-case hexadecimal digits", site.ErrNoFunction)
	}
	return ref, nil
}

// targetsOf lists the NameRefs that value sites recorded as targets.
func targetsOf(records []instrdb.Record) []uint64 {
	var refs []uint64
	seen := map[uint64]bool{}
	for i := range records {
		for _, kind := range []instrprof.ValueKind{instrprof.IndirectCallTarget, instrprof.VTableTarget} {
			for _, values := range records[i].Sites[kind] {
				for _, v := range values {
					if v.Value != 0 && !seen[v.Value] {
						seen[v.Value] = true
						refs = append(refs, v.Value)
					}
				}
			}
		}
	}
	return refs
}

// functionDetail writes the object of one function. It is written by hand, for
// a function may have a million counters.
type functionDetail struct {
	params   site.RecordParams
	overview *instrdb.Overview
	all      int // records of the name
	options  table.Options
	targets  map[uint64]instrdb.NameInfo // of values, by NameRef
	b        []byte
}

func (d *functionDetail) write(records []instrdb.Record) []byte {
	object := table.Names.AppendObject(nil, &records[0].Name, &d.options)
	d.b = append(object[:len(object)-1], `,"records":[`...)
	first := true
	for i := range records {
		r := &records[i]
		if hash := d.params.Hash; hash != nil && r.FuncHash != *hash {
			continue
		}
		if !first {
			d.b = append(d.b, ',')
		}
		first = false
		d.b = instrdb.Functions.AppendObject(d.b, &r.Row, &d.options)
		d.b = d.b[:len(d.b)-1]
		d.counters(r.Counters)
		d.sites(r)
		d.b = append(d.b, `,"bitmap":`...)
		if len(r.Bitmap) == 0 {
			d.b = append(d.b, `null,"mcdc":null}`...)
		} else {
			d.b = append(hex.AppendEncode(append(d.b, '"'), r.Bitmap), '"')
			d.mcdc(r.Bitmap)
			d.b = append(d.b, '}')
		}
	}
	d.b = append(d.b, ']')
	if d.all > instrdb.MostRecords || d.params.Hash == nil && d.all > len(records) {
		d.b = strconv.AppendInt(append(d.b, `,"total":`...), int64(d.all), 10)
	}
	return append(d.b, '}', '\n')
}

// counters writes those of the range, and where the range begins.
func (d *functionDetail) counters(all []uint64) {
	from := min(d.params.From, uint64(len(all)))
	to := uint64(len(all))
	if d.params.To < to {
		to = d.params.To + 1
	}
	d.b = append(d.b, `,"counter_values_from":`...)
	d.b = strconv.AppendUint(d.b, from, 10)
	d.b = append(d.b, `,"counter_values":[`...)
	for i, c := range all[from:max(from, to)] {
		if i > 0 {
			d.b = append(d.b, ',')
		}
		d.b = table.AppendCount(d.b, c, d.params.Counts)
	}
	d.b = append(d.b, ']')
}

// sites writes the value sites, each with its kind and its index in that kind.
func (d *functionDetail) sites(r *instrdb.Record) {
	d.b = append(d.b, `,"sites":[`...)
	first := true
	for kind := range instrprof.ValueKind(instrprof.NumValueKinds) {
		for i, values := range r.Sites[kind] {
			if !first {
				d.b = append(d.b, ',')
			}
			first = false
			d.b = fmt.Appendf(d.b, `{"kind":"%s","index":%d,"values":[`, kind, i)
			for j, v := range values {
				if j > 0 {
					d.b = append(d.b, ',')
				}
				d.b = instrdb.AppendValue(d.b, kind, v, d.targets, &d.options)
			}
			d.b = append(d.b, ']', '}')
		}
	}
	d.b = append(d.b, ']')
}

// mcdc writes the numbers of the bits that are set, and what the bits stand for.
func (d *functionDetail) mcdc(bitmap []byte) {
	layout := "null"
	if l := d.overview.Info.BitmapLayout(); l != instrprof.UnknownLayout {
		layout = strconv.Quote(string(l))
	}
	d.b = fmt.Appendf(d.b, `,"mcdc":{"layout":%s,"bits":%d,"set":[`, layout, 8*len(bitmap))
	first := true
	for i, b := range bitmap {
		for ; b != 0; b &= b - 1 {
			if !first {
				d.b = append(d.b, ',')
			}
			first = false
			d.b = strconv.AppendInt(d.b, int64(8*i+bits.TrailingZeros8(b)), 10)
		}
	}
	d.b = append(d.b, ']', '}')
}
