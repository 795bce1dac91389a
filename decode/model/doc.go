// Package model holds what every decoder speaks: the facts about a file, its
// faults and findings, its anatomy, and what was read of one that is cut short.
//
// It is data only. It reads no file, knows no wire format and imports nothing
// else of the project, so that decoders, analyses, encoders and the packages
// of profile can all speak it.
package model
