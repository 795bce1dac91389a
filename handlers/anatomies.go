package handlers

import (
	"sync"

	"proflens/catalog"
	"proflens/decode/model"
)

// Bounds of the anatomies kept between requests.
const (
	anatomiesKept  = 32
	anatomyEntries = 5000 // sections and fields of one that is kept
)

// anatomies are the layouts of the files looked at last: paging through a
// file's bytes would read all its records again for each page. The zero value
// is ready for use.
type anatomies struct {
	mu   sync.Mutex
	kept []keptAnatomy // the latest last
}

type keptAnatomy struct {
	name, sha256 string
	archive      bool // one that could not be unpacked
	anatomy      *model.Anatomy
}

func (k *keptAnatomy) of(f catalog.FileEntry) bool {
	return k.sha256 == f.SHA256 && k.name == f.Name && k.archive == (f.Finding != nil)
}

// get returns a file's anatomy, or nil.
func (a *anatomies) get(f catalog.FileEntry) *model.Anatomy {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := range a.kept {
		if a.kept[i].of(f) {
			return a.kept[i].anatomy
		}
	}
	return nil
}

// keep remembers a file's anatomy in the place of the oldest.
func (a *anatomies) keep(f catalog.FileEntry, anatomy *model.Anatomy) {
	entries := len(anatomy.Sections) + len(anatomy.Findings)
	for i := range anatomy.Sections {
		entries += len(anatomy.Sections[i].Fields)
	}
	if entries > anatomyEntries {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.kept) == anatomiesKept {
		a.kept = append(a.kept[:0], a.kept[1:]...)
	}
	a.kept = append(a.kept, keptAnatomy{f.Name, f.SHA256, f.Finding != nil, anatomy})
}
