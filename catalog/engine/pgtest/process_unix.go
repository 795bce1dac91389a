//go:build unix

package pgtest

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// attributes are those of PostgreSQL's process. It refuses to run as root; then another
// has the folder and runs it.
func attributes(dir string, who **user.User) (*syscall.SysProcAttr, error) {
	as := &syscall.SysProcAttr{Setpgid: true} // an interrupt is for the test
	if os.Getuid() != 0 {
		return as, nil
	}
	other, err := user.Lookup("postgres")
	if err != nil {
		other, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(other.Uid)
	gid, _ := strconv.Atoi(other.Gid)
	as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	*who = other
	return as, os.Chown(dir, uid, gid)
}
