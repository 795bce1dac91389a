// Package covdb keeps source coverage: the files and functions of a coverage mapping
// with their numbers, what every function is made of, and what did not fit.
package covdb
