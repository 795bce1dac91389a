// Package deflate compresses as zlib does at its level 9, byte for byte: LLVM's files have names,
// strings and sections in it, and that a file is LLVM's can be seen only if all of it is. Other
// compressors, Go's among them, choose other matches, blocks and codes.
package deflate
