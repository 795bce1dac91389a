package sourceweb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"path"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"

	"proflens/internal/recovery"
	"proflens/views/sourceview"
)

// Larger files have no syntax colours.
const (
	maxColoured      = 1 << 20 // bytes
	maxColouredLines = 50_000
	maxColouredLine  = 1000 // bytes; a longer line is plain
)

// syntaxWait is how long a page waits for the colours of a file that nobody has looked
// at before: less than a reader has patience for. It goes without them after that, and the
// next one has them.
const syntaxWait = 500 * time.Millisecond

// tellEvery is after how many lines those who wait are told.
const tellEvery = 200

// maxSyntax is how many tokens are kept, of all files.
const maxSyntax = 4 << 20

// Token is a piece of a line that is coloured.
type Token struct {
	end   uint16 // where it ends in the line, in bytes
	class syntaxClass
}

type syntaxClass uint8

const (
	plainSyntax syntaxClass = iota
	keyword
	comment
	literal
)

// classes are those of the style sheet.
var classes = [...]string{plainSyntax: "", keyword: "syn-k", comment: "syn-c", literal: "syn-s"}

// Syntax keeps the tokens of files that were looked at, and finds those of one file at a
// time.
type Syntax struct {
	mu    sync.Mutex
	files map[digest][][]Token // by text and kind of file
	size  int                  // tokens in files
	work  sync.Mutex           // held while tokens are found
	queue map[digest]*finding  // files that wait for it, with that whose tokens are found
}

type digest [sha256.Size]byte

// finding is a file whose tokens are being found.
type finding struct {
	tokens [][]Token     // of its first lines
	more   chan struct{} // closed when there are more
}

// maxQueue is how many files are in the queue.
const maxQueue = 8

// Of are the tokens of the first lines of a file, by line, or of more. They are not settled
// while they are not known: then there are as many as are. Who is patient waits for them.
func (s *Syntax) Of(name string, text []byte, lines int, patient bool) (tokens [][]Token, settled bool) {
	lexer := lexers().Match(path.Base(name))
	if lexer == nil || len(text) > maxColoured || bytes.Count(text, []byte("\n")) > maxColouredLines {
		return nil, true
	}
	key := digest(sha256.Sum256(append([]byte(lexer.Config().Name+"\x00"), text...)))
	var enough <-chan time.Time
	if !patient {
		enough = time.After(syntaxWait)
	}
	for {
		tokens, settled, more := s.known(key, lines, func() { s.find(key, lexer, text) })
		if settled || more == nil {
			return tokens, settled
		}
		select {
		case <-more:
		case <-enough:
			return tokens, false
		}
	}
}

// Between is [Syntax.Of] for the lines from a first to a last, from 1, and of them alone where the
// file is too large. Then it begins behind the last line before them that begins with a brace: in
// most languages that ends a function, and no comment or text goes over it.
func (s *Syntax) Between(name string, text []byte, first, last int, patient bool) (tokens [][]Token, settled bool) {
	if len(text) <= maxColoured && bytes.Count(text, []byte("\n")) <= maxColouredLines {
		return s.Of(name, text, last, patient)
	}
	line, at := 1, 0    // the next
	begin, from := 1, 0 // the line from which the text is read, and where it begins
	for at < len(text) && line <= last {
		next := at + bytes.IndexByte(text[at:], '\n') + 1
		if next == at {
			next = len(text)
		}
		if line < first && text[at] == '}' {
			from, begin = next, line+1
		}
		at, line = next, line+1
	}
	tokens, settled = s.Of(name, text[from:at], last-begin+1, patient)
	return append(make([][]Token, begin-1), tokens...), settled
}

// known are the tokens that a file has by now. Where lines are missing, more is closed when
// there are more; it is nil where the queue is full. find is begun for a file that is new.
func (s *Syntax) known(key digest, lines int, find func()) (tokens [][]Token, settled bool, more <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tokens, ok := s.files[key]; ok {
		return tokens, true, nil
	}
	f := s.queue[key]
	if f == nil {
		if len(s.queue) == maxQueue {
			return nil, false, nil
		}
		if s.queue == nil {
			s.queue = map[digest]*finding{}
		}
		f = &finding{more: make(chan struct{})}
		s.queue[key] = f
		work, _ := recovery.WithContext(context.Background())
		work.Go(func() error {
			find()
			return nil
		})
	}
	return f.tokens, len(f.tokens) >= lines, f.more
}

