package command

import (
	"os"
	"strings"
	"testing"
)

// Whatever else there is to say at the start comes after the address.
func TestTheFirstLineIsTheAddress(t *testing.T) {
	p := serveProcess(t, "http", "-private") // without a token, of which it warns
	p.Process.Signal(os.Interrupt)
	p.ended()
	first, rest, _ := strings.Cut(p.said.String(), "\n")
	if !strings.HasPrefix(first, "Proflens serves on http://"+p.addr+"/") || !strings.Contains(rest, "no token yet") {
		t.Errorf("%q, then %q", first, rest)
	}
}
