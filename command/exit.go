package command

import (
	"errors"
	"flag"

	"proflens/decode/model"
)

// exitStatus is the one table from errors to exit statuses.
func exitStatus(err error) int {
	var usage usageError
	var format *model.FormatError
	var faults faultsError
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &format), errors.As(err, &faults):
		return exitMalformed
	}
	return exitIO
}
