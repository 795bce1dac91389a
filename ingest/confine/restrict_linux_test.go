package confine

import "golang.org/x/sys/unix"

// restrictable reports whether this kernel can take rights from a process.
func restrictable() bool {
	_, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	return errno == 0
}
