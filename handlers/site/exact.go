package site

import "encoding/json"

var _ json.Marshaler = Exact("")

// Exact is a decimal number of any size in a JSON object.
type Exact string

// MarshalJSON writes the digits, or the string that counts=string made of them.
func (e Exact) MarshalJSON() ([]byte, error) { return []byte(e), nil }

// Exactly gives the way counts are written in objects.
func Exactly(quote bool) func(decimal string) Exact {
	return func(decimal string) Exact {
		if quote {
			return Exact(`"` + decimal + `"`)
		}
		return Exact(decimal)
	}
}
