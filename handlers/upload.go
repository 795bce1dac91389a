package handlers

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"proflens/catalog"
	"proflens/handlers/nameweb"
	"proflens/handlers/site"
	"proflens/ingest"
)

// Bounds of what stands beside the files of an upload.
const (
	maxFieldBytes = 64 << 10
	maxParts      = 10000
)

// How long an upload waits for decoding before it is answered. One that does not say how long
// is answered as soon as its first pages can be seen.
const (
	defaultWait = 30 * time.Second
	formWait    = 2 * time.Second // a browser: small profiles open at once, for others there is a page that waits
	maxWait     = 5 * time.Minute
)

// upload is one request that brings files.
type upload struct {
	batch  collector
	fields url.Values // of the query and of the form
	files  int
}

// collector takes the files of a request in.
type collector interface {
	Add(ctx context.Context, filename string, r io.Reader) error
}

// uploadKeys are the fields of an upload, in the query or in the form.
const uploadParams = `
	?name: Name of the profile. Default: the name of the first file.
	?label list: A label, as k=v.
	?project: Project of the profile.
	?branch: Branch of the program's commit; kept as the label branch.
	?commit: Commit that the program was built from; kept as the label commit.
	?workload: What the program ran: a benchmark, a test, production; kept as the label workload.
	?expires: How long to keep the profile, such as 36h or 7d, or an RFC 3339 time to keep it until.
	?visibility listed|unlisted: Default: the server's.
	?group one|auto: With one, all files form one profile; with auto, they are grouped by content.
	?salvage 0|1|false|true|no|yes: Decodes the readable beginning of raw files that are cut short and marks the
	profile partial. You can add files to a partial profile only with this set.
	?wait: How long to wait until all is decoded and stored, such as 30s. Default: until the first pages can be
	seen, and 30s at most.
	?filename: Name of the file in a raw body.`

var uploadKeys = strings.Fields(`
	name label project branch commit workload expires visibility group salvage wait filename`)

const putFileAtRootSays = `uploads putFileAtRoot: Upload one file` + putFilesSay

const putFileSays = `uploads putFile: Upload one file` + putFilesSay

const putFilesSay = `
	Unpacks gzip, zstd, xz, bzip2, zip and tar.
	?id: File name; the last part of the URL, so that curl -T works.
	<bytes
	>201 Profile|ProfileList receipt: Decoded. With group=auto, a list.
	+Location: The profile's page.
	>202 Profile|ProfileList receipt: Stored, still decoding.
	+Location: The profile's page.
	>303: For a browser: the profile's page.
	>400 401 403 413 422` + uploadParams

// putFile is PUT /{filename} and PUT /api/v1/profiles/{filename}: curl -T.
// The parameter of both routes is {id}, since the second has that path.
func (s *server) putFile(w http.ResponseWriter, r *http.Request) error {
	name := chi.URLParam(r, "id")
	if r.URL.RawPath != "" { // chi routes by it where it is set, and else by the decoded path
		var err error
		if name, err = url.PathUnescape(name); err != nil {
			return &site.ParamError{Msg: "the file name in the address is not percent-encoded correctly"}
		}
	}
	return s.upload(w, r, name, defaultWait)
}

const postProfilesSays = `
	uploads postProfiles: Upload files
	Send a raw body, or multipart with parts named file. Unpacks gzip, zstd, xz, bzip2, zip and tar.
	<form upload_token: The upload token, if the server needs one and you cannot set the header. Must come before the
	files.
	<bytes
	>201 Profile|ProfileList receipt: Decoded. With group=auto, a list.
	+Location: The profile's page.
	>202 Profile|ProfileList receipt: Stored, still decoding.
	+Location: The profile's page.
	>303: For a browser: the profile's page.
	>400 401 403 413 422` + uploadParams

// postProfiles is POST /api/v1/profiles: a raw body or multipart.
func (s *server) postProfiles(w http.ResponseWriter, r *http.Request) error {
	return s.upload(w, r, r.URL.Query().Get("filename"), defaultWait)
}

// uploadForm is POST /upload, the form of the home page.
func (s *server) uploadForm(w http.ResponseWriter, r *http.Request) error {
	return s.upload(w, r, "", formWait)
}

// upload takes the files in, waits for them to be decoded, and answers.
func (s *server) upload(w http.ResponseWriter, r *http.Request, name string, long time.Duration) error {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return err
	}
	defer batch.Discard() // nothing is left to discard after Commit
	u, err := s.receive(w, r, name, s.NeedsUpload, batch)
	if err != nil {
		return err
	}
	request, until, err := u.request(wait{long: long})
	if err != nil {
		return err
	}
	// What has arrived whole is stored, even if the client does not stay.
	accepted, err := batch.Commit(context.WithoutCancel(r.Context()), request)
	if err != nil {
		return err
	}
	s.await(r.Context(), accepted, until)
	for i := range accepted {
		s.counts.uploaded(&accepted[i].Entry)
	}
	return s.answerUpload(w, r, accepted, request.Group == "auto")
}

