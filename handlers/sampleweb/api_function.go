package sampleweb

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"proflens/decode/sampleprof"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/sampledb"
	"proflens/profile/table"
)

// function is the function of an address, named as tables name it.
func (s *handler) function(ctx context.Context, r *http.Request) (*sampledb.Name, error) {
	guid, ok := site.ParseFID(chi.URLParam(r, "fid"))
	if !ok {
		return nil, site.ErrNoFunction
	}
	n, err := s.samples(r).ByGUID(ctx, guid)
	return n, site.OrAbsent(err, site.ErrNoFunction)
}

// named is its PGO name.
func (s *handler) named(ctx context.Context, r *http.Request) ([]byte, error) {
	n, err := s.function(ctx, r)
	if err != nil {
		return nil, err
	}
	return n.Linkage, nil
}

// countsOf is a function with all its contexts; of one that is only inlined, the sum of all
// places where it is; of one that is only called, or listed, nothing.
func countsOf(ctx context.Context, p *sampledb.Profile, n *sampledb.Name) (*sampleprof.Function, error) {
	f, err := p.Function(ctx, n)
	if err == nil && f == nil {
		f, err = p.Inlined(ctx, n)
	}
	if f == nil {
		f = &sampleprof.Function{}
	}
	return f, err
}

// functionObject is a function's figures, its records, what is inlined into it, and who calls
// whom. Of a function that is only inlined, the records of all places where it is are added up.
func (s *handler) functionObject(ctx context.Context, r *http.Request, q *site.RecordParams) ([]byte, error) {
	p := s.samples(r)
	n, err := s.function(ctx, r)
	if err != nil {
		return nil, err
	}
	f, err := countsOf(ctx, p, n)
	if err != nil {
		return nil, err
	}
	b := functionWriter{o: p.Overview, options: table.Options{Demangle: s.Cached(q.Names), Quote: q.Counts}}
	if b.names, err = p.Names(ctx); err != nil {
		return nil, err
	}
	b.b = sampledb.Functions.AppendObject(nil, n, &b.options)
	b.b = b.b[:len(b.b)-1]
	b.function(f, n.File, n.Line)
	b.b = fmt.Appendf(b.b, `,"left_out":{"records":%d,"targets":%d,"inlined_callees":%d,"vtables":%d}`, b.left.records,
		b.left.targets, b.left.callees, b.left.vtables)
	err = b.around(ctx, p, n.GUID)
	return append(b.b, "}\n"...), err
}

// How much the object of a function holds: bytes of records and callees, and rows of each
// other list. What is left out is counted, and tables have it.
const (
	functionBytes = 8 << 20
	functionRows  = 100
)

// functionWriter writes the object of a function.
type functionWriter struct {
	b       []byte
	o       *sampledb.Overview
	names   []sampledb.Name
	options table.Options
	left    struct{ records, targets, callees, vtables int }
}

// list writes a list of as many things as there is room for, and returns how many are left
// out.
func (w *functionWriter) list(key string, n int, write func(i int)) (left int) {
	w.b = append(w.b, `,"`+key+`":[`...)
	for i := range n {
		if len(w.b) > functionBytes {
			left = n - i
			break
		}
		if i > 0 {
			w.b = append(w.b, ',')
		}
		w.b = append(w.b, '{')
		write(i)
		w.b = append(w.b, '}')
	}
	w.b = append(w.b, ']')
	return left
}

func (w *functionWriter) count(key string, n uint64) {
	w.b = table.AppendCount(append(w.b, `,"`+key+`":`...), n, w.options.Quote)
}

// place begins an object with where a thing is.
func (w *functionWriter) place(at sampleprof.Loc, file string, declared uint32) {
	w.b = fmt.Appendf(w.b, `"offset":%d,"discriminator":%d,"line":`, at.Offset, at.Discriminator)
	line, ok := sampledb.LineOf(declared, at.Offset)
	if !ok || file == "" || w.o.Has(sampleprof.Probes) {
		w.b = append(w.b, "null"...)
		return
	}
	w.b = strconv.AppendUint(w.b, uint64(line), 10)
}