// find finds the tokens of a file, and tells those who wait.
func (s *Syntax) find(key digest, lexer chroma.Lexer, text []byte) {
	s.work.Lock()
	defer s.work.Unlock()
	s.keep(key, TokensOf(lexer, text, func(known [][]Token) {
		s.mu.Lock()
		defer s.mu.Unlock()
		f := s.queue[key]
		f.tokens = known
		close(f.more)
		f.more = make(chan struct{})
	}))
}

func (s *Syntax) keep(key digest, tokens [][]Token) {
	n := 0
	for _, line := range tokens {
		n += len(line) + 3
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.queue[key].more)
	delete(s.queue, key)
	if s.files == nil || s.size+n > maxSyntax {
		s.files, s.size = map[digest][][]Token{}, 0
	}
	s.files[key] = tokens
	s.size += n
}

// TokensOf finds the tokens of a text. A text that the lexer cannot read has none. told is
// given those of the first lines now and then; they stay as they are.
func TokensOf(lexer chroma.Lexer, text []byte, told func(known [][]Token)) [][]Token {
	tokens := make([][]Token, 1)
	// A lexer may fail on any text; then the page is plain.
	_ = recovery.Do(func() error {
		read, err := chroma.Coalesce(lexer).Tokenise(&chroma.TokeniseOptions{State: "root"}, sameLength(text))
		if err != nil {
			return err
		}
		at := 0
		for t := read(); t != chroma.EOF; t = read() {
			class := classOf(t.Type)
			for line := range strings.Lines(t.Value) {
				content := strings.TrimRight(line, "\n")
				if at += len(content); content != "" && at < 1<<16 {
					last := &tokens[len(tokens)-1]
					*last = append(*last, Token{uint16(at), class})
				}
				if len(content) < len(line) {
					if len(tokens)%tellEvery == 0 {
						told(tokens)
					}
					tokens, at = append(tokens, nil), 0
				}
			}
		}
		return nil
	})
	return tokens
}

// sameLength is a text with a question mark for each byte that is not UTF-8. A lexer makes
// three bytes of one, and what follows on the line would have another's colour.
func sameLength(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	valid := bytes.Clone(text)
	for at := 0; at < len(valid); {
		r, size := utf8.DecodeRune(valid[at:])
		if r == utf8.RuneError && size == 1 {
			valid[at] = '?'
		}
		at += size
	}
	return string(valid)
}

// Coloured appends a part of a line, like a piece of code, divided by the line's tokens.
func Coloured(list []sourceview.Code, line []byte, tokens []Token, from, to int,
	like sourceview.Code) []sourceview.Code {
	add := func(end int, class syntaxClass) {
		if end = min(end, to); end > from {
			code := like
			part := line[from:end]
			if from == 0 {
				part = bytes.TrimPrefix(part, byteOrder)
			}
			code.Text, code.Class = sourceview.Visible(part), strings.TrimSpace(like.Class+" "+classes[class])
			list, from = append(list, code), end
		}
	}
	if len(line) <= maxColouredLine {
		for i, t := range tokens {
			if i+1 == len(tokens) || tokens[i+1].class != t.class {
				add(int(t.end), t.class)
			}
		}
	}
	add(to, plainSyntax)
	return list
}

// byteOrder begins files of some editors; nobody wrote it, and nobody sees it.
var byteOrder = []byte("\ufeff")

func classOf(t chroma.TokenType) syntaxClass {
	switch {
	case t.InSubCategory(chroma.CommentPreproc):
		return plainSyntax
	case t.InCategory(chroma.Keyword):
		return keyword
	case t.InCategory(chroma.Comment):
		return comment
	case t.InSubCategory(chroma.LiteralString):
		return literal
	}
	return plainSyntax
}
