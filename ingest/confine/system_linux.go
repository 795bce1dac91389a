package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// attributes has the system end a child with its parent, and keep the terminal's
// signals from it.
func attributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// confine sets the limits of this process and gives up the rights that it does not
// need. Rights belong to a thread, and Go has made several by now: so the
// process is begun anew from the thread that has given them up.
func confine(l *Limits) error {
	if os.Getenv(envConfined) != "" {
		return nil
	}
	for _, limit := range []struct {
		resource int
		most     uint64
	}{
		{unix.RLIMIT_DATA, uint64(l.Memory) + goReserve},
		{unix.RLIMIT_CPU, uint64(l.CPU.Seconds()) + 1},
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, 512},
	} {
		var has unix.Rlimit
		if err := unix.Getrlimit(limit.resource, &has); err != nil {
			return fmt.Errorf("reading a limit: %w", err)
		}
		most := min(limit.most, has.Max) // the operator's own may be lower
		if err := unix.Setrlimit(limit.resource, &unix.Rlimit{Cur: most, Max: most}); err != nil {
			return fmt.Errorf("setting a limit: %w", err)
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("giving up new privileges: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("ending with the server: %w", err)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	switch err := restrict(l, self); {
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		return nil // an older kernel; the limits hold
	case err != nil:
		return fmt.Errorf("giving up rights to files: %w", err)
	}
	return fmt.Errorf("beginning anew: %w", unix.Exec(self, os.Args, append(os.Environ(), envConfined+"=yes")))
}

// goReserve is what the runtime maps for itself beside the heap.
const goReserve = 256 << 20

// What a confined process may do with what it is named.
const (
	rightsRead  = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	rightsRun   = rightsRead | unix.LANDLOCK_ACCESS_FS_EXECUTE
	rightsWrite = rightsRead | unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_REMOVE_FILE
)

// restrict gives up all rights to files but those to the folders of the limits, to
// the program itself and to the libraries that it is loaded with; and all rights to
// the network that the kernel can take.
func restrict(l *Limits, self string) error {
	version, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno == unix.EPERM {
		errno = unix.ENOSYS // asking for the version needs no right: a container's filter does not know the call
	}
	if errno != 0 {
		return errno
	}
	attr := unix.LandlockRulesetAttr{Handled_access_fs: 1<<13 - 1} // of the first version
	write := uint64(rightsWrite)
	if version >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
		write |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
		write |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	size := uintptr(8)
	if version >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size = 16
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return errno
	}
	defer unix.Close(int(fd))
	rights := map[string]uint64{self: unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_EXECUTE}
	for _, dir := range []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64"} {
		rights[dir] = rightsRun
	}
	for _, file := range []string{
		"/etc/ld.so.cache", "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "/dev/null", "/dev/urandom",
	} {
		rights[file] = unix.LANDLOCK_ACCESS_FS_READ_FILE
	}
	for _, dir := range l.Read {
		rights[dir] = rightsRead
	}
	for _, dir := range l.Write {
		rights[dir] = write
	}
	for path, may := range rights {
		if err := permit(int(fd), path, may); err != nil && !errors.Is(err, unix.ENOENT) {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

func permit(ruleset int, path string, rights uint64) error {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(at)}
	if _, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset), unix.LANDLOCK_RULE_PATH_BENEATH,
		uintptr(unsafe.Pointer(&rule)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// largeMemory is how much a child may keep between tasks.
const largeMemory = 128 << 20

// large reports whether a child has more memory, or has used more processor time,
// than one that waits should.
func (c *child) large() bool {
	dir := filepath.Join("/proc", strconv.Itoa(c.cmd.Process.Pid))
	statm, err := os.ReadFile(filepath.Join(dir, "statm"))
	if err != nil {
		return true
	}
	fields := strings.Fields(string(statm))
	if len(fields) < 2 {
		return true
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	return err != nil || pages*int64(os.Getpagesize()) > largeMemory
}
