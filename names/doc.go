// Package names reads the names of functions: it splits a PGO name into file
// path and linkage name, demangles C++ and Rust, finds the part of a demangled
// name that a reader looks for, and matches names against a query.
//
// Names are bytes from untrusted files. Nothing here fails: a name that is not
// understood is returned as it came.
package names
