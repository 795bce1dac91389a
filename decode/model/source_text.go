package model

// SourceText is the text of a source file, by the name that the debug info has for it.
type SourceText struct {
	Name string
	Text []byte
}