const postFilesSays = `
	uploads postFiles: Add files to a profile
	The profile is decoded again and answers from its old tables until that is done. Needs the profile's delete token
	or an upload token.
	<form token: The delete token or an upload token, if you cannot set a header. Must come before the files.
	<bytes
	>201 Profile|ProfileList receipt: Decoded. With group=auto, a list.
	+Location: The profile's page.
	>202 Profile|ProfileList receipt: Stored, still decoding.
	+Location: The profile's page.
	>303: For a browser: the profile's page.
	>400 401 403 404 410 413 422` + uploadParams

// postFiles is POST /profiles/{id}/files: the profile is decoded again with
// more files, and answers from its old tables until then.
func (s *server) postFiles(w http.ResponseWriter, r *http.Request) error {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return err
	}
	defer batch.Discard()
	u, err := s.receive(w, r, r.URL.Query().Get("filename"), s.NeedsOwner, batch)
	if err != nil {
		return err
	}
	request, until, err := u.request(wait{defaultWait, true}) // it answers from its old tables until then
	if err != nil {
		return err
	}
	accepted, err := batch.AddTo(context.WithoutCancel(r.Context()), s.Entry(r).ID, request.Salvage)
	if err != nil {
		return err
	}
	all := []ingest.Accepted{accepted}
	s.await(r.Context(), all, until)
	return s.answerUpload(w, r, all, false)
}

// wait is what an upload waits for.
type wait struct {
	long  time.Duration // at most
	whole bool          // all is to be stored, not just what the first pages need
}

// await waits until the profiles are ready or failed, or as far as is wanted, for a while, or
// until the server stops. Whatever happens here, they are stored.
func (s *server) await(ctx context.Context, accepted []ingest.Accepted, until wait) {
	waiting, cancel := context.WithTimeout(ctx, until.long)
	defer cancel()
	if s.Stopping != nil {
		defer context.AfterFunc(s.Stopping, cancel)()
	}
	enough := s.Ingest.WaitShown
	if until.whole {
		enough = s.Ingest.Wait
	}
	for i := range accepted {
		id := accepted[i].Entry.ID
		e, err := enough(waiting, id)
		if err != nil {
			e, err = s.Store.Entry(ctx, id)
		}
		if err == nil {
			accepted[i].Entry = *e
		}
	}
}

// needs is what a request has to show before its first file is taken; it may be
// given tokens of a form's fields. It returns why that is not enough.
type needs func(r *http.Request, fields ...string) error

// receive streams the request's files into a batch.
func (s *server) receive(w http.ResponseWriter, r *http.Request, name string, needs needs,
	batch collector) (*upload, error) {
	body := r.Body
	if !s.uploads.Try() {
		w.Header().Set("Retry-After", "5")
		drain(r, body)
		return nil, site.ErrBusy
	}
	defer s.uploads.Give()
	if s.MaxUpload > 0 {
		r.Body = http.MaxBytesReader(w, body, s.MaxUpload)
	}
	u, err := s.receiveBody(r, name, needs, batch)
	if err != nil {
		drain(r, body)
	}
	return u, err
}

func (s *server) receiveBody(r *http.Request, name string, needs needs, batch collector) (*upload, error) {
	if s.MaxUpload > 0 && r.ContentLength > s.MaxUpload {
		return nil, &ingest.LimitError{Limit: "max-upload", Max: s.MaxUpload, Found: r.ContentLength, Unit: "bytes"}
	}
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	isForm := r.Method == http.MethodPost && media == "multipart/form-data"
	refusal := needs(r)
	if !isForm && refusal != nil {
		return nil, refusal
	}
	u := &upload{batch: batch, fields: r.URL.Query()}
	var err error
	if isForm {
		err = s.receiveForm(r, u, params["boundary"], needs, refusal)
	} else {
		err = u.add(r.Context(), name, r.Body)
	}
	if err == nil && u.files == 0 {
		err = site.ErrNoFiles
	}
	if err != nil {
		return nil, arrival(err)
	}
	return u, nil
}

// How much of a refused upload is read and thrown away, and for how long.
const (
	drainBytes = 1 << 30
	drainTime  = 10 * time.Second
)

