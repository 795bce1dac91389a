package profdata

import (
	"bufio"
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"proflens/command/llvmerr"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/sampleprof"
)

// nameFilter says which functions are written; nil patterns let all through. A pattern that
// is a name finds the hash of that too, for profiles which have no names.
type nameFilter struct {
	only, without         *regexp.Regexp
	onlyHash, withoutHash string
}

func (t *tool) filter() (f nameFilter, err error) {
	for _, p := range []struct {
		text string
		to   **regexp.Regexp
		hash *string
	}{{t.Function, &f.only, &f.onlyHash}, {t.NoFunction, &f.without, &f.withoutHash}} {
		if p.text == "" {
			continue
		}
		*p.hash = strconv.FormatUint(sampleprof.Hash(p.text), 10)
		if *p.to, err = regexp.Compile(p.text); err != nil {
			return f, &llvmerr.Fault{Msg: err.Error()}
		}
	}
	return f, nil
}

func (f nameFilter) none() bool { return f.only == nil && f.without == nil }

func (f nameFilter) takes(name string) bool {
	return (f.only == nil || f.only.MatchString(name) || name == f.onlyHash) &&
		(f.without == nil || !f.without.MatchString(name) && name != f.withoutHash)
}

// tellFiltered says how many functions were left out.
func (t *tool) tellFiltered(left, all int) {
	fmt.Fprintf(t.std.Err, "%d of %d functions in the original profile are filtered.\n", left, all)
}

// selected is a source with the functions that are written.
func (t *tool) selected(src instrprof.Source) instrprof.Source {
	f := t.names
	if f.none() {
		return src
	}
	all, left := map[string]bool{}, 0
	for r := range src.Functions() {
		if name := string(r.Name); !all[name] {
			all[name] = true
			if !f.takes(name) {
				left++
			}
		}
	}
	t.tellFiltered(left, len(all))
	return &changed{src, func(r *instrprof.Function) bool { return f.takes(string(r.Name)) }}
}

// selectSamples takes the functions out that are not written.
func (t *tool) selectSamples(p *sampleprof.Profile) {
	if t.names.none() {
		return
	}
	all := len(p.Functions)
	p.Functions = slices.DeleteFunc(p.Functions, func(f *sampleprof.Function) bool {
		return !t.names.takes(p.ContextText(f))
	})
	t.tellFiltered(all-len(p.Functions), all)
}

// changed is a source with its functions changed, and some left out.
type changed struct {
	instrprof.Source
	change func(*instrprof.Function) bool
}

// Functions implements [instrprof.Source].
func (c *changed) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		for f, err := range c.Source.Functions() {
			if (err != nil || c.change(f)) && !yield(f, err) {
				return
			}
		}
	}
}

// remapper are names with what they become; nil where there is no file of them.
func (t *tool) remapper() (map[string]string, error) {
	if t.Remapping == "" {
		return nil, nil
	}
	data, err := t.read(t.Remapping, t.std.In)
	if err != nil {
		return nil, err
	}
	to := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		from, into, ok := strings.Cut(line, " ")
		if !ok || from == "" || into == "" || strings.Contains(into, " ") {
			return nil, &llvmerr.Fault{Where: t.Remapping, Msg: fmt.Sprintf("unexpected line in remapping file '%s'", line)}
		}
		to[from] = into
	}
	return to, nil
}

// remapProfile gives functions of a profile their other names.
func remapProfile(p *format.Profile, to map[string]string) {
	for i := range p.Parts {
		src, ok := p.Parts[i].Records.(instrprof.Source)
		if !ok {
			continue
		}
		p.Parts[i].Records = &changed{src, func(f *instrprof.Function) bool {
			if name, ok := to[string(f.Name)]; ok {
				f.Name = []byte(name)
				f.NameRef = instrprof.NameRef(f.Name)
			}
			return true
		}}
	}
}
