package command

import (
	"context"
	"io"
	"maps"
	"os"

	"proflens/analyze/sources"
	"proflens/builds/gate"
	figures "proflens/builds/measures"
	"proflens/decode/unidiff"
	"proflens/profile/stored"
)

// changed adds how the lines ran that the diff adds.
func (c *gateConfig) changed(ctx context.Context, test []*stored.Profile, f *gate.Figures) error {
	diff, err := c.readDiff()
	if err != nil {
		return err
	}
	for _, p := range test {
		set, err := figures.Changed(ctx, p, diff, sourceLines)
		if err != nil {
			return err
		}
		maps.Copy(f.Test, set)
	}
	return nil
}

// readDiff reads the diff of the command line.
func (c *gateConfig) readDiff() ([]unidiff.File, error) {
	if c.diff == "-" {
		return unidiff.Parse(c.in)
	}
	file, err := os.Open(c.diff)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return unidiff.Parse(file)
}

// sourceLines is the text of a source file where it is on this machine. Without it hunks
// are taken as they are.
func sourceLines(name string) (lines [][]byte, ok bool, err error) {
	text, ok, err := sourceText(context.Background(), name)
	return sources.Lines(text), ok, err
}

// sourceText is that in one.
func sourceText(_ context.Context, name string) (text []byte, ok bool, err error) {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > sources.MaxText {
		return nil, false, nil
	}
	text, err = os.ReadFile(name)
	return text, err == nil, nil
}

// diffText is the diff as it is sent.
func (c *gateConfig) diffText() ([]byte, error) {
	if c.diff == "-" {
		return io.ReadAll(io.LimitReader(c.in, unidiff.MaxSize+1))
	}
	return os.ReadFile(c.diff)
}
