package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"proflens/catalog"
	"proflens/command/cov"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/ingest/tasks"
	"proflens/internal/recovery"
	"proflens/profile/stored"
)

// privateUpload is how large files may be that their owner names.
const privateUpload = 1 << 40 // bytes

// private is a server over a folder of its own, which goes when it is closed. It decodes
// in this process, as the command line does.
type private struct {
	data    string
	store   *catalog.Catalog
	ingest  *ingest.Service
	handler http.Handler
	end     context.CancelFunc
	running *recovery.Group
}

// openPrivate is [cov.Opener].
func openPrivate(ctx context.Context) (cov.Server, error) { return newPrivate(ctx) }

func newPrivate(ctx context.Context) (*private, error) {
	p := &private{}
	var err error
	if p.data, err = os.MkdirTemp("", "proflens-"); err != nil {
		return nil, err
	}
	if p.store, err = catalog.Open(ctx, catalog.Place{Dir: p.data}); err != nil {
		return nil, errors.Join(err, os.RemoveAll(p.data))
	}
	p.ingest = ingest.New(p.store,
		ingest.Config{MaxUpload: privateUpload, MaxExpanded: privateUpload, DecodeTimeout: 24 * time.Hour,
			Visibility: catalog.Listed}, nil)
	p.handler = handlers.New(site.Config{
		Store: p.store, Ingest: uploads{p.ingest}, Originals: ingest.Originals{Store: p.store, Runner: tasks.Here{}},
		MaxUpload: privateUpload, MaxExpanded: privateUpload, DefaultVisibility: catalog.Listed, Version: versions(),
		Stopping: ctx,
	})
	running, end := context.WithCancel(ctx)
	p.end = end
	p.running, running = recovery.WithContext(running)
	p.running.Go(func() error { return p.ingest.Run(running) })
	return p, nil
}

// Handler answers for the profile.
func (p *private) Handler() http.Handler { return p.handler }

// add makes profiles of files, and waits until they are ready or failed.
func (p *private) add(ctx context.Context, files []string, request ingest.Request) ([]*catalog.Entry, error) {
	batch, err := p.ingest.Begin()
	if err != nil {
		return nil, err
	}
	defer batch.Discard()
	for _, file := range files {
		if err := addFile(file, func(r io.Reader) error { return batch.Add(ctx, filepath.Base(file), r) }); err != nil {
			return nil, err
		}
	}
	made, err := batch.Commit(ctx, request)
	entries := make([]*catalog.Entry, len(made))
	for i := range made {
		if err == nil {
			entries[i], err = p.wait(ctx, made[i].Entry.ID)
		}
	}
	return entries, err
}

// wait waits for a profile, and tells who waits, too.
func (p *private) wait(ctx context.Context, id string) (*catalog.Entry, error) {
	defer ticking(ctx, func(time.Time) {
		if at := p.ingest.Progress(id); at.Stage != "" { // it is there
			stored.Report(ctx, strings.ToUpper(string(at.Stage[:1]))+string(at.Stage[1:]), at.Percent, 100)
		}
	})()
	return p.ingest.Wait(ctx, id)
}

// Put makes a profile of files, with labels, and returns its identifier.
func (p *private) Put(ctx context.Context, name string, files []string, labels map[string]string) (string, error) {
	made, err := p.add(ctx, files, ingest.Request{Name: name, Labels: labels})
	if err != nil {
		return "", err
	}
	e := made[0]
	if e.State != catalog.Ready {
		if e.Finding != nil {
			return "", fmt.Errorf("the files make no profile: %s", e.Finding.Message)
		}
		return "", fmt.Errorf("the profile is %s", e.State)
	}
	return e.ID, nil
}

// Sources gives a profile the text of sources: where each lies, by the name that the
// profile has for it.
func (p *private) Sources(ctx context.Context, id string, names, paths []string) error {
	batch, err := p.ingest.BeginSources(names)
	if err != nil {
		return err
	}
	defer batch.Discard()
	for i, file := range paths {
		if err := addFile(file, func(r io.Reader) error { return batch.Add(ctx, names[i], r) }); err != nil {
			return err
		}
	}
	_, err = batch.Commit(ctx, id)
	return err
}

func addFile(name string, add func(io.Reader) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return add(f)
}

// Close ends the server and removes its folder.
func (p *private) Close() error {
	p.end()
	return errors.Join(p.running.Wait(), p.store.Close(), os.RemoveAll(p.data))
}
