package tables

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/query"
)

// MemProfClassWord is a class as scripts write it: the compiler's own words.
func MemProfClassWord(c analyze.MemProfClass) string {
	if c == analyze.MemProfNotCold {
		return "notcold"
	}
	return string(c)
}

// memprofFunction is a function of call stacks with what its cells need.
type memprofFunction struct {
	*memprofdb.Function // nil where there is none
	modules             []memprofdb.Module
	demangle            func(linkage string) string
}

// label is the function's name for people: demangled, or what stands for it.
func (f *memprofFunction) label() string {
	switch {
	case f.Function == nil:
		return ""
	case f.Name != "":
		return f.demangle(f.Name)
	case f.GUID != 0:
		return fmt.Sprintf("0x%016x", f.GUID)
	case f.moduleName() != "":
		return fmt.Sprintf("%s+0x%x", f.moduleName(), f.Address)
	case f.Address != 0:
		return fmt.Sprintf("0x%x", f.Address)
	}
	return "[unknown]"
}

// MemProfFunctionName is a function's name for people: demangled, or what stands
// for it in a profile with these modules.
func MemProfFunctionName(f *memprofdb.Function, modules []memprofdb.Module,
	demangle func(linkage string) string) string {
	function := memprofFunction{f, modules, demangle}
	return function.label()
}

// moduleName is the file of the function's module, or its build ID.
func (f *memprofFunction) moduleName() string {
	if f.Function == nil || f.Module < 0 || f.Module >= len(f.modules) {
		return ""
	}
	return ModuleName(f.modules, f.Module)
}

// ModuleName is what a module is called: its path where it ran, the file that
// was given for it, its build ID, or its number.
func ModuleName(modules []memprofdb.Module, index int) string {
	m := &modules[index]
	switch {
	case m.Path != "":
		return m.Path
	case m.File != "":
		return m.File
	case len(m.BuildID) > 0:
		return fmt.Sprintf("%x", m.BuildID)
	}
	return fmt.Sprintf("module %d", index)
}

// memprofFunctionColumns are the columns of a function, which all tables of heap
// profiles have alike. What is not known is null.
func memprofFunctionColumns[T any](item func(*T) memprofFunction) []Column[T] {
	has := func(value func(f *memprofFunction) Cell) func(*T) Cell {
		return func(row *T) Cell {
			f := item(row)
			if f.Function == nil {
				return Null
			}
			return value(&f)
		}
	}
	return []Column[T]{
		{"fid", 16, has(func(f *memprofFunction) Cell { return Hex(f.FID) })},
		{"function", 0, has(func(f *memprofFunction) Cell { return Text(f.label()) })},
		{"linkage_name", 0, has(func(f *memprofFunction) Cell {
			if f.Name == "" {
				return Null
			}
			return Text(f.Name)
		})},
		{"guid", 18, has(func(f *memprofFunction) Cell {
			if f.GUID == 0 {
				return Null
			}
			return Text(fmt.Sprintf("0x%016x", f.GUID))
		})},
		{"module", 0, has(func(f *memprofFunction) Cell {
			if f.moduleName() == "" {
				return Null
			}
			return Text(f.moduleName())
		})},
		{"address", 18, has(func(f *memprofFunction) Cell {
			if f.GUID != 0 || f.Name != "" {
				return Null
			}
			return Text(fmt.Sprintf("0x%x", f.Address))
		})},
	}
}

// Context is an allocation context with what its cells need.
type Context struct {
	*memprofdb.Row
	modules  []memprofdb.Module
	demangle func(linkage string) string
}

// NewContext makes a row of a context of a profile with these modules.
func NewContext(row *memprofdb.Row, modules []memprofdb.Module, demangle func(linkage string) string) Context {
	return Context{row, modules, demangle}
}

// leaf is the frame that allocates; nil in a stack without frames.
func (c *Context) leaf() *memprofdb.Frame {
	if len(c.Stack) == 0 {
		return nil
	}
	return &c.Stack[0]
}

