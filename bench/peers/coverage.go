package main

import "fmt"

// coverage measures what llvm-cov does too: the report and the JSON of a program; and
// reading, joining and storing it, which is what stands between an upload and its pages.
func (b bench) coverage(program, profile string) error {
	tool, err := newest("llvm-cov")
	if err != nil {
		return err
	}
	fmt.Printf("\n%s with %s\n", program, profile)
	theirs := func(command string) func() (cost, error) {
		return func() (cost, error) { return process(tool, command, program, "-instr-profile", profile) }
	}
	for _, m := range []struct {
		says, against string
		args          []string
	}{
		{"store", "report", []string{"export", "-f", "csv", "-table", "coverage-misfits", profile, program}},
		{"cov report", "report", []string{"cov", "report", program, "-instr-profile", profile}},
		{"cov export", "export", []string{"cov", "export", program, "-instr-profile", profile}},
	} {
		ours, peer, err := pair(b.runs, func() (cost, error) { return process(b.proflens, m.args...) }, theirs(m.against))
		if err != nil {
			return err
		}
		b.print(m.says, "llvm-cov "+m.against, ours, peer)
	}
	return nil
}
