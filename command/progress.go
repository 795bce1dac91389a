package command

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/pflag"

	"proflens/internal/recovery"
	"proflens/profile/stored"
)

const (
	lineAfter = time.Second            // what takes less shows no line
	lineEvery = 200 * time.Millisecond // is how often it is drawn
)

// progressLine is the line on a terminal that says how far a long command is.
type progressLine struct {
	to       io.Writer // standard error
	progress stored.Progress
	began    time.Time

	mu    sync.Mutex
	quiet bool
	step  stored.Step
	bar   *progressbar.ProgressBar // of the step; nil before the first
	shown bool                     // it is drawn, and not only counting
}

// Write draws what the bar wants to be drawn. The lock is held.
func (l *progressLine) Write(p []byte) (int, error) {
	if !l.shown {
		return len(p), nil
	}
	return l.to.Write(p)
}

// showsLine reports whether somebody watches standard error, to whom a line is of use.
func showsLine(stderr io.Writer, getenv func(string) string) bool {
	return isScreen(stderr) && getenv("CI") == "" && getenv("TERM") != "dumb"
}

// flag is -q.
func (l *progressLine) flag(fs *pflag.FlagSet) {
	fs.BoolFuncP("q", "q", "show no progress", func(value string) error {
		quiet, err := strconv.ParseBool(value)
		if quiet {
			l.hush()
		}
		return err
	})
}

// hush is what -q does.
func (l *progressLine) hush() {
	l.mu.Lock()
	l.quiet = true
	l.mu.Unlock()
}

// watch draws the line while a command works under the context that it returns, until stop.
func (l *progressLine) watch(ctx context.Context) (watched context.Context, stop func()) {
	l.began = time.Now()
	end := ticking(ctx, l.draw)
	return stored.Watched(ctx, &l.progress), func() {
		end()
		l.clear()
	}
}

// ticking does something now and then until stop.
func ticking(ctx context.Context, do func(now time.Time)) (stop func()) {
	done := make(chan struct{})
	group, _ := recovery.WithContext(ctx)
	group.Go(func() error {
		for tick := time.NewTicker(lineEvery); ; {
			select {
			case <-done:
				tick.Stop()
				return nil
			case now := <-tick.C:
				do(now)
			}
		}
	})
	return func() {
		close(done)
		_ = group.Wait() // what is shown is no fault of what is done
	}
}

// draw draws the line as it is by now.
func (l *progressLine) draw(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	step := l.progress.Now()
	if l.quiet {
		return
	}
	if step.Doing == "" {
		l.wipe()
		l.bar = nil
		return
	}
	begins := l.bar == nil || step.Doing != l.step.Doing || step.Of != l.step.Of
	if begins {
		l.wipe() // the line of the step before, which the new one's bar knows nothing of
		l.bar = newBar(l, step)
	}
	// A step that begins has no rate yet: what was done before would have taken no time.
	l.step, l.shown = step, now.Sub(l.began) >= lineAfter && !begins
	_ = l.bar.Set(step.Done) // the command's own errors say what is wrong
	if step.Done == 0 {
		_ = l.bar.RenderBlank() // a step without a number, such as waiting, says what it is all the same
	}
}

func newBar(to io.Writer, step stored.Step) *progressbar.ProgressBar {
	most := step.Of
	if most == 0 {
		most = -1 // not known
	}
	options := []progressbar.Option{
		progressbar.OptionSetDescription(step.Doing), progressbar.OptionSetWriter(to), progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
	}
	switch {
	case step.Bytes:
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowBytes(true))
	case step.Of > 0:
		_, things, _ := strings.Cut(step.Doing, " ") // "Copying originals" is told in originals/s
		options = append(options, progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionSetItsString(things))
	}
	return progressbar.NewOptions(most, options...)
}

// clear takes the line away, until it is drawn again.
func (l *progressLine) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wipe()
}

func (l *progressLine) wipe() {
	if l.bar != nil {
		_ = l.bar.Clear()
	}
}

// above is a stream of a command to the terminal that has the line, which makes way.
type above struct {
	*os.File
	line *progressLine
}

// Write writes where the line was.
func (a above) Write(p []byte) (int, error) {
	a.line.clear()
	return a.File.Write(p)
}

// WriteString is Write, and not the file's.
func (a above) WriteString(s string) (int, error) { return a.Write([]byte(s)) }

// ReadFrom copies by Write, and not as the file would.
func (a above) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{a}, r) }

// withLine has the streams of a command make way for its line.
func (s stdio) withLine(line *progressLine) stdio {
	for _, w := range []*io.Writer{&s.out, &s.err} {
		if file, ok := (*w).(*os.File); ok && isScreen(file) {
			*w = above{file, line}
		}
	}
	s.line = line
	return s
}
