package ranks

import (
	"testing"

	"proflens/analyze"
)

func run(sampled bool, heats map[string]Heat) *Profile {
	p := &Profile{Sampled: sampled}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		if heat, ok := heats[name]; ok {
			total := analyze.Sum{}
			total.Add(map[Heat]uint64{Hot: 100, Warm: 10, Cold: 1}[heat])
			p.Add(Function{Linkage: []byte(name), ID: uint64(name[0]), Total: total, Heat: heat})
		}
	}
	return p
}

func TestSplits(t *testing.T) {
	counts := run(false, map[string]Heat{"a": Hot, "b": Never, "c": Hot, "d": Warm, "e": Never, "f": Cold})
	other := run(false, map[string]Heat{"a": Hot, "b": Cold, "c": Cold, "e": Never, "f": Never})
	list, all, common := Splits([]*Profile{counts, other}, 2)
	// c is hot here and cold there, b and f ran in one alone; nobody knows of d in the other.
	if all != 3 || len(list) != 2 || string(list[0].Linkage) != "b" || !list[0].Dead || string(list[1].Linkage) != "f" ||
		list[1].Heats[0] != Cold || list[1].Heats[1] != Never {
		t.Errorf("%d: %+v", all, list)
	}
	if common != (Common{Executed: 2, Never: 1}) {
		t.Errorf("%+v", common)
	}
	list, _, _ = Splits([]*Profile{counts, other}, 10)
	if last := list[2]; string(last.Linkage) != "c" || last.Dead || last.Heats[0] != Hot || last.Heats[1] != Cold {
		t.Errorf("the last is %+v", last)
	}
	// What samples do not have was not seen to run.
	sampled := run(true, map[string]Heat{"a": Hot})
	if list, all, _ := Splits([]*Profile{counts, sampled}, 10); all != 3 || string(list[0].Linkage) != "c" ||
		list[0].Heats[1] != Never {
		t.Errorf("%d: %+v", all, list)
	}
	if _, all, _ := Splits(nil, 10); all != 0 {
		t.Errorf("%d functions of nothing", all)
	}
}
