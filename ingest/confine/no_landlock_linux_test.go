package confine

import (
	"os"
	"os/exec"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"proflens/ingest/tasks"
)

// envRefuse has the test below run as on a kernel, or in a container, that answers
// Landlock's first call with this error.
const envRefuse = "PROFLENS_TEST_REFUSE_LANDLOCK"

// refuseLandlock has the system answer landlock_create_ruleset with an error, in this
// process and in all that it starts: as a container's filter of system calls does.
func refuseLandlock(errno uint32) error {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the call's number
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_LANDLOCK_CREATE_RULESET, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | errno},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, err := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC,
		uintptr(unsafe.Pointer(&program)))
	if err != 0 {
		return err
	}
	return nil
}

// Where Landlock is not, be it that the kernel is too old, that it was left out at
// start, or that a container's filter refuses the call, children work with their other
// limits. Any other answer is an error, and no child works without its limits.
func TestWithoutLandlock(t *testing.T) {
	if refused := os.Getenv(envRefuse); refused != "" {
		underRefusal(t, refused)
		return
	}
	for _, errno := range []unix.Errno{unix.ENOSYS, unix.EOPNOTSUPP, unix.EPERM, unix.EINVAL} {
		t.Run(unix.ErrnoName(errno), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestWithoutLandlock$", "-test.v")
			cmd.Env = append(os.Environ(), envRefuse+"="+strconv.Itoa(int(errno)))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func underRefusal(t *testing.T, refused string) {
	errno, err := strconv.ParseUint(refused, 10, 16)
	if err != nil {
		t.Fatal(err)
	}
	if err := refuseLandlock(uint32(errno)); err != nil {
		t.Skip("this system has no filters of system calls:", err)
	}
	if _, _, got := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0,
		unix.LANDLOCK_CREATE_RULESET_VERSION); got != unix.Errno(errno) {
		t.Fatalf("Landlock answers %v", got)
	}
	p, originals, _ := newPool(t)
	var a tasks.Layout
	task := &tasks.Anatomy{File: original(t, originals, realProfile)}
	err = p.Run(t.Context(), task, &a, tasks.Out{})
	if works := unix.Errno(errno) != unix.EINVAL; works != (err == nil) {
		t.Errorf("%v with limits only", err)
	}
}
