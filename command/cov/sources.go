package cov

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	texts "proflens/analyze/sources"
	"proflens/command/llvmerr"
	"proflens/decode"
	"proflens/decode/model"
)

// sources are the files of the coverage that are asked for, and where they are.
type sources struct {
	c      *coverage.Coverage
	files  []int          // that are asked for, in the order asked; of no argument all, by name
	given  bool           // by arguments that are there
	chosen bool           // by arguments that have coverage
	moved  map[int]string // by -path-equivalence
	read   map[int][][]byte
	warn   func(file string, err error)

	held  func() []model.SourceText // by the programs
	texts []model.SourceText        // of these, once a file is not there
	names *texts.Names              // of the texts; nil until then
}

// sources finds the files that are asked for (section 16).
func (r *run) sources(c *coverage.Coverage) (*sources, error) {
	s := &sources{c: c, moved: map[int]string{}, read: map[int][][]byte{}, held: r.embedded}
	s.warn = func(file string, err error) { r.say("error", "%s: %s", file, llvmerr.System(err)) }
	ignored, err := r.matchAny("-ignore-filename-regex", r.options.Ignore)
	if err != nil {
		return nil, err
	}
	back, err := s.move(r.options.PathEquivalence)
	if err != nil {
		return nil, err
	}
	names := r.paths
	if names == nil {
		names = r.collected(ignored)
	}
	s.given = len(names) > 0
	for _, name := range names {
		if recorded, ok := back[name]; ok {
			name = recorded
		}
		if i, ok := slices.BinarySearchFunc(c.Files, name,
			func(f coverage.File, name string) int { return strings.Compare(f.Name, name) }); ok {
			s.files = append(s.files, i)
		}
	}
	if s.chosen = len(s.files) > 0; s.chosen {
		return s, nil
	}
	for i := range c.Files {
		if !ignored(c.Files[i].Name) {
			s.files = append(s.files, i)
		}
	}
	return s, nil
}

// prepare does what LLVM does before it reads any file: it tells which colours there are not, and
// which sources.
func (r *run) prepare() error {
	o := &r.options
	switch {
	case o.Format == "html" && o.UseColor.set && !o.UseColor.on:
		fmt.Fprintln(r.err, "Color output cannot be disabled when generating html.")
	case o.Format == "lcov" && o.UseColor.on:
		fmt.Fprintln(r.err, "Color output cannot be enabled when generating lcov.")
	}
	if len(o.Xdemangler) > 0 && !strings.Contains(o.Xdemangler[0], "/") {
		if _, err := exec.LookPath(o.Xdemangler[0]); err != nil {
			return &llvmerr.Fault{Where: "No such file or directory", Msg: "could not find the demangler!"}
		}
	}
	if len(o.NameAllowlist) > 0 {
		var err error
		if r.allowed, err = allowlist(o.NameAllowlist); err != nil {
			r.say("error", "%v", err)
		}
	}
	if (len(o.InstrProfile) > 0) == o.EmptyProfile || o.DumpPaths {
		return nil
	}
	ignored, err := r.matchAny("-ignore-filename-regex", o.Ignore)
	if err == nil {
		r.paths = append([]string{}, r.collected(ignored)...)
	}
	return err
}

// collected is the files that the arguments mean, but for those that are ignored.
func (r *run) collected(ignored func(string) bool) (names []string) {
	for _, arg := range r.options.Sources {
		names = append(names, slices.DeleteFunc(r.collect(arg), ignored)...)
	}
	return names
}

// dumped prints the programs or the sources that the arguments mean, and reports whether
// that is all that is asked for.
func (r *run) dumped() (bool, error) {
	o := &r.options
	if !o.DumpObjects && !o.DumpPaths {
		return false, nil
	}
	list := o.programs()
	if !o.DumpObjects {
		ignored, err := r.matchAny("-ignore-filename-regex", o.Ignore)
		if err != nil {
			return true, err
		}
		list = r.collected(ignored)
	}
	_, err := io.WriteString(r.out, strings.Join(append(list, ""), "\n"))
	return true, err
}

// programs are those of the command line.
func (o *options) programs() []string {
	if o.program == "" {
		return o.Object
	}
	return append([]string{o.program}, o.Object...)
}

