package sampleprof

import "proflens/decode/sampleprof"

// Cold says what becomes of cold functions of a profile with contexts.
type Cold struct {
	Below  uint64 // their totals are lower
	Merge  bool   // into one for each context's last frames; else they are left out
	Trim   bool   // what is still cold once merged is left out
	Frames int    // that are kept of a context
}

// TrimCold leaves cold functions of a profile out, or merges them, as llvm-profdata merge
// does with --sample-merge-cold-context and --sample-trim-cold-context. Profiles without
// contexts are not merged.
func TrimCold(p *sampleprof.Profile, o Cold) {
	if o.Below == 0 || o.Merge && !p.Has(sampleprof.FullContexts) {
		return
	}
	table, mergedTable := p.Table(), p.TableOf(nil)
	kept, merged := map[string]*sampleprof.Function{}, map[string]*sampleprof.Function{}
	for _, f := range table.Functions() {
		if f.Total >= o.Below {
			kept[p.ContextText(f)] = f
			continue
		}
		table.Remove(f)
		if !o.Merge {
			continue
		}
		of := &sampleprof.Function{Name: f.Name, Context: f.Context}
		if frames := p.Frames(f); len(frames) > o.Frames {
			of.Context = int32(len(p.Contexts))
			p.Contexts = append(p.Contexts, frames[len(frames)-o.Frames:])
		}
		key := p.ContextText(of)
		if merged[key] == nil {
			merged[key] = of
			mergedTable.Add(of)
		}
		sampleprof.Accumulate(merged[key], f)
	}
	for _, f := range mergedTable.Functions() {
		switch same := kept[p.ContextText(f)]; {
		case same != nil:
			sampleprof.Accumulate(same, f)
		case !o.Trim || f.Total >= o.Below:
			table.Add(f)
		}
	}
	p.SettleIn(table)
}