// name adds what a function, or a type, is called.
func (w *functionWriter) name(id sampleprof.NameID) {
	n := &w.names[id]
	w.b = fmt.Appendf(w.b, `,"fid":"%s","linkage_name":`, site.FID(n.GUID))
	if len(n.Linkage) == 0 {
		w.b = append(w.b, `null,"demangled":null`...)
		return
	}
	w.b = table.AppendString(w.b, string(n.Linkage))
	w.b = table.AppendString(append(w.b, `,"demangled":`...), w.options.Demangle(string(n.Linkage)))
}

// function adds the records, the callees and the vtables of a function that is declared
// somewhere, and returns the sum of its counts, also of those that are left out.
func (w *functionWriter) function(f *sampleprof.Function, file string, declared uint32) (sum uint64) {
	w.left.records += w.list("records", len(f.Body), func(i int) {
		r := &f.Body[i]
		w.place(r.Loc, file, declared)
		w.count("count", r.Count)
		whole := uint64(0)
		for _, t := range r.Targets {
			whole = sampleprof.Add(whole, t.Count)
		}
		w.left.targets += w.list("targets", len(r.Targets), func(i int) {
			t := r.Targets[i]
			w.b = fmt.Appendf(w.b, `"share":%g`, humanize.Part(t.Count, whole))
			w.name(t.Name)
			w.count("count", t.Count)
		})
	})
	for i := range f.Body {
		sum = sampleprof.Add(sum, f.Body[i].Count)
	}
	left := w.list("inlined_callees", len(f.Sites), func(i int) {
		callee := f.Sites[i].Callee
		w.place(f.Sites[i].Loc, file, declared)
		w.name(callee.Name)
		w.count("total", callee.Total)
		if callee.Checksum != 0 {
			w.count("checksum", callee.Checksum)
		} else {
			w.b = append(w.b, `,"checksum":null`...)
		}
		n := &w.names[callee.Name]
		inside := w.function(callee, n.File, n.Line)
		w.count("sum", inside)
		sum = sampleprof.Add(sum, inside)
	})
	for _, s := range f.Sites[len(f.Sites)-left:] {
		sum = sampleprof.Add(sum, sumOf(s.Callee))
	}
	w.left.callees += left
	w.left.vtables += w.list("vtables", len(f.VTables), func(i int) {
		w.place(f.VTables[i].Loc, file, declared)
		w.name(f.VTables[i].Type)
		w.count("count", f.VTables[i].Count)
	})
	return sum
}

// around adds the first page of the contexts of a function, of its callers and of its
// callees: the heaviest.
func (w *functionWriter) around(ctx context.Context, p *sampledb.Profile, guid uint64) error {
	contexts, err := p.FindEntries(ctx, guid, false)
	if err != nil {
		return err
	}
	callers, err := p.FindEdges(ctx, 0, guid)
	if err != nil {
		return err
	}
	callees, err := p.FindEdges(ctx, guid, 0)
	if err != nil {
		return err
	}
	for _, t := range []struct {
		key   string
		table table.Table
	}{
		{"calling_contexts", sampledb.EntryRows.Open(contexts, table.Query{}, w.options, true)},
		{"callers", sampledb.Edges.Open(callers, table.Query{}, w.options, true)},
		{"callees", sampledb.Edges.Open(callees, table.Query{}, w.options, true)},
	} {
		rows, err := t.table.Select(nil, table.FormatJSON)
		if err != nil {
			return err
		}
		var page bytes.Buffer
		if _, err := rows.Page(ctx, &page, 0, functionRows); err != nil {
			return err
		}
		w.b = append(append(w.b, `,"`+t.key+`":`...), bytes.TrimSpace(page.Bytes())...)
	}
	return nil
}
