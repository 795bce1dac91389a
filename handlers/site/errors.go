package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"syscall"

	"proflens/catalog"
	"proflens/catalog/objects"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/ingest"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// Faults of a request that have no error type of their own.
var (
	ErrNoRoute    = errors.New("there is nothing at this address")
	ErrMethod     = errors.New("this address does not support that method")
	ErrNeedsToken = errors.New("this server needs an upload token: send it as Authorization: Bearer TOKEN, " +
		"or log in at /login")
	ErrPrivate = errors.New("this server needs a token: send one as Authorization: Bearer TOKEN, or log in at " +
		"/login; ask the operator for one")
	ErrNoLogin    = errors.New("the token is unknown or has expired")
	ErrWrongToken = errors.New("the token does not belong to this profile")
	ErrNoToken    = errors.New("to change or delete a profile, send its delete token as X-Delete-Token: TOKEN, or an " +
		"upload token of the server as Authorization: Bearer TOKEN; the browser that uploaded it needs no token")
	ErrCrossOrigin = errors.New("the request comes from another site's page")
	errNoSources   = errors.New("the profile names no source files; give the program first, with its coverage mapping " +
		"or debug info")
	ErrNoFiles      = errors.New("the request has no file; send one as the body, or as a multipart part called file")
	ErrCutOff       = errors.New("the upload ended before its last byte")
	ErrNoFunction   = errors.New("the profile has no function with this fid")
	ErrNoOriginal   = errors.New("the profile has no original file of this name")
	ErrBusy         = errors.New("the server takes no more uploads at once; try again soon")
	ErrTooMany      = errors.New("too many requests from this address; wait a little")
	ErrBadMultipart = errors.New("the multipart body is malformed")
)

// Problem is an answer of RFC 9457, and what the error page shows.
type Problem struct {
	Type   string `json:"type"` // always "about:blank": kind says more
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail"`
	// Kind is the field's own word for a fault in a file (model.Kind), else a
	// word of kinds below.
	Kind      string           `json:"kind"`
	Param     string           `json:"parameter,omitempty"`
	Offset    *uint64          `json:"offset,omitempty"`
	ID        string           `json:"id,omitempty"`   // the profile, where an upload made one
	Link      string           `json:"link,omitempty"` // its page
	Finding   *model.Finding   `json:"finding,omitempty"`
	Token     string           `json:"delete_token,omitempty"`
	Progress  *ingest.Progress `json:"progress,omitempty"` // of a profile that is not ready
	RequestID string           `json:"request_id,omitempty"`

	header http.Header
}

// Kinds is the table from errors to answers, in both directions: by errors.Is,
// in this order.
var Kinds = []struct {
	Err    error
	Status int
	Kind   string
	title  string
}{
	{ErrNoFunction, http.StatusNotFound, "not_found", "No such function"},
	{ErrNotInFamily, http.StatusNotFound, "not_found", "Not in this profile"},
	{stored.ErrNoPart, http.StatusNotFound, "not_found", "Not in this profile"},
	{catalog.ErrNotFound, http.StatusNotFound, "not_found", "No such profile"},
	{ErrNoOriginal, http.StatusNotFound, "not_found", "No such file"},
	{ErrNoRoute, http.StatusNotFound, "not_found", "Not found"},
	{ErrMethod, http.StatusMethodNotAllowed, "method_not_allowed", "Method not allowed"},
	{ErrNeedsToken, http.StatusUnauthorized, "unauthorized", "Upload token needed"},
	{ErrPrivate, http.StatusUnauthorized, "unauthorized", "Token needed"},
	{ErrNoToken, http.StatusUnauthorized, "unauthorized", "Delete token needed"},
	{ErrNoLogin, http.StatusForbidden, "forbidden", "Wrong token"},
	{ErrWrongToken, http.StatusForbidden, "forbidden", "Wrong token"},
	{ErrCrossOrigin, http.StatusForbidden, "cross_origin", "Request from another site"},
	{ErrNoFiles, http.StatusBadRequest, "bad_request", "No file"},
	{errNoSources, http.StatusUnprocessableEntity, "incompatible", "No source files"},
	{ErrCutOff, http.StatusBadRequest, "incomplete_upload", "Upload cut off"},
	{ErrBusy, http.StatusServiceUnavailable, "busy", "Too many uploads at once"},
	{ErrTooMany, http.StatusTooManyRequests, "too_many_requests", "Too many requests"},
	{ErrBadMultipart, http.StatusBadRequest, "bad_request", "Malformed multipart body"},
	{catalog.ErrNotFailed, http.StatusConflict, "nothing_to_salvage", "Nothing to salvage"},
	{catalog.ErrRebuilding, http.StatusServiceUnavailable, "rebuilding", "The tables are being rebuilt"},
	{catalog.ErrNewer, http.StatusServiceUnavailable, "newer_version", "Made by a newer version"},
	{catalog.ErrGarbage, http.StatusConflict, "deleted_meanwhile", "The same file was being deleted"},
	{catalog.ErrBadCursor, http.StatusBadRequest, "bad_parameter", "Invalid cursor"},
	{context.DeadlineExceeded, http.StatusServiceUnavailable, "timeout", "Out of time"},
	{context.Canceled, statusClientGone, "canceled", "Request cancelled"},
}