// collect is the files that an argument means: itself, or those below it.
func (r *run) collect(arg string) []string {
	info, err := os.Stat(arg)
	switch {
	case err != nil && len(r.options.PathEquivalence) == 0:
		r.warn("%s: Source file doesn't exist, proceeded by ignoring it.", arg)
		return nil
	case err != nil:
		return []string{absolute(arg)}
	case info.Mode().IsRegular():
		r.warnOfProgram(arg)
		return []string{absolute(arg)}
	case !info.IsDir():
		return nil
	}
	return r.below(arg)
}

// warnOfProgram tells who gives a program for a source file, as llvm-cov takes it, how it
// is given for a program.
func (r *run) warnOfProgram(arg string) {
	data, err := r.read(arg)
	if err == nil && decode.Recognise(arg, data).Companion != nil {
		r.note("%s is a program, taken for a source file as by llvm-cov: to add its coverage, use -object=%s", arg, arg)
	}
}

// below is the files of a folder, in the order in which the system lists them, as for
// llvm-cov.
func (r *run) below(folder string) []string {
	dir, err := os.Open(folder)
	if err != nil {
		r.warn("%s: %v", folder, err)
		return nil
	}
	defer dir.Close()
	var list []string
	for {
		entries, err := dir.ReadDir(256)
		for _, e := range entries {
			path := folder + "/" + e.Name()
			info, err := os.Stat(path)
			switch {
			case err != nil:
				r.warn("%s: %v", path, err)
			case info.Mode().IsRegular():
				list = append(list, absolute(path))
			case e.IsDir():
				list = append(list, r.below(path)...)
			}
		}
		if err != nil || len(entries) == 0 {
			return list
		}
	}
}

func absolute(path string) string {
	if !filepath.IsAbs(path) {
		if dir, err := os.Getwd(); err == nil {
			path = dir + "/" + path
		}
	}
	return coverage.CleanPath(path)
}

// move finds where the files are that rules "FROM,TO" move, and returns the way back.
// The first rule that fits a file moves it.
func (s *sources) move(rules []string) (back map[string]string, err error) {
	move, err := mover(rules)
	if err != nil {
		return nil, err
	}
	back = map[string]string{}
	for i := range s.c.Files {
		if to := move(s.c.Files[i].Name); to != "" {
			s.moved[i], back[to] = to, s.c.Files[i].Name
		}
	}
	return back, nil
}

// mover reads the rules of -path-equivalence: where they move a file to, or "".
func mover(rules []string) (func(name string) string, error) {
	var parsed [][2]string
	for _, rule := range rules {
		from, to, ok := strings.Cut(rule, ",")
		if !ok || from == "" || to == "" {
			return nil, fmt.Errorf("-path-equivalence: invalid argument '%s', must be in format 'from,to'", rule)
		}
		parsed = append(parsed, [2]string{folder(from), folder(to)})
	}
	return func(name string) string {
		for _, rule := range parsed {
			if rest, ok := strings.CutPrefix(coverage.CleanPath(name), rule[0]); ok {
				return rule[1] + rest
			}
		}
		return ""
	}, nil
}

func folder(path string) string {
	if path = coverage.CleanPath(path); path == "" || strings.HasSuffix(path, "/") {
		return path
	}
	return path + "/"
}

// source is the lines of a file, which is read once.
func (s *sources) source(file int) ([][]byte, bool) {
	lines, known := s.read[file]
	if !known {
		name := s.c.Files[file].Name
		if to := s.moved[file]; to != "" {
			name = to
		}
		data, err := os.ReadFile(name)
		if err != nil {
			data, err = s.embeddedText(s.c.Files[file].Name, err)
		}
		if err != nil {
			s.warn(name, err)
		} else {
			lines = texts.Lines(data)
		}
		s.read[file] = lines
	}
	return lines, lines != nil
}

// embeddedText is the text of a file that the programs hold. Where they do not, the error is
// why it could not be read.
func (s *sources) embeddedText(name string, absent error) ([]byte, error) {
	if s.names == nil {
		s.texts = s.held()
		names := make([]string, len(s.texts))
		for i := range s.texts {
			names[i] = s.texts[i].Name
		}
		s.names = texts.NewNames(names)
	}
	if at := s.names.Find(name); at >= 0 {
		return s.texts[at].Text, nil
	}
	return nil, absent
}
