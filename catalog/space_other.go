//go:build !linux && !darwin && !freebsd

package catalog

import (
	"errors"
	"syscall"
)

const errQuota = syscall.ENOSPC

// diskOf cannot tell here.
func diskOf(string) (size, free int64, err error) { return 0, 0, errors.ErrUnsupported }
