// Package anatomyweb is the pages and the API of what files are made of: their sections, fields
// and bytes, where the data of a function stand, what decoding found, and what of a file that is
// cut short can be read.
package anatomyweb

import (
	"proflens/decode/model"
	"proflens/handlers/site"
)

// Handler answers for the files of profiles, of those that could not be decoded too.
type Handler struct {
	*site.Site
	Decodes   site.Slots // held by a request that has originals decoded
	anatomies site.Decoded[anatomyOf, *model.Anatomy]
}
