// Package model holds what every decoder produces: plain records, the facts
// about a file, its findings, and [Source], the stream of records.
//
// It is data only. It reads no file, knows no wire format and imports nothing
// else of the project, so that decoders, analyses, encoders and the store can
// all speak it.
package model
