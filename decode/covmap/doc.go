// Package covmap reads the coverage mapping that clang, rustc and swift leave in
// programs, libraries, object files and archives: which counter counts which
// piece of source. The reference is formats/covmap.md.
package covmap
