package handlers

import "encoding/json"

var _ json.Marshaler = exact("")

// exact is a decimal number of any size in a JSON object.
type exact string

// MarshalJSON writes the digits, or the string that counts=string made of them.
func (e exact) MarshalJSON() ([]byte, error) { return []byte(e), nil }

// exactly gives the way counts are written in objects.
func exactly(quote bool) func(decimal string) exact {
	return func(decimal string) exact {
		if quote {
			return exact(`"` + decimal + `"`)
		}
		return exact(decimal)
	}
}
