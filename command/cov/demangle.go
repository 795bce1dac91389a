package cov

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"proflens/analyze/coverage"
	"proflens/names"
)

// demangler is what makes names readable: the program given, which reads names line by
// line, or our own; nil: nothing.
func (r *run) demangler(c *coverage.Coverage) (func(string) string, error) {
	o := &r.options
	if len(o.xdemangler) == 0 {
		if !o.demangle {
			return nil, nil
		}
		return func(name string) string { return names.Demangle(name, names.Full) }, nil
	}
	var in, out bytes.Buffer
	for i := range c.Functions {
		in.WriteString(c.Functions[i].Name + "\n")
	}
	cmd := exec.CommandContext(r.ctx, o.xdemangler[0], o.xdemangler[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, r.err
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("-Xdemangler=%s: %w", o.xdemangler[0], err)
	}
	lines := strings.FieldsFunc(out.String(), func(c rune) bool { return c == '\n' })
	if len(lines) != len(c.Functions) {
		return nil, errors.New("demangler did not provide expected number of symbols")
	}
	readable := map[string]string{}
	for i := range c.Functions {
		readable[c.Functions[i].Name] = strings.TrimRight(lines[i], " \t\r")
	}
	return func(name string) string { return readable[name] }, nil
}
