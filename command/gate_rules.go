package command

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"proflens/builds/gate"
	figures "proflens/builds/measures"
)

// findRules reads the rules that are kept in a file, and gives its text too: of path or,
// where that is empty and there is one, of proflens.toml in the working directory or a
// folder above it, up to that of the repository.
func findRules(path string) (config *gate.Config, text []byte, err error) {
	if path == "" {
		if path, err = findUpwards(gate.FileName); err != nil || path == "" {
			return &gate.Config{}, nil, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > gate.MaxFile {
		return nil, nil, misused("%s has %d bytes; it may have %d", path, info.Size(), gate.MaxFile)
	}
	if text, err = os.ReadFile(path); err != nil {
		return nil, nil, err
	}
	config, err = gate.Parse(text)
	if fault, ok := errors.AsType[*gate.ConfigError](err); ok {
		fault.File = path
		return nil, nil, usageError{fault.Error()}
	}
	return config, text, err
}

// ruleWords are the beginnings of all rules about the profile itself, or a base.
func ruleWords() (words []string) {
	for i := range figures.Families {
		for _, m := range figures.Families[i].Measures {
			words = append(words, "min_"+m.Name+"=", "max_"+m.Name+"=")
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// listMeasures lists what rules can be of.
func listMeasures() string {
	w := &strings.Builder{}
	fmt.Fprintln(w, "Rules are min_NAME or max_NAME of these; against the base with _ratio or\n_growth at the end:")
	for i := range figures.Families {
		f := &figures.Families[i]
		fmt.Fprintf(w, "%s:\n", f.Needs)
		for j := range f.Measures {
			m := &f.Measures[j]
			name, title := m.Name, m.Title
			if m.Each {
				name += ":NAME"
			}
			if m.Unit == figures.Part {
				title += ", %"
			}
			if m.Pair {
				title += "; needs a base"
			}
			if m.Needs != "" {
				title += "; needs " + m.Needs
			}
			fmt.Fprintf(w, " %-22s %s\n", name, title)
		}
	}
	return w.String()
}

// findUpwards is the path of a file in the working directory or the nearest folder above
// it that has one, up to the root of a repository; empty where there is none.
func findUpwards(name string) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
			return path, err
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil || filepath.Dir(dir) == dir {
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}
