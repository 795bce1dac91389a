package cov

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"proflens/decode"
)

// sorted tells programs and profiles by what is in them. The error is of the first of the
// others.
func (r *run) sorted(args []string) (programs, profiles, others []string, err error) {
	for _, name := range args {
		data, fault := r.read(name)
		if fault == nil {
			is := decode.Recognise(name, data)
			switch {
			case is.Companion != nil:
				programs = append(programs, name)
				continue
			case is.Err == nil:
				profiles = append(profiles, name)
				continue
			}
			fault = fmt.Errorf("%s: neither a program nor a profile: %w", name, is.Err)
		}
		others = append(others, name)
		if err == nil {
			err = fault
		}
	}
	return programs, profiles, others, err
}

// sortArguments takes programs and profiles from the arguments where no option names a
// profile, which llvm-cov would refuse: what is neither is a source.
func (r *run) sortArguments() error {
	o := &r.options
	if len(o.InstrProfile) > 0 || o.EmptyProfile {
		return nil
	}
	programs, profiles, others, err := r.sorted(o.others)
	switch {
	case len(programs)+len(o.Object)+len(o.DebugDirectories) == 0 && len(profiles) > 0 && errors.Is(err, fs.ErrNotExist):
		return err
	case len(profiles) == 0:
		return nil
	}
	o.Sources = slices.Concat(others, o.Sources[max(len(o.others)-1, 0):])
	o.Object, o.program, o.InstrProfile = slices.Concat(programs, o.Object), "", profiles
	return nil
}

// noProfile says where a profile comes from, and names those that are at hand.
func (o *options) noProfile(programs []string) error {
	there, _ := filepath.Glob("*.profraw")
	ours := usageError("no profile; run the program, which writes default.profraw, and give that too, or use " +
		"-instr-profile=FILE")
	if len(there) > 0 && len(programs) > 0 {
		if len(there) > 3 {
			there = []string{"*.profraw"}
		}
		ours = usageError(fmt.Sprintf("no profile; if those in this folder are from this program: proflens cov %s %s",
			o.command, strings.Join(append(programs, there...), " ")))
	}
	return &misuse{eitherProfile, ours}
}
