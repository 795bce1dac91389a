package command

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"proflens/profile/stored"
)

// The line comes after a second, has what is done, the share and the time left, and makes
// way; with -q there is none.
func TestProgressLine(t *testing.T) {
	for _, quiet := range []bool{false, true} {
		var out bytes.Buffer
		line := &progressLine{to: &out}
		ctx, stop := line.watch(t.Context())
		stop() // what follows draws by itself
		fs := pflag.NewFlagSet("merge", pflag.ContinueOnError)
		line.flag(fs)
		if quiet {
			if err := fs.Parse(twoDashes(fs, []string{"-q"})); err != nil {
				t.Fatal(err)
			}
		}
		began := line.began
		line.draw(began.Add(2 * time.Second)) // nothing is done yet
		stored.Report(ctx, "Merging files", 250, 1000)
		line.draw(began.Add(lineAfter / 2))
		if out.Len() > 0 {
			t.Errorf("before a second: %q", out.String())
		}
		line.draw(began.Add(lineAfter))
		said := out.String()
		if strings.Contains(said, "Merging") == quiet || strings.Contains(said, "25%") == quiet ||
			strings.Contains(said, "250/1000") == quiet || strings.Contains(said, "files/s") == quiet ||
			strings.Contains(said, "\n") {
			t.Errorf("quiet %v: %q", quiet, said)
		}
		stored.ReportBytes(ctx, "Sending", 1<<20, 0) // of nobody knows how many
		line.draw(began.Add(lineAfter))
		if strings.Contains(out.String(), "Sending") {
			t.Errorf("a step has a rate as it begins: %q", out.String())
		}
		line.draw(began.Add(lineAfter))
		if said = out.String()[len(said):]; strings.Contains(said, "Sending") == quiet {
			t.Errorf("quiet %v: %q", quiet, said)
		}
		stored.Report(ctx, "Waiting", 0, 0) // of a step before nothing stays
		out.Reset()
		line.draw(began.Add(lineAfter))
		if said = out.String(); (said == "") != quiet || strings.Trim(said, "\r ") != "" {
			t.Errorf("quiet %v: as a step begins, the line is %q", quiet, said)
		}
		line.draw(began.Add(lineAfter))
		if strings.Contains(out.String(), "Waiting") == quiet {
			t.Errorf("quiet %v: a step without a number says %q", quiet, out.String())
		}
		out.Reset()
		stored.Report(ctx, "", 0, 0)
		line.draw(began.Add(lineAfter))
		if strings.TrimSpace(strings.ReplaceAll(out.String(), "\x1b[2K", "")) != "" {
			t.Errorf("quiet %v: of nothing %q", quiet, out.String())
		}
	}
	if showsLine(&bytes.Buffer{}, func(string) string { return "" }) {
		t.Error("a line in a pipe")
	}
}

// Of standard input nobody knows how long it is, but what is sent of it is counted.
func TestSentIsCounted(t *testing.T) {
	var progress stored.Progress
	sent := &sending{ctx: stored.Watched(t.Context(), &progress)}
	for range 2 {
		if n, err := sent.Write([]byte("ab")); n != 2 || err != nil {
			t.Fatal(n, err)
		}
	}
	if now := progress.Now(); now.Done != 4 || now.Of != 0 || !now.Bytes {
		t.Errorf("%+v", now)
	}
}
