package pgtest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// onPostgres is set for a process whose tests are to run on PostgreSQL.
const onPostgres = "PROFLENS_TEST_ON_POSTGRES"

// On says that the tests of this process run on PostgreSQL.
var On = os.Getenv(onPostgres) != ""

// Both runs the tests of a package twice, at the same time: on SQLite in this process, and
// on PostgreSQL, if it can be started here, in another. It returns the exit status.
func Both(m *testing.M) int {
	if On {
		go func() { // the other process has ended, whatever became of it
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(1)
		}()
		return m.Run()
	}
	if !Have() {
		return m.Run()
	}
	var out bytes.Buffer
	other := exec.Command(os.Args[0])
	for _, arg := range os.Args[1:] {
		// Files that a test writes about itself are of this process.
		if !strings.Contains(arg, "testlogfile") && !strings.Contains(arg, "profile=") && !strings.Contains(arg, "trace=") {
			other.Args = append(other.Args, arg)
		}
	}
	other.Env = append(os.Environ(), onPostgres+"=1")
	other.Stdout, other.Stderr = &out, &out
	alive, err := other.StdinPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "on PostgreSQL:", err)
		return 1
	}
	status := m.Run()
	err = other.Wait()
	_ = alive.Close() // it was open until now
	fmt.Printf("on PostgreSQL:\n%s", out.Bytes())
	if err != nil {
		status = max(status, 1)
	}
	return status
}
