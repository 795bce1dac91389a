package handlers

import (
	"strings"
	"testing"

	"proflens/ingest"
)

func TestSteps(t *testing.T) {
	for stage, want := range map[ingest.Stage]string{
		ingest.StageReceived:   "now done ahead ahead ahead ahead ahead", // what it is, is known when it arrives
		ingest.StageRecognised: "done now ahead ahead ahead ahead ahead",
		ingest.StageDecoding:   "done done now ahead ahead ahead ahead",
		ingest.StageReading:    "done done done now ahead ahead ahead",
		ingest.StageIndexing:   "done done done done now ahead ahead",
		ingest.StageWriting:    "done done done done done now ahead",
		ingest.StageReady:      "done done done done done done now",
	} {
		var got []string
		for _, s := range steps(stage, "LLVM raw v8") {
			got = append(got, s.State)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", stage, got, want)
		}
	}
}
