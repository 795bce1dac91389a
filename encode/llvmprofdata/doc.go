// Package llvmprofdata prints profiles as LLVM 22's llvm-profdata does with show, overlap
// and order, byte for byte.
package llvmprofdata
