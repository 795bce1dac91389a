package sourceweb

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"sync"

	"github.com/alecthomas/chroma/v2"
)

// rules is the archive that test/tools/lexers makes of Chroma's lexers.
//
//go:embed lexers.zip
var rules []byte

// lexers are read when the first file is coloured, not when the program starts: that is a third of
// what a command takes that does nothing.
var lexers = sync.OnceValue(func() *chroma.LexerRegistry {
	list := chroma.NewLexerRegistry()
	archive, err := zip.NewReader(bytes.NewReader(rules), int64(len(rules)))
	if err != nil {
		panic(fmt.Sprintf("lexers.zip: %v", err)) // it is part of the program
	}
	for _, f := range archive.File {
		list.Register(chroma.MustNewXMLLexer(archive, f.Name))
	}
	return list
})
