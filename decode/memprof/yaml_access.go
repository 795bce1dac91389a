package memprof

import "proflens/decode/model"

// access reads the data access profile.
func (p *yamlProfile) access(n yamlNode) {
	m := p.fields(n, "the data access profile", "SampledRecords", "KnownColdSymbols", "KnownColdStrHashes")
	a := &DataAccess{}
	each := func(key string, read func(yamlNode)) {
		if n := m[key]; n != nil {
			p.items(*n, read)
		}
	}
	each("SampledRecords", func(n yamlNode) { a.Records = append(a.Records, p.dataRecord(n)) })
	each("KnownColdSymbols", func(n yamlNode) { a.ColdSymbols = append(a.ColdSymbols, model.CanonicalName(n.text)) })
	each("KnownColdStrHashes", func(n yamlNode) { a.ColdHashes = append(a.ColdHashes, p.number(&n, 64)) })
	p.profile.DataAccess = a
}

// dataRecord reads one record of the data access profile: of a symbol, or of a
// string literal by its hash.
func (p *yamlProfile) dataRecord(n yamlNode) (r DataAccessRecord) {
	m := p.fields(n, "a data access record", "Symbol", "Hash", "AccessCount", "Locations")
	symbol, hash := m["Symbol"], m["Hash"]
	switch {
	case symbol != nil && hash != nil || symbol == nil && hash == nil || m["AccessCount"] == nil:
		p.yamlReader.fail(n.at, "a data access record needs one of Symbol and Hash, and AccessCount", "", "")
		return r
	case symbol != nil:
		r.Symbol = model.CanonicalName(symbol.text)
	default:
		r.Hash, r.IsString = p.number(hash, 64), true
	}
	r.AccessCount = p.number(m["AccessCount"], 64)
	if locations := m["Locations"]; locations != nil {
		p.items(*locations, func(n yamlNode) {
			m := p.fields(n, "a location", "FileName", "Line")
			if len(m) < 2 {
				p.yamlReader.fail(n.at, "a location lacks a required key", "FileName and Line", "")
				return
			}
			r.Locations = append(r.Locations, DataLocation{File: m["FileName"].text, Line: uint32(p.number(m["Line"], 32))})
		})
	}
	return r
}
