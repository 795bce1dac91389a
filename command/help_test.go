package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// What the help of commands says fits a terminal, addresses aside, and every flag with an
// argument says what it is.
func TestHelpFits(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			check(sub)
		}
		if c.DisableFlagParsing {
			return
		}
		var said bytes.Buffer
		help(c, &said)
		for line := range strings.Lines(said.String()) {
			if utf8.RuneCountInString(line)-1 > helpWidth && !strings.Contains(line, "://") {
				t.Errorf("%s: %s", c.CommandPath(), line)
			}
		}
	}
	check(program(stdio{}))
}

func TestTwoDashes(t *testing.T) {
	flags := program(stdio{}).Commands()[1].Flags() // of export
	for line, want := range map[string]string{
		"-f x a":             "--f x a",
		"a -o -q -salvage b": "a --o -q --salvage b",
		"-salvage -q -- -o":  "--salvage --q -- -o",
		"-f=-q --o=x -":      "--f=-q --o=x -",
		"-o -- -q":           "--o -- --q",
		"-h --help -help":    "--help --help --help",
		"- -- --":            "- -- --",
		"--- ---x -=":        "--- ---x --=",
		"-none -1 -é":        "--none --1 --é",
		"-o":                 "--o",
		"":                   "",
	} {
		given := strings.Split(line, " ")
		if got := twoDashes(flags, given); strings.Join(got, " ") != want || strings.Join(given, " ") != line {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
		if want := strings.Split(want, " "); !slices.Equal(twoDashes(flags, want), want) {
			t.Errorf("%q is changed twice", line)
		}
	}
}
