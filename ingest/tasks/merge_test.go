package tasks_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/ingest/tasks"
)

// What is said of a sum before its first byte is the same on the other side of a pipe.
func TestTheHeadOfASumTravels(t *testing.T) {
	const dir = "../../decode/instrprof/sums/testdata/fleet/"
	task := &tasks.Merge{LeaveOut: true}
	for _, name := range []string{"ir/1.profraw", "cut_data.profraw", "ir/2.profraw"} {
		task.Inputs = append(task.Inputs, tasks.MergeInput{
			Name: name, Files: []tasks.File{{Name: name, Path: dir + name}}, Weight: 2,
		})
	}
	var head tasks.Head
	var sum bytes.Buffer
	err := tasks.Here{}.Run(t.Context(), task, nil, tasks.Out{Begin: func(h tasks.Head) (io.Writer, error) {
		head = h
		return &sum, nil
	}})
	if err != nil || sum.Len() == 0 {
		t.Fatal(err)
	}
	if len(head.LeftOut) != 3 || head.LeftOut[1] == "" || head.LeftOut[0] != "" || len(head.Contributions) != 3 ||
		head.Contributions[2].Count == "0" {
		t.Errorf("of the inputs it says %q, %v", head.LeftOut, head.Contributions)
	}
	sent, err := json.Marshal(head)
	if err != nil {
		t.Fatal(err)
	}
	var arrived tasks.Head
	if err := json.Unmarshal(sent, &arrived); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(head, arrived, cmpopts.IgnoreUnexported(tasks.Head{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}