// refusals are titles of what the budget of requests has no room for.
var refusals = map[budget.Why]string{
	budget.TooMuch: "Too large for this server", budget.Busy: "The server is busy", budget.TooLong: "Out of time",
}

// statusClientGone is what the log says when nobody waited for the answer.
const statusClientGone = 499

// Absent is the answer where an address names something of a profile that it
// does not have.
type Absent struct{ Title, Detail string }

func (e *Absent) Error() string { return e.Detail }

// ProblemOf turns any error into an answer. What is not in the tables is our
// fault: it is told as such and stands whole in the log only.
func ProblemOf(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	if param, ok := errors.AsType[*ParamError](err); ok {
		return &Problem{
			Status: http.StatusBadRequest, Kind: "bad_parameter", Title: "Invalid parameter", Detail: param.Error(),
			Param: param.Param,
		}
	}
	if gone, ok := errors.AsType[*catalog.GoneError](err); ok {
		return &Problem{Status: http.StatusGone, Kind: string(gone.State), Title: "Gone", Detail: gone.Error()}
	}
	if field, ok := errors.AsType[*ingest.RequestError](err); ok {
		return &Problem{
			Status: http.StatusBadRequest, Kind: "bad_parameter", Title: "Invalid parameter", Detail: field.Error(),
			Param: field.Field,
		}
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(fmt.Sprintf("this server takes at most %d bytes in one request", large.Limit))
	}
	if refusal, ok := errors.AsType[*budget.Refusal](err); ok {
		return &Problem{Status: http.StatusServiceUnavailable, Kind: string(refusal.Why), Title: refusals[refusal.Why],
			Detail: refusal.Error(),
			header: http.Header{"Retry-After": {refusal.RetryAfter()}}}
	}
	if limit, ok := errors.AsType[*ingest.LimitError](err); ok {
		return tooLarge(limit.Error())
	}
	if lossy, ok := errors.AsType[*encode.LossError](err); ok {
		return &Problem{Status: http.StatusConflict, Kind: string(model.KindLossy), Title: "Needs a lossy export",
			Detail: lossy.Unwrap().(*model.FormatError).Message() + "; lossy=true leaves it out"}
	}
	if format, ok := model.FaultIn(err); ok {
		return &Problem{
			Status: http.StatusUnprocessableEntity, Kind: string(format.Kind), Title: "Cannot be decoded",
			Detail: format.Message(), Offset: &format.Offset,
		}
	}
	if none, ok := errors.AsType[*Absent](err); ok {
		return &Problem{Status: http.StatusNotFound, Kind: "not_found", Title: none.Title, Detail: none.Detail}
	}
	if room, ok := errors.AsType[*catalog.SpaceError](err); ok {
		return &Problem{
			Status: http.StatusInsufficientStorage, Kind: "no_room", Title: "No disk space", Detail: room.Error(),
			header: http.Header{"Retry-After": {"60"}},
		}
	}
	if away, ok := errors.AsType[*objects.UnavailableError](err); ok {
		return problemOfStore(away)
	}
	if original, ok := errors.AsType[*catalog.OriginalError](err); ok {
		return &Problem{
			Status: http.StatusInternalServerError, Kind: "original_damaged", Title: "The original is damaged or lost",
			Detail: original.Error(),
		}
	}
	for _, k := range Kinds {
		if errors.Is(err, k.Err) {
			p := &Problem{Status: k.Status, Kind: k.Kind, Title: k.title, Detail: told(err, k.Err)}
			if k.Err == catalog.ErrBadCursor {
				p.Param = "cursor"
			}
			if k.Err == catalog.ErrNewer { // how long an upgrade takes nobody knows
				p.header = http.Header{"Retry-After": {"15"}}
			}
			return p
		}
	}
	if p := problemOfDisk(err); p != nil {
		return p
	}
	if catalog.IsAway(err) || catalog.IsLocked(err) {
		return &Problem{Status: http.StatusServiceUnavailable, Kind: "catalog_away", Title: "The catalog cannot be reached",
			Detail: "the server's database does not answer just now; nothing of the request was stored unless it is listed; " +
				"try again soon", header: http.Header{"Retry-After": {"5"}}}
	}
	return &Problem{Status: http.StatusInternalServerError, Kind: string(model.KindInternal), Title: "Server error",
		Detail: "the request failed; the server's log says why, under this request ID"}
}