func (c *Context) function() memprofFunction {
	f := memprofFunction{modules: c.modules, demangle: c.demangle}
	if leaf := c.leaf(); leaf != nil {
		f.Function = leaf.Function
	}
	return f
}

func openAllocations(ctx context.Context, p *memprofdb.Profile, o Options) (Table, error) {
	return Allocations(ctx, p, memprofdb.Query{}, o)
}

// Allocations is the allocation contexts that a query selects; its Offset and
// Limit do not count. The error is catalog.ErrNotFound for a profile without a
// heap profile.
func Allocations(ctx context.Context, p *memprofdb.Profile, q memprofdb.Query, o Options) (Table, error) {
	q.Limit = 0
	page, err := p.Contexts(ctx, q)
	if err != nil {
		return nil, err
	}
	modules, err := p.Modules(ctx)
	if err != nil {
		return nil, err
	}
	l := &List[Context]{Columns: ContextColumns, Text: contextText, Quote: o.Quote, Apart: true}
	l.Read = func(ctx context.Context, offset, limit int) (Step[Context], error) {
		q := q
		q.Offset, q.Limit = offset, limit
		page, err := p.Contexts(ctx, q)
		if err != nil {
			return Step[Context]{}, err
		}
		rows := make([]Context, len(page.Rows))
		for i := range page.Rows {
			rows[i] = Context{&page.Rows[i], modules, o.Demangle}
		}
		return Step[Context]{Rows: rows, Total: page.Matching}, nil
	}
	l.More = func(b []byte, _ []Column[Context]) []byte {
		b = strconv.AppendInt(append(b, `,"all":`...), int64(page.All), 10)
		b = appendMemProfTotals(append(b, `,"matching":{`...), &page.Totals, o.Quote)
		b = append(b, `},"classes":{`...)
		for i, class := range page.Classes {
			if i > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, `"%s":{"contexts":%d,"bytes":`, MemProfClassWord(analyze.MemProfClasses[i]), class.Contexts)
			b = append(appendBig(b, class.Bytes.String(), o.Quote), '}')
		}
		t := page.Thresholds
		return fmt.Appendf(b, `},"thresholds":{"cold_density":%g,"cold_lifetime":%g,"hot_density":%g}`, t.ColdDensity,
			t.ColdLifetime, t.HotDensity)
	}
	return l, nil
}

// appendMemProfTotals appends totals as members of an object.
func appendMemProfTotals(b []byte, t *analyze.MemProfTotals, quote bool) []byte {
	b = strconv.AppendUint(append(b, `"contexts":`...), t.Contexts, 10)
	for _, sum := range []struct {
		name  string
		value analyze.Sum
	}{
		{"bytes", t.Bytes}, {"count", t.Allocations}, {"accesses", t.Accesses}, {"total_lifetime", t.Lifetime},
		{"byte_ms", t.ByteMS},
	} {
		b = appendBig(fmt.Appendf(b, `,"%s":`, sum.name), sum.value.String(), quote)
	}
	return b
}

// memprofCell is a column of a context that memprofdb.Columns has, null where the
// profile lacks it.
func memprofCell(c query.Column) Column[Context] {
	return Column[Context]{string(c), 14, func(row *Context) Cell {
		if field, ok := memprofdb.Field(c); ok {
			v, known := row.MIB.Value(field)
			if !known {
				return Null
			}
			return Count(v)
		}
		v, known := row.Value(c)
		switch {
		case !known:
			return Null
		case c == memprofdb.ColIndex || c == memprofdb.ColDepth:
			return Int(uint64(v))
		case c == memprofdb.ColByteMS:
			m := &row.MIB
			return Count(analyze.ByteMilliseconds(m.Get(memprof.TotalSize), m.Get(memprof.TotalLifetime),
				m.Get(memprof.AllocCount)))
		}
		return Number(v)
	}}
}

