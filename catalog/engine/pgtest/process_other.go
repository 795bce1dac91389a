//go:build !unix

package pgtest

import (
	"errors"
	"os/user"
	"syscall"
)

// attributes are those of PostgreSQL's process, which is not started here.
func attributes(string, **user.User) (*syscall.SysProcAttr, error) { return nil, errors.ErrUnsupported }
