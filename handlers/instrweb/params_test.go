package instrweb_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/handlers/instrweb"
	"proflens/handlers/site"
	"proflens/internal/memtest"
	"proflens/names"
	"proflens/profile/instrdb"
	"proflens/profile/query"
	"proflens/profile/table"
)

func TestParseFunctions(t *testing.T) {
	yes, no := true, false
	plain := site.Listing{Limit: 100, Names: names.Full, All: true}
	tests := []struct {
		query string
		want  instrweb.FunctionParams
	}{
		{"", instrweb.FunctionParams{Query: instrdb.Query{Limit: 100}, Listing: plain}},
		// A form sends every field it has.
		{"q=&re=&class=&entry=&page=&sort=", instrweb.FunctionParams{Query: instrdb.Query{Limit: 100}, Listing: plain}},
		{
			"q=a+b&re=^x&path=src/", instrweb.FunctionParams{Query: instrdb.Query{Names: query.Names{Text: "a b", Regexp: "^x",
				Path: "src/"}, Limit: 100}, Listing: plain},
		},
		{
			"class=hot,warm&class=none&class=hot",
			instrweb.FunctionParams{
				Query:   instrdb.Query{Classes: []analyze.Class{analyze.Hot, analyze.Warm, analyze.NoClass}, Limit: 100},
				Listing: plain,
			},
		},
		{
			"executed=true&cs=no",
			instrweb.FunctionParams{Query: instrdb.Query{Executed: &yes, CS: &no, Limit: 100}, Listing: plain},
		},
		{"total=10..&zero=0&entry=..7&max=2..3", instrweb.FunctionParams{Query: instrdb.Query{Ranges: []query.Range{
			{Column: instrdb.ColTotal, Min: 10, Max: 1<<64 - 1}, {Column: instrdb.ColMax, Min: 2, Max: 3},
			{Column: instrdb.ColEntry, Max: 7}, {Column: instrdb.ColZero},
		}, Limit: 100}, Listing: plain}},
		{
			"hash=0x1f", instrweb.FunctionParams{Query: instrdb.Query{
				Ranges: []query.Range{{Column: instrdb.ColHash, Min: 31, Max: 31}}, Limit: 100}, Listing: plain},
		},
		{
			"sort=-total,name,-name", instrweb.FunctionParams{Query: instrdb.Query{Sort: []query.Key{{Column: instrdb.ColTotal,
				Desc: true}, {Column: instrdb.ColName}}, Limit: 100}, Listing: plain},
		},
		{
			"page=3&limit=50&sel=x", instrweb.FunctionParams{Query: instrdb.Query{Offset: 100, Limit: 50},
				Listing: site.Listing{Offset: 100, Limit: 50, Names: names.Full}, Sel: "x"},
		},
		{"cursor=130&names=short&counts=string&format=csv&cols=fid,total",
			instrweb.FunctionParams{Query: instrdb.Query{Offset: 130, Limit: 100},
				Listing: site.Listing{Offset: 130, Limit: 100, Names: names.Short, Counts: true, Format: table.FormatCSV,
					Cols: []string{"fid", "total"}}}},
		{"limit=0", instrweb.FunctionParams{Listing: site.Listing{Names: names.Full}}},
	}
	for _, test := range tests {
		q, err := url.ParseQuery(test.query)
		if err != nil {
			t.Fatal(err)
		}
		got, err := instrweb.ParseFunctions(q)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		if diff := cmp.Diff(test.want, got, cmp.AllowUnexported(instrweb.FunctionParams{}),
			cmp.AllowUnexported(site.Listing{})); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", test.query, diff)
		}
	}
}

func TestParseFunctionsRefuses(t *testing.T) {
	tests := []struct{ query, param, says string }{
		{"foo=1&q=x&bar", "bar", `unknown parameter "bar", "foo"; known parameters: q, re, path, class`},
		{"re=(", "re", "missing closing"},
		{"re=a{1000}{1000}", "re", "RE2"},
		{"q=" + strings.Repeat("a", 5000), "q", "4096 bytes"},
		{"class=lukewarm", "class", "hot, warm, cold, never, none"},
		{"executed=maybe", "executed", "true nor false"},
		{"entry=abc", "entry", "N.."},
		{"entry=..", "entry", "N.."},
		{"entry=9..3", "entry", "empty"},
		{"entry=18446744073709551616", "entry", "18446744073709551615"},
		{"entry=-1", "entry", "whole numbers"},
		{"entry=1&entry=2", "entry", "once"},
		{"hash=xyz", "hash", "hexadecimal"},
		{"sort=colour", "sort", "total, max, entry"},
		{"page=0", "page", "from 1"},
		{"page=99999999999999999999", "page", "whole number"},
		{"page=2&cursor=3", "cursor", "combined with page"},
		{"cursor=-1", "cursor", "whole number from 0"},
		{"limit=1001", "limit", "from 0 to 1000"},
		{"limit=ten", "limit", "whole number"},
		{"names=long", "names", "full, short, notemplates, mangled"},
		{"counts=words", "counts", "string"},
		{"format=xml", "format", "json, csv, ndjson, text"},
	}
	for _, test := range tests {
		q, _ := url.ParseQuery(test.query)
		_, err := instrweb.ParseFunctions(q)
		wrong, ok := errors.AsType[*site.ParamError](err)
		if !ok {
			t.Errorf("%s: error %v, want a paramError", test.query, err)
			continue
		}
		if wrong.Param != test.param || !strings.Contains(wrong.Error(), test.says) {
			t.Errorf("%s: %q of %q; want %q of %q", test.query, wrong.Error(), wrong.Param, test.says, test.param)
		}
	}
}

func TestParseRecord(t *testing.T) {
	q, _ := url.ParseQuery("counters=1000..1999&hash=ff&names=mangled")
	p, err := site.ParseRecord(q)
	if err != nil || p.From != 1000 || p.To != 1999 || p.Whole || p.Hash == nil || *p.Hash != 255 ||
		p.Names != names.Mangled {
		t.Errorf("%+v, %v", p, err)
	}
	p, err = site.ParseRecord(url.Values{})
	if err != nil || !p.Whole || p.From != 0 || p.To != 1<<64-1 || p.Hash != nil {
		t.Errorf("%+v, %v", p, err)
	}
}

func FuzzParseFunctions(f *testing.F) {
	for _, seed := range []string{
		"", "q=a&re=b&class=hot&entry=1..2&sort=-total,name&page=2", "limit=0&page=9", "hash=0x&cursor=1", "%zz&;",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		defer memtest.Watch(t, len(query))()
		q, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		p, err := instrweb.ParseFunctions(q)
		if err != nil {
			if _, ok := errors.AsType[*site.ParamError](err); !ok {
				t.Fatalf("error %v is not about a parameter", err)
			}
			return
		}
		if p.Offset < 0 || p.Limit < 0 || p.Limit > site.MaxLimit || p.Page() < 1 {
			t.Fatalf("%q gave position %d, limit %d, page %d", query, p.Offset, p.Limit, p.Page())
		}
		for _, r := range p.Query.Ranges {
			if r.Min > r.Max {
				t.Fatalf("%q gave the range %d..%d", query, r.Min, r.Max)
			}
		}
	})
}
