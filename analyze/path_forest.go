package analyze

import "strings"

// PathForest is the file path table and the string table of the MemProf RFC: a
// forest of reversed trees, in which each node names its parent, with every part
// of a path once (memprof.md §7.2). Parts are kept as they are: an absolute path
// begins with the empty one.
//
// The zero value is ready. Memory is in proportion to the distinct paths.
type PathForest struct {
	Nodes   []ForestNode
	Strings []ForestString

	ends    map[string]int32 // leaf by path
	places  map[ForestNode]int32
	offsets map[string]uint64
	size    uint64 // of the strings
}

// ForestNode is a folder or a file. A node can be both.
type ForestNode struct {
	String uint64 // offset of its name in the string table
	Parent int32  // in PathForest.Nodes, less than its own place; NoPathNode for a root
}

// ForestString is a name in the string table.
type ForestString struct {
	Offset uint64 // where it begins when all stand one after another with a NUL behind each
	Text   string
}

// NoPathNode is the parent of a root, and the leaf of an empty path.
const NoPathNode int32 = -1

// maxForestPart is how many nodes a path has at most: what is deeper stays in
// one part.
const maxForestPart = 256

// Add returns the leaf of a path, made with its folders where they are new.
func (f *PathForest) Add(path string) int32 {
	if path == "" {
		return NoPathNode
	}
	if at, ok := f.ends[path]; ok {
		return at
	}
	if f.ends == nil {
		f.ends, f.places, f.offsets = map[string]int32{}, map[ForestNode]int32{}, map[string]uint64{}
		f.text("") // at offset 0
	}
	at := NoPathNode
	for _, part := range strings.SplitN(path, "/", maxForestPart) {
		n := ForestNode{String: f.text(part), Parent: at}
		place, ok := f.places[n]
		if !ok {
			place = int32(len(f.Nodes))
			f.Nodes = append(f.Nodes, n)
			f.places[n] = place
		}
		at = place
	}
	f.ends[path] = at
	return at
}

// text is the offset of a string.
func (f *PathForest) text(s string) uint64 {
	at, ok := f.offsets[s]
	if !ok {
		at = f.size
		f.offsets[s] = at
		f.Strings = append(f.Strings, ForestString{at, s})
		f.size += uint64(len(s)) + 1
	}
	return at
}
