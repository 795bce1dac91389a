//go:build long

package command

// everyVariant: see variants_test.go.
const everyVariant = true
