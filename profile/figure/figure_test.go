package figure_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/internal/humanize"
	"proflens/profile/figure"
)

type totals struct {
	Runs  int         `api:"runs"`
	Bytes analyze.Sum `api:"bytes"`
}

type part string

type kinds [2]uint64

func (k kinds) API() any { return map[string]uint64{"b": k[0], "a": k[1]} }

// overview is one with a field of every sort that families have.
type overview struct {
	totals
	Mark   uint32       `api:"mark,hex"`
	Lost   uint64       `api:"lost,exact,after=runs"`
	Kinds  kinds        `api:"kinds"`
	Files  []string     `api:"files"`
	Hosts  []string     `api:"hosts,len"`
	ID     []byte       `api:"id,null"`
	Note   string       `api:"note,omitempty"`
	Time   *int         `api:"time"`
	Hot    uint64       `api:"hot,optional"`
	Parts  map[part]int `api:"parts"`
	Hidden int
}

func (o *overview) Tells(field string) bool { return field != "Hot" }

func example() *overview {
	return &overview{
		totals: totals{Runs: 12345, Bytes: analyze.Sum{Hi: 1, Lo: 5}}, Mark: 0xab, Lost: 9007199254740993, Kinds: kinds{3, 1},
		Hosts: []string{"x", "y"}, Hot: 7, Parts: map[part]int{"<b>": 1},
	}
}

// The members of the API's object are the fields that have a name there, in their order.
func TestObject(t *testing.T) {
	for quote, want := range map[bool]string{
		false: `{"o":{"runs":12345,"lost":9007199254740993,"bytes":18446744073709551621,"mark":"0x000000ab","kinds":{"a":1,"b":3},"files":[],"hosts":2,"id":null,"time":null,"hot":null,"parts":{"<b>":1}}}`,
		true:  `{"o":{"runs":12345,"lost":"9007199254740993","bytes":"18446744073709551621","mark":"0x000000ab","kinds":{"a":1,"b":3},"files":[],"hosts":2,"id":null,"time":null,"hot":null,"parts":{"<b>":1}}}`,
	} {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(figure.Object{Name: "o", Of: example(), Quote: quote}); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != want {
			t.Errorf("counts as strings %v:\n%s, want\n%s", quote, got, want)
		}
	}
	full := example()
	full.ID, full.Note, full.Time = []byte{0xbe, 0xef}, "n", new(4)
	b, err := json.Marshal(figure.Object{Of: full})
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(b, &members); err != nil || members["id"] != "beef" || members["note"] != "n" ||
		members["time"] != 4.0 {
		t.Errorf("%s, %v", b, err)
	}
}

// A value is a field, or what several come to.
func TestValue(t *testing.T) {
	o := example()
	for expr, want := range map[string]string{
		"Runs": "12345", "Bytes": "18446744073709551621", "Hosts": "2", "Kinds.0": "3", "Kinds.0+Kinds.1": "4",
		"Runs-Kinds.0": "12342", "Parts.<b>": "1", "Parts.none": "0",
		"Bytes+Lost-Runs": "18455751272964280269", "": "0",
	} {
		if got := figure.Value(o, expr).String(); got != want {
			t.Errorf("%s is %s, want %s", expr, got, want)
		}
	}
	o.Hidden = -1
	if got := figure.Value(o, "Hidden"); !got.IsZero() {
		t.Errorf("what is not there is %v", got)
	}
}

// Texts have figures in braces.
func TestSay(t *testing.T) {
	o := example()
	for text, want := range map[string][2]string{
		"plain":                  {"plain", "plain"},
		"{Runs} runs":            {"12\u00a0345 runs", "12345 runs"},
		"{Runs|# run|# runs}":    {"12\u00a0345 runs", "12345 runs"},
		"{Kinds.1|# a|# as}!":    {"1 a!", "1 a!"},
		"{Hidden|# a|# as}":      {"0 as", "0 as"},
		"{Hidden|no a|# a|# as}": {"no a", "no a"},
		"{Kinds.1|no a|# a|b}":   {"1 a", "1 a"},
		"{Kinds.0|no a|# a|b}":   {"b", "b"},
		"/x{Hidden??a=b}":        {"/x", "/x"},
		"/x{Runs??a=b}":          {"/x?a=b", "/x?a=b"},
		"{Runs?some|none}":       {"some", "some"},
		"{Hidden?some|none}":     {"none", "none"},
		"{Kinds.0/Runs} {Kinds.1/Kinds.0} {Hidden/Hidden}": {"<\u00a00.1\u00a0% 33.3\u00a0% 0\u00a0%", "0.0 % 33.3 % 0.0 %"},
		"{Runs/Runs}":          {"100\u00a0%", "100.0 %"},
		"{Runs-Kinds.1/Runs}!": {">\u00a099.9\u00a0%!", "99.9 %!"},
	} {
		for i, w := range []figure.Words{figure.Page, figure.Terminal} {
			if got := w.Say(text, o); got != want[i] {
				t.Errorf("%q on a %s is %q, want %q", text, w, got, want[i])
			}
		}
	}
}

