package model

import "context"

// Declaration is where a function is declared, as debug info has it.
type Declaration struct {
	// Name is the linkage name, or the name of a function without one. It aliases the
	// file, and is valid during the call that it is given to.
	Name []byte
	Unit string // the source file of the compilation, as the compiler was given it
	File string // as recorded, with the directory of the compilation before a relative one
	Line uint32
	// Code says that nothing declares the function: Line is the one its code begins on.
	Code bool
	// Local says that only its compilation unit sees the function: others may have one
	// of the same name.
	Local bool
}

// Declarations gives where functions are declared whose names are wanted, in the order of
// the debug info, some several times. What of it cannot be read is a finding. The error is
// the context's.
type Declarations func(ctx context.Context, wanted func(name []byte) bool, visit func(Declaration)) ([]Finding, error)
