package symbol

import "strings"

// file is the path of a file of a line table, empty when it has none of that
// number: as LLVM's symbolizer has it, with the directory of the compilation
// before a directory that is relative. Version 5 names that directory itself,
// as its directory 0, and counts files from 0.
func (s *Symbolizer) file(t *lineTable, u *compileUnit, index uint64) string {
	if name, ok := t.names[index]; ok {
		return name
	}
	f, ok := t.entry(index)
	if !ok {
		return ""
	}
	name := s.text(&u.unit, f.name)
	if name != "" && !isAbsolute(name) {
		dir := s.directory(t, u, f.dir)
		path := ""
		if (t.version < 5 || f.dir != 0) && !isAbsolute(dir) {
			path = s.text(&u.unit, u.dir)
		}
		name = join(join(path, dir), name)
		if !s.spend(uint64(len(name))) {
			name = ""
		}
	}
	t.names[index] = name
	return name
}

// relativeFile is the path of a file without the directory of the compilation before it, which
// is what the line table of version 5 has as its directory 0.
func (s *Symbolizer) relativeFile(t *lineTable, u *compileUnit, index uint64) string {
	f, ok := t.entry(index)
	if !ok {
		return ""
	}
	name := s.text(&u.unit, f.name)
	if name == "" || isAbsolute(name) || t.version >= 5 && f.dir == 0 {
		return name
	}
	return join(s.directory(t, u, f.dir), name)
}

// entry is the file of a number, false when there is none.
func (t *lineTable) entry(index uint64) (f fileEntry, ok bool) {
	if t.version < 5 {
		index--
	}
	if index >= uint64(len(t.files)) {
		return f, false
	}
	return t.files[index], true
}

// directory is the directory of a number, empty when there is none.
func (s *Symbolizer) directory(t *lineTable, u *compileUnit, index uint64) string {
	if t.version < 5 {
		index--
	}
	if index >= uint64(len(t.dirs)) {
		return ""
	}
	return s.text(&u.unit, t.dirs[index])
}

// isAbsolute reports whether a path is absolute, on any system.
func isAbsolute(path string) bool {
	switch {
	case strings.HasPrefix(path, "/"), strings.HasPrefix(path, `\\`):
		return true
	}
	return len(path) >= 3 && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// join puts a slash between two parts of a path, unless there is one.
func join(dir, name string) string {
	switch {
	case dir == "" || name == "":
		return dir + name
	case strings.HasSuffix(dir, "/"):
		return dir + strings.TrimLeft(name, "/")
	case strings.HasPrefix(name, "/"):
		return dir + name
	}
	return dir + "/" + name
}
