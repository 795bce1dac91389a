package handlers

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"proflens/store"
)

// treeItem is a node at its depth below the one asked for.
type treeItem struct {
	store.TreeNode
	depth int
}

// treeColumns are the columns of both tables in every format.
var treeColumns = []column[treeItem]{
	{"depth", 5, func(n *treeItem) cell { return intOf(uint64(n.depth)) }},
	{"kind", 6, func(n *treeItem) cell { return textOf(string(n.Kind)) }},
	{"path", 0, func(n *treeItem) cell { return textOf(n.Path) }},
	{"filter", 0, func(n *treeItem) cell { return textOf(n.Filter) }},
	{"functions", 9, func(n *treeItem) cell { return countOf(n.Functions) }},
	{"executed", 9, func(n *treeItem) cell { return countOf(n.Executed) }},
	{"never", 9, func(n *treeItem) cell { return countOf(never(&n.Totals)) }},
	{"executed_share", 14, func(n *treeItem) cell { return ratioOf(executedShare(&n.Totals)) }},
	{"counters", 9, func(n *treeItem) cell { return countOf(n.Counters) }},
	{"zero", 9, func(n *treeItem) cell { return countOf(n.Zero) }},
	{"counters_share", 14, func(n *treeItem) cell { return ratioOf(countersShare(&n.Totals)) }},
	{"total", 20, func(n *treeItem) cell { return bigCountOf(n.Total.String()) }},
	{"share", 14, func(n *treeItem) cell { return ratioOf(n.Share) }},
}

// The columns that are shown without being asked for. Text ends with what has
// no width.
var (
	usualTreeColumns = []string{
		"depth", "kind", "path", "filter", "functions", "executed", "never", "executed_share", "counters", "zero", "counters_share", "total", "share",
	}
	textTreeColumns = []string{"functions", "executed", "counters", "zero", "total", "path"}
)

// getTree is GET /profiles/{id}/tree: the nodes below one, down to a depth.
func (s *server) getTree(w http.ResponseWriter, r *http.Request) error {
	p, err := parseTree(r.URL.Query(), treeKeys)
	if err != nil {
		return err
	}
	return s.treeAnswer(w, r, p, "-tree", func(t *store.Tree, n store.TreeNode, visit func(*treeItem) bool) {
		walkNodes(t, n, &p, 1, visit)
	})
}

// getCoverage is GET /profiles/{id}/coverage: the files or namespaces that have
// functions, each with its own alone.
func (s *server) getCoverage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseTree(r.URL.Query(), coverageKeys)
	if err != nil {
		return err
	}
	p.Depth = maxTreeDepth
	return s.treeAnswer(w, r, p, "-coverage", func(t *store.Tree, n store.TreeNode, visit func(*treeItem) bool) {
		if n.Kind != store.Branch {
			visit(&treeItem{TreeNode: n})
			return
		}
		walkNodes(t, n, &p, 1, func(item *treeItem) bool { return item.Kind == store.Branch || visit(item) })
	})
}

// walkNodes visits what is below a node in preorder until visit says no.
func walkNodes(t *store.Tree, of store.TreeNode, p *treeParams, depth int, visit func(*treeItem) bool) bool {
	if depth > p.Depth {
		return true
	}
	list := t.Children(of)
	sortNodes(list, p.Sort)
	for i := range list {
		if !visit(&treeItem{list[i], depth}) || !walkNodes(t, list[i], p, depth+1, visit) {
			return false
		}
	}
	return true
}