// A list shows the figures of its names, in their order, and leaves out what is not told.
func TestShow(t *testing.T) {
	list := figure.Declare(figure.List{
		Head: `figure:"part" says:"of runs"`,
		Figures: []string{
			`name:"runs" label:"Runs" one:"run" of:"Runs" unit:"count" url:"/runs" how:"h"
				title:"t"`,
			`name:"part" label:"Part" of:"Kinds.0" whole:"Runs" text:"a part"`,
			`name:"share" label:"Of {Runs}" of:"Kinds.1" whole:"Kinds.0" unit:"share" note:"n" text-note:"m"`,
			`name:"bytes" label:"Bytes" of:"Lost" unit:"bytes" aside:"a"`,
			`name:"time" label:"Time" of:"Lost" unit:"ms"`,
			`name:"least" label:"Least" of:"Runs" unit:"least"`,
			`name:"hot" label:"Hot" of:"Hot"`,
		},
	})
	type line struct{ Label, Value, Note, URL string }
	lines := func(names string, w figure.Words) (got []line) {
		for _, s := range list.Show(names, example(), w) {
			got = append(got, line{s.Label, s.Value.Text, s.Note, s.URL})
		}
		return got
	}
	const nbsp = "\u00a0"
	if diff := gocmp.Diff([]line{
		{"Part", "3", "of 12" + nbsp + "345, <" + nbsp + "0.1" + nbsp + "%", ""}, {"Runs", "12.3" + nbsp + "k", "", "/runs"},
		{"Of 12" + nbsp + "345", "33.3" + nbsp + "%", "n", ""}, {"Bytes", "8.0" + nbsp + "PiB", "", ""},
		{"Least", "≥ 12" + nbsp + "345", "", ""}, {"Hot", "7", "", ""},
	}, lines("part runs share bytes least hot? hot", figure.Page)); diff != "" {
		t.Error(diff)
	}
	if diff := gocmp.Diff([]line{
		{"a part", "3", "of 12345, 0.0 %", ""}, {"runs", "12345", "", "/runs"}, {"of 12345", "1", "m", ""},
		{"bytes", "9007199254740993", "", ""},
	}, lines("part runs share bytes hot?", figure.Terminal)); diff != "" {
		t.Error(diff)
	}
	part, whole := list.HeadOf(example())
	head := list.SayHead(part, whole)
	if head.Text != "<"+nbsp+"0.1"+nbsp+"% of runs" || head.Exact != "3 of 12"+nbsp+"345 a part" ||
		list.SayHead(0, 0) != (humanize.Number{}) {
		t.Errorf("lists say %+v", head)
	}
	shown := list.Show("runs bytes", example(), figure.Page)
	if s := shown[0]; s.Name != "runs" || s.One != "run" || s.How != "h" || s.Title != "t" ||
		s.Value.Exact != "12"+nbsp+"345" || shown[1].Aside != "a" {
		t.Errorf("%+v", shown)
	}
}

// What lists keep of a profile is said in the words of its family.
func TestKept(t *testing.T) {
	list := figure.Declare(figure.List{
		Functions: `one:"procedure" many:"procedures" unit:"count"`,
		Total:     `one:"sample" many:"samples" none:"no samples" exact:"sample in all|samples in all"`,
	})
	const nbsp = "\u00a0"
	for total, want := range map[string]humanize.Number{
		"0": {Text: "–", Exact: "no samples"}, "": {Text: "–", Exact: "no samples"},
		"1": {Text: "1 sample", Exact: "1 sample in all"},
	} {
		functions, got := list.Kept(12345, total)
		if got != want || functions.Text != "12.3"+nbsp+"k procedures" || functions.Exact != "12"+nbsp+"345 procedures" {
			t.Errorf("%q: %+q, of %+q", total, got, functions)
		}
	}
	if functions, total := figure.Declare(figure.List{}).Kept(1, "2"); functions != total ||
		total != (humanize.Number{}) {
		t.Errorf("a family that keeps nothing says %+v, %+v", functions, total)
	}
}

// Several members can have another place.
func TestPlacesOfMembers(t *testing.T) {
	type row struct {
		A int `api:"a"`
		B int `api:"b"`
		C int `api:"c"`
		D int `api:"d,after=b"`
		E int `api:"e,after=a"`
	}
	names := ""
	for _, m := range figure.Members(reflect.TypeFor[row]()) {
		names += m.Name
	}
	if names != "aebdc" {
		t.Errorf("they stand as %s", names)
	}
}

// A declaration that nobody would read as it is meant panics at start.
func TestDeclare(t *testing.T) {
	for _, wrong := range []figure.List{
		{Figures: []string{`label:"Runs" off:"Runs"`}}, {Figures: []string{`label:"Runs" of:"Runs" more`}},
		{Figures: []string{`label:"Runs" aside:""`}}, {Figures: []string{`label="Runs"`}},
		{Figures: []string{`label:"Runs" many:"runs"`}}, {Figures: []string{`label:"Runs" unit:"kg"`}},
		{Figures: []string{`label:"Runs" better:"1"`}}, {Functions: `label:"Runs"`}, {Total: `one:"run" man:"runs"`},
		{Head: `figure:"none"`},
		{Figures: []string{`name:"runs"`}, Tiles: "runs bytes?"}, {Card: "runs"}, {Text: "runs"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%+v was declared", wrong)
				}
			}()
			figure.Declare(wrong)
		}()
	}
}

func BenchmarkObject(b *testing.B) {
	for b.Loop() {
		if _, err := json.Marshal(figure.Object{Name: "o", Of: example()}); err != nil {
			b.Fatal(err)
		}
	}
}
