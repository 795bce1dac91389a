package confine

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"proflens/ingest/tasks"
)

// child is a child process as its parent has it.
type child struct {
	cmd    *exec.Cmd
	limits *Limits
	in     io.WriteCloser
	out    *bufio.Reader
	words  *tail // its standard error
	buffer []byte
	tasks  int
	waited int // times that it waited for a task

	heard int  // frames of its last task
	good  bool // its last task ended in an answer or a fault: it can do another
	lost  bool // its last task ended because it did not answer any more

	ended sync.Once
	died  error
}

// start starts a child, which is ready when its first frame arrives.
func start(l *Limits) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	limits, err := json.Marshal(l)
	if err != nil {
		return nil, err
	}
	c := &child{limits: l, words: &tail{}}
	c.cmd = exec.Command(self)
	c.cmd.Args = []string{"proflens: decoder"}
	c.cmd.Env = append(inherited(), envLimits+"="+string(limits))
	c.cmd.Dir = os.TempDir()
	c.cmd.Stderr = c.words
	attributes(c.cmd)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 64<<10)
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting a decoder: %w", err)
	}
	if k, _, err := readFrame(c.out, nil); err != nil || k != frameReady {
		c.kill()
		c.wait()
		return nil, fmt.Errorf("starting a decoder: %v: %s", err, c.words)
	}
	return c, nil
}

// inherited is what a child's environment has of its parent's: nothing that is
// secret.
func inherited() (env []string) {
	for _, name := range []string{"GOTRACEBACK", "GOCOVERDIR", "TMPDIR"} {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// do has the child do a task.
func (c *child) do(o order, answer any, out tasks.Out) error {
	c.tasks++
	c.heard, c.good, c.lost = 0, false, false
	if err := writeJSON(c.in, frameTask, o); err != nil {
		c.lost = true
		return err
	}
	var to io.Writer
	for {
		k, content, err := readFrame(c.out, c.buffer)
		if err != nil {
			c.lost = true
			return err
		}
		c.buffer = content[:0]
		c.heard++
		switch k {
		case frameProgress:
			var p tasks.Progress
			if err = json.Unmarshal(content, &p); err == nil && out.Progress != nil {
				out.Progress(p)
			}
		case frameHead:
			var h tasks.Head
			if err = json.Unmarshal(content, &h); err == nil && out.Begin != nil {
				to, err = out.Begin(h)
			}
		case frameData:
			if to == nil {
				return errors.New("a decoder streams what nobody asked for")
			}
			_, err = to.Write(content)
		case frameAnswer:
			c.good = true
			if answer == nil {
				return nil
			}
			return json.Unmarshal(content, answer)
		case frameFault:
			var f tasks.Fault
			if err := json.Unmarshal(content, &f); err != nil {
				return err
			}
			c.good = f.Death == nil
			return f.Err()
		default:
			err = fmt.Errorf("a decoder sends a frame %q", k)
		}
		if err != nil {
			return err
		}
	}
}

// Children are not kept for ever: what one task left in memory, the next need not
// have.
const maxTasks = 1000

// worn reports whether a child should not get another task. Its memory is given
// back with it.
func (c *child) worn() bool { return c.tasks >= maxTasks || c.large() }

func (c *child) kill() { c.cmd.Process.Kill() }

// wait returns what the end of the child says: a *tasks.Death, or nil for one that
// was ended by us.
func (c *child) wait() error {
	c.ended.Do(func() {
		c.in.Close()
		c.cmd.Wait()
		c.died = death(c.cmd.ProcessState, c.words.String(), c.limits)
	})
	return c.died
}

// death reads a child's end.
func death(state *os.ProcessState, words string, l *Limits) error {
	used := state.UserTime() + state.SystemTime()
	switch {
	case state.ExitCode() == exitMemory, strings.Contains(words, "out of memory"),
		strings.Contains(words, "cannot allocate memory"), strings.Contains(words, "failed to allocate"):
		return &tasks.Death{Cause: tasks.NoMemory}
	case state.ExitCode() < 0 && l.CPU > 0 && used >= l.CPU:
		return &tasks.Death{Cause: tasks.NoTime}
	case state.ExitCode() < 0 && words == "":
		return &tasks.Death{Cause: tasks.Killed, Says: state.String()}
	}
	return &tasks.Death{Cause: tasks.Crashed, Says: firstWords(words, state.String()), Stack: words}
}

// firstWords are what a panic says.
func firstWords(words, otherwise string) string {
	for line := range strings.Lines(words) {
		for _, begins := range []string{"panic: ", "fatal error: ", "unexpected fault address"} {
			if strings.HasPrefix(line, begins) {
				return strings.TrimSpace(strings.TrimPrefix(line, "panic: "))
			}
		}
	}
	return otherwise
}

// tail keeps the first of what is written, which names the fault, and drops the rest.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 32 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[:min(len(p), tailSize-len(t.text))]...)
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
