package cov

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"proflens/analyze/coverage"
	"proflens/command/llvmerr"
	"proflens/names"
)

// demangler is what makes names readable: the program given, which reads names line by
// line, or our own; nil: nothing, also where the program does not do so, which is told.
func (r *run) demangler(c *coverage.Coverage) func(string) string {
	o := &r.options
	if len(o.Xdemangler) == 0 {
		if !o.Demangle {
			return nil
		}
		return func(name string) string { return names.Demangle(name, names.Full) }
	}
	readable, err := r.demangled(c)
	if err != nil {
		r.say("error", "%s", err.Error())
		return nil
	}
	return func(name string) string { return readable[name] }
}

// demangled are the names that the program given makes of those of the functions.
func (r *run) demangled(c *coverage.Coverage) (map[string]string, error) {
	program := r.options.Xdemangler[0]
	path, err := exec.LookPath(program)
	if err != nil {
		return nil, &llvmerr.Fault{Where: program, Msg: "posix_spawn failed: " + llvmerr.System(err)}
	}
	var in, out bytes.Buffer
	for i := range c.Functions {
		in.WriteString(c.Functions[i].Name + "\n")
	}
	cmd := exec.CommandContext(r.ctx, path, r.options.Xdemangler[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, r.err
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	lines := strings.FieldsFunc(out.String(), func(c rune) bool { return c == '\n' })
	if len(lines) != len(c.Functions) {
		return nil, errors.New("demangler did not provide expected number of symbols")
	}
	readable := map[string]string{}
	for i := range c.Functions {
		readable[c.Functions[i].Name] = strings.TrimRight(lines[i], " \t\r")
	}
	return readable, nil
}
