package cov

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"proflens/command/llvmerr"
	"proflens/decode/covmap"
	"proflens/decode/model"
)

// systemDebug is where systems keep files of debug info.
const systemDebug = "/usr/lib/debug"

// byBuildID adds to programs those that a profile names and that were not given, from
// folders with files by build ID.
func (r *run) byBuildID(given []*covmap.Object, ids [][]byte) ([]*covmap.Object, error) {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, bytes.Compare)
	arch := ""
	if len(r.options.Arch) == 1 {
		arch = r.options.Arch[0]
	}
	list := given
	for _, id := range slices.CompactFunc(ids, bytes.Equal) {
		if slices.ContainsFunc(given, func(o *covmap.Object) bool { return bytes.Equal(o.BuildID, id) }) {
			continue
		}
		name := r.debugFile(id)
		if name == "" {
			if r.options.CheckBinaryIDs {
				return nil, loadError(r.options.InstrProfile[0], fmt.Errorf("missing binary ID: %x", id), nil)
			}
			continue
		}
		opened, err := r.object(name, arch)
		if err != nil && model.KindOf(err) != model.KindNoCoverage {
			return nil, loadError(name, err, llvmerr.Coverage)
		}
		list = append(list, opened...)
	}
	return list, nil
}

// debugFile is the file of a build ID, or "".
func (r *run) debugFile(id []byte) string {
	folders := r.options.DebugDirectories
	if len(folders) == 0 {
		folders = []string{systemDebug}
	}
	if len(id) == 0 {
		return ""
	}
	for _, folder := range folders {
		name := filepath.Join(folder, ".build-id", hex.EncodeToString(id[:1]), hex.EncodeToString(id[1:])+".debug")
		if _, err := os.Stat(name); err == nil {
			return name
		}
	}
	return ""
}
