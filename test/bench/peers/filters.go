package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// filters are what a shape's functions are searched for.
type filters struct{ words, patterns []string }

// filter is one of them, as our page and as rg have it.
type filter struct {
	ours   string
	theirs []string
}

func (f *filters) queries() (list []filter) {
	for _, q := range f.words {
		list = append(list, filter{"?q=" + url.QueryEscape(q), []string{"-c", "-i", "-F", q}})
	}
	for _, re := range f.patterns {
		list = append(list, filter{"?re=" + url.QueryEscape(re), []string{"-c", re}})
	}
	return list
}

// typing is what a reader takes to type a word. The server uses it to demangle names.
const typing = 3 * time.Second

// filters measures new filters against rg over the same demangled names in a file.
func (b bench) filters(s *server, id string, words filters, path string) error {
	rg, err := exec.LookPath("rg")
	if err != nil {
		b.fail(newFilter, err)
		return nil
	}
	text, err := b.demangled(path)
	if err != nil {
		b.fail(newFilter, err)
		return nil
	}
	defer os.Remove(text)
	functions := "/p/" + id + "/functions"
	if _, err := s.page(functions, nil); err != nil {
		return err
	}
	time.Sleep(typing)
	slowest := [2]time.Duration{0, 1}
	for _, q := range words.queries() {
		took, err := s.page(functions+q.ours, nil)
		if err != nil {
			return err
		}
		var theirs []time.Duration
		for range b.runs {
			start := time.Now()
			if err := exec.Command(rg, append(slices.Clone(q.theirs), text)...).Run(); err != nil && !noMatch(err) {
				return fmt.Errorf("%s %v: %w", rg, q.theirs, err)
			}
			theirs = append(theirs, time.Since(start))
		}
		peer := medianOf(theirs)
		b.row("a new filter: "+q.ours[1:], "rg "+strings.Join(q.theirs, " "), wall, took.Seconds(), peer.Seconds())
		if took.Seconds()/peer.Seconds() > slowest[0].Seconds()/slowest[1].Seconds() {
			slowest = [2]time.Duration{took, peer}
		}
	}
	b.row(newFilter, "rg", wall, slowest[0].Seconds(), slowest[1].Seconds())
	return nil
}

// noMatch reports whether rg found nothing, which is no fault.
func noMatch(err error) bool {
	exit, ok := err.(*exec.ExitError)
	return ok && exit.ExitCode() == 1
}

// demangled writes the demangled names of a profile's functions into a file, one a line.
func (b bench) demangled(path string) (string, error) {
	demangler, err := b.demangler()
	if err != nil {
		return "", err
	}
	show := exec.Command(b.tool, "show", "--all-functions", path)
	lines, err := show.StdoutPipe()
	if err != nil {
		return "", err
	}
	out, err := os.Create(path + ".names")
	if err != nil {
		return "", err
	}
	defer out.Close()
	filter := exec.Command(demangler)
	filter.Stdout = out
	in, err := filter.StdinPipe()
	if err != nil {
		return "", err
	}
	for _, cmd := range []*exec.Cmd{show, filter} {
		if err := cmd.Start(); err != nil {
			return "", err
		}
	}
	names := bufio.NewWriterSize(in, 1<<20)
	for scan := bufio.NewScanner(lines); scan.Scan(); {
		name, ok := strings.CutSuffix(scan.Text(), ":")
		if !ok || !strings.HasPrefix(name, "  ") || strings.HasPrefix(name, "   ") {
			continue
		}
		name = name[strings.IndexByte(name, ';')+1:]
		fmt.Fprintln(names, strings.TrimSpace(name))
	}
	names.Flush()
	in.Close()
	if err := errors.Join(filter.Wait(), show.Wait()); err != nil {
		return "", err
	}
	return filepath.Abs(out.Name())
}
