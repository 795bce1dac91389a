package cov

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze/coverage"
	texts "proflens/analyze/sources"
	"proflens/command/covsite"
	"proflens/decode/covmap"
	"proflens/decode/model"
	"proflens/encode/llvmcov"
	"proflens/profile/stored"
)

// site is the command without a name: the pages, as files or served.
const site = "site"

// forSite reports whether an argument asks for pages.
func forSite(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	return strings.HasPrefix(arg, "-") && (name == "o" || name == "serve")
}

// site writes or serves the pages of programs and profiles.
func (r *run) site() (err error) {
	o := &r.options
	if (o.To == "") == !o.Serve {
		return usageError("use -o DIR or -serve, one of them")
	}
	labels, err := o.labelled()
	if err != nil {
		return err
	}
	programs, profiles, err := r.given()
	if err != nil {
		return err
	}
	server, err := r.serves(r.ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	id, err := server.Put(r.ctx, filepath.Base(programs[0]), slices.Concat(programs, profiles), labels)
	if err != nil {
		return err
	}
	p, err := r.profileOf(server, id)
	if err != nil {
		return err
	}
	for _, f := range p.Findings {
		if strings.HasPrefix(f.Code, string(covmap.Family)+".") {
			r.warn("%s", f.Message)
		} else {
			r.warnOf(f.Severity, f.Code, f.File, f.Message)
		}
	}
	if err := r.giveSources(server, id); err != nil {
		return err
	}
	if o.ExcludeMarkers { // which stand in the sources
		if p, err = r.profileOf(server, id); err != nil {
			return err
		}
	}
	r.leftOut = strings.TrimSuffix(p.Coverage.LeftOut, ".")
	r.noteLeftOut()
	sum := p.Coverage.Summary
	gate := o.gate(sum)
	if o.Serve {
		return errors.Join(gate, r.listen(server, id, gate))
	}
	s := &covsite.Site{Handler: server.Handler(), Base: "/p/" + id, Goal: o.goal(), Progress: r.pages}
	pages, err := s.Write(stored.Watched(r.ctx, &stored.Progress{}), o.To) // how far each page is does not matter
	if err != nil {
		return err
	}
	fmt.Fprintf(r.out, "%d of %s covered, %s; %s: %s\n", sum.Lines.Covered,
		model.Amount(sum.Lines.Total, "line", "lines"), llvmcov.Percent(sum.Lines),
		model.Amount(pages, "page", "pages"), filepath.Join(o.To, "index.html"))
	return gate
}

// pages tells who waits how many pages are written.
func (r *run) pages(done, of int) { stored.Report(r.ctx, "Writing pages", done, of) }

// given are the programs and profiles that pages are made of.
func (r *run) given() (programs, profiles []string, err error) {
	o := &r.options
	found, profiles, _, err := r.sorted(slices.Concat(o.Object, o.InstrProfile, o.others))
	switch {
	case err != nil:
		return nil, nil, err
	case len(found) == 0:
		return nil, nil, usageError("no program; give the one that was run, and the profile that it wrote")
	case len(profiles) == 0:
		return nil, nil, o.noProfile(found)
	}
	for _, name := range found {
		programs = append(programs, r.outside(name)...)
	}
	return programs, profiles, nil
}

// outside is the files that a thin archive names, and of any other program itself.
func (r *run) outside(name string) []string {
	data, err := r.read(name)
	if err != nil {
		return []string{name}
	}
	var members []string
	// What is wrong with them is told when they are decoded.
	_, _ = covmap.Open(name, data, covmap.Options{Lenient: true, Member: func(path string) ([]byte, error) {
		members = append(members, path)
		return os.ReadFile(path)
	}})
	if len(members) == 0 {
		return []string{name}
	}
	return members
}

// goal is what pages call enough: what -min-lines asks for.
func (o *options) goal() string {
	if at := o.least[0]; at.set && at.at >= 0 && at.at <= 100 {
		return strconv.Itoa(int(math.Ceil(at.at)))
	}
	return ""
}

// sited is a profile as its pages have it.
type sited struct {
	Coverage *struct {
		coverage.Summary
		LeftOut string `json:"left_out"`
	} `json:"source_coverage"`
	Findings []struct {
		Severity            model.Severity
		Code, File, Message string
	}
}

// profileOf is a profile as its pages have it.
func (r *run) profileOf(server Server, id string) (p sited, err error) {
	if err := covsite.GetJSON(r.ctx, server.Handler(), "/api/v1/profiles/"+id, &p); err != nil {
		return p, err
	}
	if p.Coverage == nil {
		return p, errors.New("the program has no coverage mapping; build it with -fprofile-instr-generate " +
			"-fcoverage-mapping")
	}
	return p, nil
}

// giveSources gives the server those sources that are where the program was built, or
// where -path-equivalence and -compilation-dir say.
func (r *run) giveSources(server Server, id string) error {
	move, err := mover(r.options.PathEquivalence)
	if err != nil {
		return err
	}
	missing, of, err := GiveSources(r.ctx, server, id, func(name string) string {
		path := name
		if to := move(path); to != "" {
			path = to
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.options.CompilationDir, path)
		}
		if r.options.ExcludeMarkers {
			text, _ := os.ReadFile(path)
			r.warnOfMarks(name, coverage.MarksOf(texts.Lines(text)))
		}
		return path
	})
	if missing > 0 {
		r.warn("%d of %d source files are not here: their pages have no text; -path-equivalence=FROM,TO says where they lie",
			missing, of)
	}
	return err
}

// listen serves until somebody ends the command.
func (r *run) listen(server Server, id string, gate error) error {
	return Serve(r.ctx, r.options.Addr, server.Handler(), func(address string) {
		if gate != nil {
			fmt.Fprintf(r.err, "warning: %v\n", gate)
		}
		goal := ""
		if r.options.goal() != "" {
			goal = "?goal=" + r.options.goal()
		}
		fmt.Fprintf(r.terminal, "%s/p/%s/files%s\n", address, id, goal)
	})
}