// drain reads on when an upload is refused. Most clients send everything before
// they look for an answer; closing on them would lose it, and they would see a
// reset connection instead of the reason. One that waits to be told to continue
// sends nothing.
func drain(r *http.Request, body io.Reader) {
	if r.Header.Get("Expect") != "" {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), drainTime)
	defer cancel()
	io.CopyN(site.ContextWriter{Context: ctx, Writer: io.Discard}, body, drainBytes) // as far as it goes
}

// arrival tells an upload that was cut off from other faults.
func arrival(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return site.ErrCutOff
	}
	return err
}

// receiveForm reads a multipart body part by part. Files go straight to the
// batch, whatever else there is may come before or after them; only a token given
// as a field must come first. refusal is why the request is not enough without it.
func (s *server) receiveForm(r *http.Request, u *upload, boundary string, needs needs, refusal error) error {
	if boundary == "" {
		return site.ErrBadMultipart
	}
	parts := multipart.NewReader(r.Body, boundary)
	for n := 0; ; n++ {
		part, err := parts.NextRawPart()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, new(*http.MaxBytesError)), errors.Is(err, io.ErrUnexpectedEOF):
			return err
		case err != nil || n == maxParts:
			return site.ErrBadMultipart
		}
		switch field := part.FormName(); {
		case field == "file":
			if refusal != nil {
				return refusal
			}
			err = u.addPart(r.Context(), part)
		case field == "upload_token" || field == "token":
			var token string
			if token, err = readField(part); err == nil && refusal != nil {
				refusal = needs(r, token)
			}
		case field != "":
			var value string
			if value, err = readField(part); err == nil {
				u.fields.Add(field, value)
			}
		}
		if err != nil {
			return err
		}
	}
}

// addPart adds the file of one part. A browser sends an empty part for a file
// input without a file.
func (u *upload) addPart(ctx context.Context, part *multipart.Part) error {
	if part.FileName() == "" {
		if n, err := io.ReadFull(part, make([]byte, 1)); n == 0 {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		return &site.ParamError{Param: "file", Msg: "a part called file needs a file name"}
	}
	name := part.FileName()
	if _, ok := u.batch.(*ingest.Sources); ok { // these are told apart by their folders
		if _, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition")); err == nil {
			name = params["filename"]
		}
	}
	return u.add(ctx, name, part)
}

func (u *upload) add(ctx context.Context, name string, body io.Reader) error {
	u.files++
	return u.batch.Add(ctx, name, body)
}

func readField(part *multipart.Part) (string, error) {
	b, err := io.ReadAll(io.LimitReader(part, maxFieldBytes+1))
	if err == nil && len(b) > maxFieldBytes {
		err = &site.ParamError{Param: part.FormName(), Msg: "is too long"}
	}
	return string(b), err
}

// request reads the fields.
func (u *upload) request(absent wait) (ingest.Request, wait, error) {
	v := site.NewValues(u.fields, uploadKeys)
	request := ingest.Request{
		Name: v.One("name"), Project: v.One("project"), Labels: nameweb.Labels(v, "label"),
		Visibility: site.Choice(v, "visibility", "", catalog.Listed, catalog.Unlisted),
		Group:      site.Choice(v, "group", "one", "auto"),
		Expires:    expiry(v, "expires"),
		Salvage:    v.Yes("salvage"),
	}
	nameweb.PlaceBuild(v, request.Labels)
	until := waitOf(v, absent)
	return request, until, v.Err
}

// waitOf reads how long the answer may wait until all is stored.
func waitOf(v *site.Values, absent wait) wait {
	text := v.One("wait")
	if text == "" {
		return absent
	}
	long, err := time.ParseDuration(text)
	if err != nil || long < 0 || long > maxWait {
		v.Fail("wait", "%q is not a waiting time; use a duration from 0s to %v, such as 30s", text, maxWait)
	}
	return wait{long, true}
}

// expiry reads how long to keep a profile: "36h", "7d", or until a moment.
func expiry(v *site.Values, key string) time.Duration {
	text := v.One(key)
	if text == "" {
		return 0
	}
	d, err := parseDuration(text)
	if err != nil {
		var at time.Time
		if at, err = time.Parse(time.RFC3339, text); err == nil {
			d = time.Until(at)
		}
	}
	if err != nil || d <= 0 {
		v.Fail(key, "%q is not a future time; use a duration such as 36h or 7d, or an RFC 3339 date and time", text)
	}
	return d
}

// parseDuration reads a Go duration, or whole days as "7d".
func parseDuration(text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		d, err := time.ParseDuration(days + "h")
		if err == nil && (d > 100*365*time.Hour || d < -100*365*time.Hour) {
			return 0, errors.New("more than a hundred years")
		}
		return d * 24, err
	}
	return time.ParseDuration(text)
}