// problemOfStore is the answer to a fault of the object store: nothing is lost, and it
// may be over soon.
func problemOfStore(away *objects.UnavailableError) *Problem {
	p := &Problem{Status: http.StatusServiceUnavailable, Kind: "store_unavailable",
		Title: "The object store does not answer",
		Detail: "files of profiles lie in a store that cannot be reached now; nothing is lost, and the same request works " +
			"again once it is back",
		header: http.Header{"Retry-After": {"15"}}}
	if errors.Is(away, objects.ErrFull) {
		p.Status, p.Kind, p.Title = http.StatusInsufficientStorage, "store_full", "The object store is full"
		p.Detail = "nothing can be stored until the operator frees space there; reading and deleting still work"
		p.header = http.Header{"Retry-After": {"60"}}
	}
	return p
}

// problemOfDisk is the answer to a fault of the server's disk: what it is, and no
// path.
func problemOfDisk(err error) *Problem {
	switch {
	case catalog.IsFull(err):
		return &Problem{Status: http.StatusInsufficientStorage, Kind: "disk_full", Title: "The server's disk is full",
			Detail: "nothing can be stored until the operator frees space; reading and deleting still work"}
	case errors.Is(err, syscall.EROFS):
		return &Problem{Status: http.StatusServiceUnavailable, Kind: "read_only",
			Title:  "The server's disk cannot be written to",
			Detail: "nothing can be stored until the operator makes the data folder writable; reading still works"}
	case errors.Is(err, syscall.EIO):
		return &Problem{Status: http.StatusInternalServerError, Kind: "disk_error", Title: "The server's disk has failed",
			Detail: "part of it could not be read or written; the operator can find what is lost with: proflens check"}
	}
	return nil
}

// told is an error in words for a client: its own, or only those of its kind where the
// file system or several errors have a part in them, which name files of the server.
func told(err, kind error) string {
	var path *fs.PathError
	var link *os.LinkError
	var several interface{ Unwrap() []error }
	if errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &several) {
		return kind.Error()
	}
	return err.Error()
}

func tooLarge(what string) *Problem {
	return &Problem{Status: http.StatusRequestEntityTooLarge, Kind: string(model.KindTooLarge), Title: "Upload too large",
		Detail: what + "; compress the files, send fewer at once, or ask the server's operator to raise its limit"}
}

// Error makes a problem an error, so that a handler can return one it composed.
func (p *Problem) Error() string { return p.Title + ": " + p.Detail }
