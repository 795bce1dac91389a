package gate

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"proflens/internal/humanize"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
	Err      string      `xml:"system-err,omitempty"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string  `xml:"message,attr"`
	Type    Outcome `xml:"type,attr"`
	Text    string  `xml:",chardata"`
}

// WriteJUnit writes a report as JUnit XML: a test case a rule.
func WriteJUnit(w io.Writer, r *Report) error {
	failed := len(r.Failed())
	suite := junitSuite{
		Name: "proflens gate", Tests: len(r.Results), Failures: failed, Time: "0",
		Err: humanize.Plain(strings.TrimSpace(r.Warning + "\n" + r.LeftOut())),
	}
	for i := range r.Results {
		res := &r.Results[i]
		one := junitCase{Class: "proflens.gate", Name: humanize.Printable(res.Name), Time: "0"}
		if res.Outcome == Pass {
			one.Out = humanize.Plain(res.Figure + ", " + res.Wanted)
		} else {
			one.Failure = &junitFailure{Message: res.reason(), Type: res.Outcome, Text: humanize.Plain("wanted " + res.Wanted)}
		}
		suite.Cases = append(suite.Cases, one)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Name: "proflens gate", Tests: suite.Tests, Failures: failed,
		Suites: []junitSuite{suite}}); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}
