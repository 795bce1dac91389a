package command

import (
	"proflens/handlers/site"
	"proflens/ingest"
)

// The types below fit the parts to the interfaces that the handlers declare.

// uploads is the ingest service with batches as an interface.
type uploads struct{ *ingest.Service }

func (u uploads) Begin() (site.Batch, error) {
	return u.Service.Begin()
}
