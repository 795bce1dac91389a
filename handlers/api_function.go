package handlers

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"proflens/decode/model"
	"proflens/names"
	"proflens/store"
)

// getFunction is GET /profiles/{id}/functions/{fid}: every record of the name,
// with its counters, value sites and bitmap. counters=from..to cuts the lists
// of counters, both ends inclusive.
func (s *server) getFunction(w http.ResponseWriter, r *http.Request) error {
	p, err := parseRecord(r.URL.Query())
	if err != nil {
		return err
	}
	ref, ok := parseFID(chi.URLParam(r, "fid"))
	if !ok {
		return fmt.Errorf("%w: a fid is a NameRef in 16 lower-case hexadecimal digits", errNoFunction)
	}
	if p.Format != "" && p.Format != FormatJSON {
		return &paramError{Param: "format", Msg: "one function is written as json only"}
	}
	if s.notModified(w, r, "") {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	records, err := s.profile(r).Function(ctx, ref)
	if errors.Is(err, store.ErrNotFound) {
		return errNoFunction
	}
	if err != nil {
		return err
	}
	targets, err := s.profile(r).NamesOf(ctx, targetsOf(records))
	if err != nil {
		return err
	}
	o, err := s.profile(r).Overview(ctx)
	if err != nil {
		return err
	}
	if o.Storing {
		unsettled(w)
	}
	d := functionDetail{params: p, targets: targets, demangle: s.cached(p.Names)}
	body := d.write(records, functionItems(o, nil, d.demangle))
	w.Header().Set("Content-Type", "application/json")
	w.Write(body)
	return nil
}

// targetsOf lists the NameRefs that value sites recorded as targets.
func targetsOf(records []store.FunctionRecord) []uint64 {
	var refs []uint64
	seen := map[uint64]bool{}
	for i := range records {
		for _, kind := range []model.ValueKind{model.IndirectCallTarget, model.VTableTarget} {
			for _, site := range records[i].Sites[kind] {
				for _, v := range site {
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
	params   recordParams
	targets  map[uint64]store.NameInfo
	demangle func(linkage string) string
	b        []byte
}

// nameColumns are what the records of a function have in common.
var nameColumns = []string{"fid", "name", "name_hex", "linkage_name", "demangled", "path"}

func (d *functionDetail) write(records []store.FunctionRecord, item func(*store.FunctionRow) *functionItem) []byte {
	common, _ := pickColumns(functionColumns, nil, nameColumns)
	whole, _ := pickColumns(functionColumns, nil, objectColumns)
	object := jsonObject(nil, headOf(common, false), cellsOf(common, item(&records[0].FunctionRow)), appendString)
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
		d.b = jsonObject(d.b, headOf(whole, d.params.Counts), cellsOf(whole, item(&r.FunctionRow)), appendString)
		d.b = d.b[:len(d.b)-1]
		d.counters(r.Counters)
		d.sites(r)
		d.b = append(d.b, `,"bitmap":`...)
		if len(r.Bitmap) == 0 {
			d.b = append(d.b, "null}"...)
		} else {
			d.b = append(hex.AppendEncode(append(d.b, '"'), r.Bitmap), '"', '}')
		}
	}
	return append(d.b, ']', '}', '\n')
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
		d.count(c)
	}
	d.b = append(d.b, ']')
}

// count writes an exact integer, quoted by counts=string.
func (d *functionDetail) count(n uint64) {
	if d.params.Counts {
		d.b = append(strconv.AppendUint(append(d.b, '"'), n, 10), '"')
		return
	}
	d.b = strconv.AppendUint(d.b, n, 10)
}

// sites writes the value sites, each with its kind and its index in that kind.
func (d *functionDetail) sites(r *store.FunctionRecord) {
	d.b = append(d.b, `,"sites":[`...)
	first := true
	for kind := range model.ValueKind(model.NumValueKinds) {
		for i, site := range r.Sites[kind] {
			if !first {
				d.b = append(d.b, ',')
			}
			first = false
			d.b = fmt.Appendf(d.b, `{"kind":"%s","index":%d,"values":[`, kind, i)
			for j, v := range site {
				if j > 0 {
					d.b = append(d.b, ',')
				}
				d.value(kind, v)
			}
			d.b = append(d.b, ']', '}')
		}
	}
	d.b = append(d.b, ']')
}

// value writes a value with its count. A target has its NameRef as fid and,
// where the profile knows it, its name; it has a page if it has a record.
func (d *functionDetail) value(kind model.ValueKind, v model.Value) {
	d.b = append(d.b, `{"value":`...)
	d.count(v.Value)
	d.b = append(d.b, `,"count":`...)
	d.count(v.Count)
	if kind != model.MemOPSize {
		d.b = append(d.b, `,"target":`...)
		d.target(v.Value)
	}
	d.b = append(d.b, '}')
}

func (d *functionDetail) target(ref uint64) {
	if ref == 0 { // the runtime saw an address that is no instrumented function's
		d.b = append(d.b, "null"...)
		return
	}
	info := d.targets[ref]
	d.b = fmt.Appendf(d.b, `{"fid":"%s","has_record":%t`, fid(ref), info.HasRecord)
	if len(info.Name) > 0 {
		_, linkage := names.Split(info.Name)
		d.b = appendString(append(d.b, `,"name":`...), string(info.Name))
		d.b = appendString(append(d.b, `,"linkage_name":`...), linkage)
		d.b = appendString(append(d.b, `,"demangled":`...), d.demangle(linkage))
	}
	d.b = append(d.b, '}')
}