// ContextColumns are all columns of allocation contexts, in the order in which
// an object has them.
var ContextColumns = slices.Concat(
	[]Column[Context]{
		memprofCell(memprofdb.ColIndex),
		{"context", 16, func(c *Context) Cell { return Hex(c.Context) }},
	},
	memprofFunctionColumns((*Context).function),
	[]Column[Context]{
		{"file", 0, func(c *Context) Cell {
			if leaf := c.leaf(); leaf != nil && leaf.File != "" {
				return Text(leaf.File)
			}
			return Null
		}},
		{"line", 8, func(c *Context) Cell {
			if leaf := c.leaf(); leaf != nil && leaf.Line != 0 {
				return Int(uint64(leaf.Line))
			}
			return Null
		}},
		{"site", 16, func(c *Context) Cell {
			if c.leaf() == nil {
				return Null
			}
			return Hex(c.Site)
		}},
		{"class", 7, func(c *Context) Cell { return Text(MemProfClassWord(c.Class)) }},
		{"mixed", 5, func(c *Context) Cell { return Bool(c.Mixed) }},
	},
	memprofCells(),
	[]Column[Context]{
		{"stack_id", 20, func(c *Context) Cell { return Count(c.StackID) }},
		{"stack", 0, func(c *Context) Cell { return JSON(c.AppendStack(nil)) }},
	})

// memprofCells are the numbers of a context.
func memprofCells() []Column[Context] {
	var list []Column[Context]
	for _, c := range memprofdb.Columns {
		if memprofdb.HasRange(c) && c != memprofdb.ColIndex {
			list = append(list, memprofCell(c))
		}
	}
	return list
}

// contextText fits a terminal.
var contextText = []string{"bytes", "count", "avg_size", "lifetime", "lifetime_density", "class", "context", "function"}

// AppendStack appends the call stack as a list of frames, leaf first.
func (c *Context) AppendStack(b []byte) []byte { return appendStack(b, c.Stack, c.modules, c.demangle) }

// stackBytes is how many bytes of a call stack have names. No real one has a tenth of
// it; a hostile one is a hundred thousand calls of a function with a very long name.
const stackBytes = 1 << 20

func appendStack(b []byte, stack []memprofdb.Frame, modules []memprofdb.Module, demangle func(string) string) []byte {
	b = append(b, '[')
	for i, start := 0, len(b); i < len(stack); i++ {
		if i > 0 {
			b = append(b, ',')
		}
		frame := stack[i]
		if len(b)-start > stackBytes && frame.Function != nil {
			frame.Function, frame.File = &memprofdb.Function{FID: frame.FID, GUID: frame.FID}, ""
		}
		b = AppendFrame(b, &frame, modules, demangle)
	}
	return append(b, ']')
}

// AppendFrame appends a frame as a JSON object. What is not known has no member.
func AppendFrame(b []byte, f *memprofdb.Frame, modules []memprofdb.Module, demangle func(string) string) []byte {
	function := memprofFunction{f.Function, modules, demangle}
	b = append(appendHex(append(b, `{"fid":"`...), f.FID), `","function":`...)
	b = AppendString(b, function.label())
	if f.Name != "" {
		b = AppendString(append(b, `,"linkage_name":`...), f.Name)
	}
	if f.GUID == 0 && f.Name == "" {
		if name := function.moduleName(); name != "" {
			b = AppendString(append(b, `,"module":`...), name)
			if id := modules[f.Module].BuildID; len(id) > 0 {
				b = fmt.Appendf(b, `,"build_id":"%x"`, id)
			}
		}
		b = fmt.Appendf(b, `,"address":"0x%x"`, f.Address)
	}
	if f.File != "" {
		b = AppendString(append(b, `,"file":`...), f.File)
	}
	for _, n := range []struct {
		name  string
		value uint32
	}{{"line", f.Line}, {"discriminator", f.Discriminator}} {
		if n.value != 0 {
			b = fmt.Appendf(b, `,"%s":%d`, n.name, n.value)
		}
	}
	b = strconv.AppendUint(append(b, `,"line_offset":`...), uint64(f.LineOffset), 10)
	b = strconv.AppendUint(append(b, `,"column":`...), uint64(f.Column), 10)
	return append(strconv.AppendBool(append(b, `,"inline":`...), f.Inline), '}')
}
