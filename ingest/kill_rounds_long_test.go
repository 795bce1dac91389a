//go:build long

package ingest

// killRounds is how often TestKilledAtAnyMoment kills.
const killRounds = 150
