package gateweb

import (
	"errors"
	"maps"
	"net/http"
	"slices"

	"proflens/builds/gate"
	"proflens/handlers/site"
)

// maxProfiles is how many profiles a side has at most: one a family.
const maxProfiles = 8

// params is what a request asks for.
type params struct {
	base, test []string // IDs
	rules      []gate.Rule
	format     *gate.Format
}

// readParams reads the parameters; all but a few are rules. Errors are *site.ParamError.
func readParams(r *http.Request) (*params, error) {
	q := r.URL.Query()
	p := &params{}
	known := []string{"base", "test", "format"}
	v := &site.Values{Query: q}
	for _, side := range []struct {
		key string
		ids *[]string
	}{{"base", &p.base}, {"test", &p.test}} {
		*side.ids = v.List(side.key)
		if n := len(*side.ids); n == 0 || n > maxProfiles {
			v.Fail(side.key, "give the ID of a profile; of a build with several, one a family")
		}
	}
	p.format = formatOf(r, v)
	for _, key := range slices.Sorted(maps.Keys(q)) {
		if slices.Contains(known, key) || v.Err != nil {
			continue
		}
		rule, err := gate.ParseRule(key, v.One(key))
		if fault, ok := errors.AsType[*gate.RuleError](err); ok {
			v.Fail(key, "%s", fault.Msg)
		}
		p.rules = append(p.rules, rule)
	}
	return p, v.Err
}

// formatOf is the format that a request asks for, by format or by Accept.
func formatOf(r *http.Request, v *site.Values) *gate.Format {
	names := []string{"json"}
	offers := []string{"application/json"}
	for i := range gate.Formats {
		if f := &gate.Formats[i]; f.Name != "json" {
			names, offers = append(names, f.Name), append(offers, f.Media)
		}
	}
	if word := v.One("format"); word != "" {
		return gate.FormatOf(site.Choice(v, "format", names...))
	}
	return gate.FormatOf(names[slices.Index(offers, site.Accepted(r, offers...))])
}

// Keys are the parameters; rules stands for all that are rules.
var Keys = []string{"base", "test", "rules", "format"}

// Objects are the structs of its objects by the names that the API's document has.
var Objects = map[string]any{"Gate": gate.Object{}, "GateProblem": problem{}}

const says = `
	?base ! list 1..8: ID of the profile that is the base. A build with several profiles has one of each family:
	repeat it, or put commas between.
	?test ! list 1..8: ID of the profile that is judged; several as for base.
	?rules map: Rules, each a parameter of its own: min_overlap=95, max_hot_lost=0, min_total_ratio=0.9,
	memprof.max_cold_bytes_growth=10. docs/ci.md lists them. Without any, those kept with the project of the test are
	used.
	?format json|text|markdown|junit|sarif =json: json, text, markdown for a pull request, JUnit XML or SARIF 2.1.0.
	Without it Accept decides.
	=gate.Object Gate: A judged pair.
	.warning: Why the figures mean little, if they do: the counters count different things.
	=gate.RuleObject GateRule: A rule and what it found.
	.outcome: missing: a profile lacks what the rule needs, which fails too.
	.measure: What was judged: instr.overlap. Without a family where no profile has it.
	.of: ratio: the test's value by the base's. growth: by how many per cent it is above. Absent: the value itself.
	=gateweb.problem GateProblem: A gate that fails, as in RFC 9457.
	=measures.Value GateValue: A figure. n is the figure or, of a part, what there is of the whole, of. exact is n in
	decimal where a double has not all its digits.`
