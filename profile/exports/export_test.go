package exports_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/profile/exports"
)

// Each export has a name of its own, says what it does, and takes what there is.
func TestList(t *testing.T) {
	known := map[string]bool{}
	for _, o := range exports.AllOptions {
		known[o.Name] = true
		if o.Does == "" || !slices.ContainsFunc(exports.All, func(e exports.Export) bool { return e.Takes(o.Name) }) {
			t.Errorf("no export takes %s, or it says not what it does", o.Name)
		}
		if o.Kind == exports.Number && o.High <= o.Low {
			t.Errorf("%s is from %d to %d", o.Name, o.Low, o.High)
		}
	}
	for i, e := range exports.All {
		if slices.Index(exports.Names(), e.Name) != i || e.Does == "" || len(e.Forms) == 0 || e.Of == "" && e.Type == "" {
			t.Errorf("%+v", e)
		}
		if found, err := exports.Find(e.Name); err != nil || found != &exports.All[i] {
			t.Errorf("%s finds %v, %v", e.Name, found, err)
		}
		for _, f := range e.Forms {
			if (f.Plan == nil) != (e.Of != "") {
				t.Errorf("%s of %s: tables are planned elsewhere, all else here", e.Name, f.Family)
			}
			for _, name := range f.Takes {
				if !known[name] {
					t.Errorf("%s takes %s, which is no option", e.Name, name)
				}
			}
		}
	}
}

