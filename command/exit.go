package command

import (
	"errors"
	"strconv"

	"proflens/decode/model"
)

// exitStatus is the one table from errors to exit statuses.
func exitStatus(err error) int {
	var usage usageError
	var format *model.FormatError
	var faults faultsError
	var status exited
	var gate gateError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &format), errors.As(err, &faults):
		return exitMalformed
	case errors.As(err, &gate):
		return exitGate
	case errors.As(err, &status):
		return int(status)
	}
	return exitIO
}

// exited is the status of a command that has told its errors itself.
type exited int

func (e exited) Error() string { return "exit status " + strconv.Itoa(int(e)) }
