package instrdb_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/profile"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
)

// large is a profile of records of one name, each with as many counters.
func large(records, counters int) *synthetic {
	s := &synthetic{names: map[uint64][]byte{}}
	for i := range records {
		s.functions = append(s.functions, instrprof.Function{
			NameRef: refOf([]byte("main")), FuncHash: uint64(i), Name: []byte("main"), Offset: 7,
			Counters: make([]uint64, counters),
		})
	}
	return s
}

// A list reads the counters of all its rows, so one row must not have more than a page
// can take.
func TestARecordOfTooManyCountersIsRefused(t *testing.T) {
	p := profiletest.Of(instrprof.Family, large(1, 2<<20))
	_, err := profile.Write(t.Context(), filepath.Join(t.TempDir(), "profile.db"), profile.Input{Profile: p}, nil)
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok || fault.Kind != model.KindTooLarge || fault.Offset != 7 || !strings.Contains(fault.Expected, "2097152 bytes") {
		t.Errorf("%#v", err)
	}
}

// Records of one name that are very large together are not all given at once, but each
// can be had by its hash.
func TestManyLargeRecordsOfOneName(t *testing.T) {
	p, err := instrdb.Of(profiletest.Store(t, profiletest.Of(instrprof.Family, large(4, 1_500_000))))
	if err != nil {
		t.Fatal(err)
	}
	records, all, err := p.Function(t.Context(), refOf([]byte("main")), nil)
	if err != nil || all != 4 || len(records) != 3 {
		t.Errorf("%d of %d records, %v", len(records), all, err)
	}
	hash := uint64(3)
	records, _, err = p.Function(t.Context(), refOf([]byte("main")), &hash)
	if err != nil || records[len(records)-1].FuncHash != 3 {
		t.Errorf("%d records, %v", len(records), err)
	}
}
