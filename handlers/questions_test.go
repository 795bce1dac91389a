package handlers_test

import (
	"bytes"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// answered is a row of docs/pages/questions.md: whose question it is, where it does not
// follow another of the same, and the address that answers.
var answered = regexp.MustCompile("(?m)^\\| ([a-zA-Z ]*)\\| [^|]+\\? \\| `(/[^`]*)` \\|$")

// Every address that the manual gives for a question answers, for an example of the family.
func TestQuestionsAreAnswered(t *testing.T) {
	l := webtest.Start(t, nil)
	text, err := os.ReadFile("../docs/pages/questions.md")
	if err != nil {
		t.Fatal(err)
	}
	families := familyProfiles(t, l)
	page := func(family string) string { return strings.Replace(families[family].at, "/api/v1/profiles/", "/p/", 1) }
	bases := map[string]string{
		"counters": page("counters"), "coverage": page("coverage"), "heap": page("heap"), "Machine IR": page("machine IR"),
		"DCPI": page("samples"), "samples": page("sample profile"), "comparing": "",
	}
	built := l.Do("PUT", "/api/v1/profiles/ir_c.profraw?project=NAME&branch=BRANCH&commit=1f2e3d",
		bytes.NewReader(webtest.File(t, "ir_c.profraw"))).Object(t)["id"].(string)
	example := strings.NewReplacer("<", "%3C", "A...B", strings.TrimPrefix(bases["counters"], "/p/")+"..."+built)
	of, asked := "", map[string]int{}
	for _, row := range answered.FindAllStringSubmatch(string(text), -1) {
		if family := strings.TrimSpace(row[1]); family != "" {
			of = family
		}
		base, ok := bases[of]
		if !ok {
			t.Fatalf("there is no example of %q", of)
		}
		asked[of]++
		a := l.Get(base+example.Replace(row[2]), "Accept", "text/html")
		if to := a.Header.Get("Location"); a.StatusCode == http.StatusFound || a.StatusCode == http.StatusSeeOther {
			a = l.Get(to, "Accept", "text/html")
		}
		if a.StatusCode != http.StatusOK {
			t.Errorf("%s: %s: %s", of, row[2], a.Status)
		}
	}
	for family := range bases {
		if asked[family] != 5 {
			t.Errorf("%d questions of %s", asked[family], family)
		}
	}
	if rows := strings.Count(string(text), "\n| "); rows != 5*len(bases)+2 {
		t.Errorf("%d rows, of which some are not read", rows)
	}
}
