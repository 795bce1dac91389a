//go:build !long

package command

// everyVariant has TestEveryFormatEverywhere take every variant of a version, and not one
// of each family.
const everyVariant = false
