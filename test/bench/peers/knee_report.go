package main

import (
	"fmt"
	"os"
	"strings"

	"proflens/internal/humanize"
	"proflens/test/bench/plot"
)

// knees are the sizes at which growth is measured, and where the picture and the table go.
type knees struct {
	functions, contexts, files []int
	large                      int // functions of the largest profile; 0 measures no large files
	dir, picture, page         string
}

// knee measures how time and memory grow with size, and writes that down.
func (b bench) knee(k knees) error {
	if err := os.MkdirAll(k.dir, 0o755); err != nil {
		return err
	}
	functions, contexts, files := axis{of: "functions"}, axis{of: "allocation contexts"}, axis{
		of: "raw files of one program",
	}
	for _, part := range []struct {
		a       *axis
		sizes   []int
		measure func(a *axis, dir string, n int) error
	}{
		{&functions, k.functions, b.kneeOfFunctions}, {&contexts, k.contexts, b.kneeOfContexts},
		{&files, k.files, b.kneeOfFiles},
	} {
		fmt.Println(part.a.of)
		for _, n := range part.sizes {
			if err := part.measure(part.a, k.dir, n); err != nil {
				return err
			}
		}
	}
	var large []ceiling
	if k.large > 0 {
		var err error
		if large, err = b.largest(k.dir, k.large); err != nil {
			return err
		}
	}
	axes := []*axis{&functions, &contexts, &files}
	if err := os.WriteFile(k.picture, []byte(picture(axes)), 0o644); err != nil {
		return err
	}
	return between(k.page, "knee", tables(axes, large))
}

// picture has a column of panels an axis: wall time above memory.
func picture(axes []*axis) string {
	rows := make([][]plot.Panel, 2)
	for _, a := range axes {
		panels := [2]plot.Panel{
			{Title: "Wall time", Sizes: a.of, Mark: func(v float64) string { return wall.format(v) }},
			{Title: "Peak memory of its own", Sizes: a.of, Mark: func(v float64) string { return memory.format(v) }},
		}
		for _, g := range a.growths {
			panels[0].Lines = append(panels[0].Lines, plot.Line{Name: g.name, Points: g.wall})
			panels[1].Lines = append(panels[1].Lines, plot.Line{Name: g.name, Points: g.memory})
		}
		for i := range rows {
			rows[i] = append(rows[i], panels[i])
		}
	}
	return plot.SVG("Wall time and memory against the number of functions, contexts and files, on logarithmic axes", rows)
}

// tables are the same figures, and what large files took, in Markdown.
func tables(axes []*axis, large []ceiling) string {
	var b strings.Builder
	for _, a := range axes {
		if len(a.growths) == 0 {
			continue
		}
		fmt.Fprintf(&b, "| %s |", a.of)
		for _, at := range a.growths[0].wall {
			fmt.Fprintf(&b, " %s |", humanize.Int(int(at.Size)))
		}
		b.WriteString(" grows evenly |\n|" + strings.Repeat(" --- |", len(a.growths[0].wall)+2) + "\n")
		for _, g := range a.growths {
			fmt.Fprintf(&b, "| %s |", g.name)
			for i := range g.wall {
				fmt.Fprintf(&b, " %s, %s |", wall.format(g.wall[i].Value), memory.format(g.memory[i].Value))
			}
			verdict := "yes"
			if at := g.knee(); at > 0 {
				verdict = "not to " + humanize.Int(int(at))
			}
			fmt.Fprintf(&b, " %s |\n", verdict)
		}
		b.WriteString("\n")
	}
	if len(large) > 0 {
		b.WriteString("| taken in | bytes | stored after | server and child, own memory | with the files they map |\n| " +
			"--- | --- | --- | --- | --- |\n")
		for _, c := range large {
			ready := wall.format(c.ready.Seconds())
			if c.failed != nil {
				ready = "not: " + c.failed.Error()
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", c.what, stored.format(float64(c.bytes)), ready,
				memory.format(float64(c.most.own)), memory.format(float64(c.most.all)))
		}
		b.WriteString("\n")
	}
	return b.String()
}

// between replaces what stands between two marks of a page.
func between(path, mark, text string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := "<!-- "+mark+" -->\n", "<!-- /"+mark+" -->"
	head, rest, ok := strings.Cut(string(page), begin)
	_, tail, ended := strings.Cut(rest, end)
	if !ok || !ended {
		return fmt.Errorf("%s has no %q with %q behind it", path, strings.TrimSpace(begin), end)
	}
	return os.WriteFile(path, []byte(head+begin+"\n"+text+end+tail), 0o644)
}