func TestFindUnknown(t *testing.T) {
	for _, name := range []string{"", "Proftext", "proftext ", "text"} {
		_, err := exports.Find(name)
		unknown, ok := errors.AsType[*exports.UnknownError](err)
		if !ok || unknown.Name != name || !strings.Contains(err.Error(), "proftext, profdata, order") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestFormOfAFamily(t *testing.T) {
	for _, test := range []struct {
		name     string
		families []model.Family
		want     model.Family
	}{
		{"pprof", []model.Family{"instr", "memprof"}, "memprof"}, // the first that it has, not the profile
		{"pprof", []model.Family{"instr"}, "instr"},
		{"profdata", []model.Family{"memprof"}, "memprof"},
		{"order", []model.Family{"mip"}, "mip"},
		{"csv", []model.Family{"dcpi"}, "dcpi"},
		{"csv", []model.Family{"mip"}, ""}, // of all
		{"sqlite", nil, ""},
	} {
		e, _ := exports.Find(test.name)
		if f, err := e.For(test.families); err != nil || f.Family != test.want {
			t.Errorf("%s of %v: %+v, %v", test.name, test.families, f, err)
		}
	}
	e, _ := exports.Find("order")
	_, err := e.For([]model.Family{"dcpi"})
	if _, ok := errors.AsType[*exports.LackError](err); !ok || model.KindOf(err) != model.KindIncompatible ||
		!strings.Contains(err.Error(),
			"cannot export this profile as order: it has DCPI data, and the format needs instrumentation or machine IR data") {
		t.Error(err)
	}
	if _, err := e.For(nil); err == nil || !strings.Contains(err.Error(), "it has no data, and") {
		t.Error(err)
	}
}

// Options has only what some form of the export takes, in the order of the help.
func TestOptionsOfAnExport(t *testing.T) {
	for name, want := range map[string]string{
		"proftext": "", "profdata": "version lossy keep-vtable-symbols", "order": "macho run min-runs", "mip": "layout",
		"mip-json": "run",
		"pprof":    "lib rec library event", "folded": "w names lib rec library event",
		"speedscope": "names lib rec library event", "csv": "names guard cols table", "json": "names cols table",
		"sqlite": "", "dcpi": "",
	} {
		e, _ := exports.Find(name)
		var got []string
		for _, o := range e.Options() {
			got = append(got, o.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s takes %v", name, got)
		}
	}
}

func TestOptionValues(t *testing.T) {
	o := exports.Options{"lossy": "true", "macho": "yes", "run": "7", "min-runs": "many", "layout": "", "names": "mangled"}
	if !o.Yes("lossy") || o.Yes("macho") || o.Yes("version") || o.Number("run") != 7 || o.Number("min-runs") != 0 ||
		o.Number("version") != 0 {
		t.Errorf("%v, %d, %d", o.Yes("lossy"), o.Number("run"), o.Number("min-runs"))
	}
	for name, want := range map[string]string{
		"layout": "documented", "names": "mangled", "w": "bytes", "event": "", "table": "", "nothing": "",
	} {
		if got := o.Word(name); got != want {
			t.Errorf("%s is %q, expected %q", name, got, want)
		}
	}
}

// A word that is not known, or of a form that is another family's, is refused and
// named; what is left empty is the default.
func TestOptionsAreChecked(t *testing.T) {
	for _, test := range []struct {
		profile, export string
		o               exports.Options
		refused         string // the option
		says            string
	}{
		{
			"counted machine IR", "mip", exports.Options{"layout": "tool32"}, "layout",
			`unknown value "tool32"; use one of documented, tool64`,
		},
		{"counted machine IR", "mip", exports.Options{"layout": ""}, "", ""},
		{"counted machine IR", "mip", exports.Options{"names": "no form of it takes this"}, "", ""},
		{"raw heap", "folded", exports.Options{"w": "weight"}, "w", "bytes, allocations, lifetime, accesses"},
		{"raw heap", "folded", exports.Options{"names": "Full"}, "names", "mangled"},
		{"raw heap", "folded", exports.Options{"event": "cycles"}, "event", "does not apply to MemProf profiles"},
		{"counters", "pprof", exports.Options{"event": "cycles"}, "event", "does not apply to instrumentation profiles"},
		{
			"samples of two events", "folded", exports.Options{"event": "dmiss"}, "event",
			`unknown value "dmiss"; use one of cycles, imiss`,
		},
		{"samples of two events", "folded", exports.Options{"event": "imiss"}, "", ""},
		{"samples of two events", "speedscope", exports.Options{"names": "mangled", "event": "cycles"}, "", ""},
		{
			"counters", "csv", exports.Options{"table": "procedures"}, "table", `there is no table "procedures" in this profile`,
		},
		{"counters", "csv", exports.Options{"table": "coverage"}, "", ""},
		{"counted machine IR", "mip-json", exports.Options{"run": "4"}, "run", "there is no run 4: the profile has 3 runs"},
		{"counted machine IR", "order", exports.Options{"run": "4"}, "run", "there is no run 4: the profile has 3 runs"},
		{"counted machine IR", "order", exports.Options{"macho": "true"}, "macho", "does not apply to machine IR profiles"},
		{"temporal counters", "order", exports.Options{"run": "2"}, "run", "there is no run 2: the profile has 1 run"},
		{
			"temporal counters", "order", exports.Options{"min-runs": "1"}, "min-runs",
			"does not apply to instrumentation profiles",
		},
		{"temporal counters", "order", exports.Options{"min-runs": "0", "macho": "false"}, "", ""},
		{"counters", "pprof", exports.Options{"rec": "collapse"}, "rec", "does not apply to instrumentation profiles"},
		{"raw heap", "folded", exports.Options{"library": "std::"}, "library", "applies with -lib fold"},
		{"raw heap", "folded", exports.Options{"library": "std::", "lib": "fold"}, "", ""},
		{"runs of machine IR", "json", exports.Options{"table": "sites"}, "table", "functions"},
	} {
		_, _, err := export(t, profile(t, profiles[test.profile].paths...), test.export, test.o)
		wrong, refused := errors.AsType[*exports.OptionError](err)
		switch {
		case test.refused == "" && err != nil:
			t.Errorf("%s as %s with %v: %v", test.profile, test.export, test.o, err)
		case test.refused != "" && (!refused || wrong.Name != test.refused || !strings.Contains(wrong.Error(), test.says)):
			t.Errorf("%s as %s with %v: %v", test.profile, test.export, test.o, err)
		}
	}
}

// What a profile has not is lacking, whatever else it has.
func TestLacks(t *testing.T) {
	for _, test := range []struct {
		profile, export string
		o               exports.Options
		kind            model.Kind
		says            string
	}{
		{"counters", "order", nil, model.KindNoTraces, ""},
		{"covered machine IR", "order", nil, model.KindNoTraces, ""},
		{"runs of machine IR", "mip", nil, model.KindIncompatible, ""},
		{"heap of addresses", "memprof-yaml", nil, "", ""}, // shows only when it is written
		{"raw heap", "proftext", nil, model.KindIncompatible, "use memprof-yaml"},
		{"report", "profdata", nil, "", ""},
		{"samples of two hosts", "dcpi-json", nil, model.KindIncompatible, ""},
		{"samples of two events", "dcpi", nil, model.KindIncompatible, "events"},
		{
			"counters", "memprof-yaml", nil, model.KindIncompatible,
			"cannot export this profile as memprof-yaml: it has instrumentation data, and the format needs MemProf data",
		},
	} {
		_, _, err := export(t, profile(t, profiles[test.profile].paths...), test.export, test.o)
		if err == nil || test.kind != "" && model.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s as %s: %v", test.profile, test.export, err)
		}
		if _, lacks := errors.AsType[*exports.LackError](err); test.kind != "" && !lacks {
			t.Errorf("%s as %s: %v is no lack", test.profile, test.export, err)
		}
	}
}
