// Command lexers writes the rules that Chroma colours sources by into one archive. Chroma's own
// package reads them all when a program starts, for 10 ms; the archive is opened
// for the first page that wants colours. A few lexers are code and left out: of what no compiler
// reads, such as markdown.
//
//	go run -C test ./tools/lexers ../handlers/sourceweb/lexers.zip
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"log"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

var state = regexp.MustCompile(`(?s)<state name="[^"]*"/>|<state name=.*?</state>`)

// inOrder is a lexer with its states in the order of their names, which are written as a map has them.
func inOrder(lexer []byte) []byte {
	states := state.FindAll(lexer, -1)
	slices.SortFunc(states, bytes.Compare)
	i := -1
	return state.ReplaceAllFunc(lexer, func([]byte) []byte {
		i++
		return states[i]
	})
}

// plainStrings is a lexer whose raw strings are no templates.
func plainStrings(l *chroma.RegexLexer) *chroma.RegexLexer {
	rules, err := l.Rules()
	if err != nil {
		log.Fatal(err)
	}
	rules = rules.Clone()
	for i, r := range rules["root"] {
		if strings.HasPrefix(r.Pattern, "(`)") {
			rules["root"][i] = chroma.Rule{Pattern: r.Pattern, Type: chroma.LiteralString}
		}
	}
	return chroma.MustNewLexer(l.Config(), func() chroma.Rules { return rules })
}

func main() {
	log.SetFlags(0)
	f, err := os.Create(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	z := zip.NewWriter(f)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for i, l := range lexers.GlobalLexerRegistry.Lexers {
		regex, ok := l.(*chroma.RegexLexer)
		if !ok {
			continue
		}
		if l.Config().Name == "Go" {
			regex = plainStrings(regex)
		}
		data, err := chroma.Marshal(regex)
		if err != nil {
			continue
		}
		w, err := z.Create(fmt.Sprintf("%03d.xml", i))
		if err == nil {
			_, err = w.Write(inOrder(data))
		}
		if err != nil {
			log.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
}