// treeAnswer writes what walk visits, in the format that is wanted: a page of
// it as JSON, all of it as rows unless a page is asked for.
func (s *server) treeAnswer(w http.ResponseWriter, r *http.Request, p treeParams, name string,
	walk func(t *store.Tree, n store.TreeNode, visit func(*treeItem) bool),
) error {
	format := p.wanted(r)
	usual := usualTreeColumns
	if format == FormatText {
		usual = textTreeColumns
	}
	columns, err := pickColumns(treeColumns, p.Cols, usual)
	if err != nil {
		return err
	}
	if s.notModified(w, r, string(format)) {
		return nil
	}
	ctx, cancel := s.requestContext(r)
	defer cancel()
	o, err := s.profile(r).Overview(ctx)
	if err != nil {
		return err
	}
	if o.Storing {
		return s.notReady(w, r)
	}
	t, err := s.wholeTree(ctx, r, &p, format != FormatJSON)
	if err != nil {
		return err
	}
	if !t.Complete {
		unsettled(w)
	}
	node, _, ok := t.Find(p.Path)
	if !ok && t.Complete {
		return noNode(&p)
	}
	if !ok { // it may come yet
		node, walk = store.TreeNode{Kind: store.Leaf, Path: p.Path}, func(*store.Tree, store.TreeNode, func(*treeItem) bool) {}
	}
	if format == FormatJSON {
		return treeJSON(ctx, w, &p, t, node, columns, walk)
	}
	out, err := newRowWriter(w, format, fileName(s.entry(r).Name, name), headOf(columns, p.Counts))
	if err != nil {
		return err
	}
	rows, at := 0, 0
	walk(t, node, func(item *treeItem) bool {
		if at++; !p.All && (at <= p.Offset || rows >= p.Limit) {
			return at <= p.Offset
		}
		rows++
		err = out.row(cellsOf(columns, item))
		return err == nil && ctx.Err() == nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = out.end(rows)
	}
	if err != nil {
		return cutOff(err)
	}
	return nil
}

// treeJSON writes a page of nodes in the envelope of lists, with the node that
// they are below.
func treeJSON(ctx context.Context, w http.ResponseWriter, p *treeParams, t *store.Tree, node store.TreeNode, columns []column[treeItem],
	walk func(t *store.Tree, n store.TreeNode, visit func(*treeItem) bool),
) error {
	h := headOf(columns, p.Counts)
	b := []byte(`{"by":"` + string(p.By) + `","node":`)
	b = jsonObject(b, h, cellsOf(columns, &treeItem{TreeNode: node}), appendString)
	b = append(b, `,"items":[`...)
	at, shown := 0, 0
	walk(t, node, func(item *treeItem) bool {
		if at >= p.Offset && shown < p.Limit {
			if shown > 0 {
				b = append(b, ',')
			}
			b = jsonObject(b, h, cellsOf(columns, item), appendString)
			shown++
		}
		at++
		return ctx.Err() == nil
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	next := "null"
	if p.Offset+shown < at && shown > 0 {
		next = strconv.Quote(strconv.Itoa(p.Offset + shown))
	}
	b = fmt.Appendf(b, `],"next_cursor":%s,"total":%d,"all":%d,"complete":%t`, next, at, t.All, t.Complete)
	if !t.Complete {
		b = fmt.Appendf(b, `,"scanned":%d`, t.Scanned)
	}
	if t.Crowded {
		b = append(b, `,"crowded":true`...)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(append(b, '}', '\n'))
	return nil
}

// wholeTree is a profile's tree; to the end, it asks again and again until all
// names are in it, since an export shows no half results.
func (s *server) wholeTree(ctx context.Context, r *http.Request, p *treeParams, toTheEnd bool) (*store.Tree, error) {
	for {
		t, err := s.profile(r).Tree(ctx, p.By, p.Rewrite)
		if err != nil || t.Complete || !toTheEnd {
			return t, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// noNode says that there is no such path.
func noNode(p *treeParams) error {
	what := "file path"
	if p.By == store.ByNamespace {
		what = "namespace"
	}
	return &problem{Status: http.StatusNotFound, Kind: "not_found", Title: "No such " + what,
		Detail: fmt.Sprintf("the profile has no functions in the %s %q", what, p.Path)}
}
