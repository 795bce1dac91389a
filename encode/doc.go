// Package encode writes profiles in the formats that other tools read.
package encode
