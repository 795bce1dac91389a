package mipweb

import (
	"fmt"
	"testing"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/mipdb"
	"proflens/profile/query"
	"proflens/profile/table"
	"proflens/views/mipview"
)

// Blocks stand in the page and in the API with their bytes; the entry is before the first.
func TestBlocksOfAFunction(t *testing.T) {
	f := &mipdb.Function{}
	f.Size, f.CoveredBytes = 3000, 4
	f.BlockData = make([]mip.Block, 1200)
	f.Spans = []analyze.MIPSpan{{Block: -1, To: 4, Covered: true}, {Block: 0, From: 4, To: 10}, {Block: 2, From: 10,
		To: 11}}
	for _, c := range []struct {
		from, to uint64
		want     string
	}{
		{0, 0, "0–0 1–1 of 1201 blocks, the entry among them, 1 in the API"},
		{0, 1 << 40, "0–999 1–1000 of 1201 blocks, the entry among them, 1200 in the API"},
		{500, 1 << 40, "500–1200 501–1201 of 1201 blocks, the entry among them, 700 in the API"},
		{1, 2, "1–2 2–3 of 1201 blocks, the entry among them, 2 in the API"},
		{9999, 0, "1200–1200 1201–1201 of 1201 blocks, the entry among them, 0 in the API"},
	} {
		m, api := &mipview.Function{}, &functionMembers{}
		v := site.FunctionRequest{Address: site.NewAddress("/f")}
		v.From, v.To = c.from, c.to
		fillBlocks(v, m, f)
		entry := api.fillBlocks(f, &v.RecordParams)
		got := humanize.Plain(fmt.Sprintf("%d–%d %s, %d in the API", m.From, m.To, m.Range, len(api.Blocks)))
		if entry != 4 || got != c.want {
			t.Errorf("%d to %d: %s, want %s", c.from, c.to, got, c.want)
		}
		if c.from == 0 && c.to > 0 && (api.Blocks[0].Size != 6 || api.Blocks[1].Size != 0 || api.Blocks[2].Size != 1 ||
			m.Sizes[0] != 4 || m.Sizes[1] != 6 || m.Sizes[3] != 1 || humanize.Plain(m.RulerSay) != "4 of 3000 bytes covered") {
			t.Errorf("%v, %v: %s", api.Blocks[:3], m.Sizes[:4], m.RulerSay)
		}
	}
	f.BlockData, f.RemovedBlocks = make([]mip.Block, 1), 1
	f.Spans = f.Spans[:2]
	m := &mipview.Function{}
	if fillBlocks(site.FunctionRequest{RecordParams: site.RecordParams{To: 9}}, m,
		f); humanize.Plain(m.Range) != "2 blocks, the entry among them" || m.Pager.Pages != "" ||
		humanize.Plain(m.RulerSay) != "4 of 3000 bytes covered; 1 removed block has no bytes" {
		t.Errorf("%s %+v %s", m.Range, m.Pager, m.RulerSay)
	}
	for want, span := range map[string]analyze.MIPSpan{
		"entry block, bytes 0–3: covered": {Block: -1, To: 4, Covered: true},
		"block 0, bytes 4–9: not covered": {From: 4, To: 10},
		"block 1, bytes 0–0: not covered": {Block: 1},
	} {
		if got := humanize.Plain(spanTitle(&span)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Each filter leaves functions out, and none none.
func TestFilteredQueries(t *testing.T) {
	yes := true
	for i, q := range []mipdb.Query{
		{}, {Names: query.Names{Text: "a"}}, {Names: query.Names{Regexp: "a"}}, {Names: query.Names{Path: "a"}},
		{Scope: "a"}, {Executed: &yes}, {Saturated: &yes}, {Run: 1}, {OnlyRun: 1},
		{MinRuns: 1}, {Odd: 1}, {Ranges: make([]query.Range, 1)},
	} {
		if got := mipFiltered(&q); got != (i > 0) {
			t.Errorf("%+v is filtered: %v", q, got)
		}
	}
}

// Places and sizes say what they were and are, or that there are none.
func TestTurnsOfFunctions(t *testing.T) {
	side := func(size uint32, place int) *mipdb.ComparedSide { return &mipdb.ComparedSide{Size: size, Place: place} }
	for _, c := range []struct {
		base, test *mipdb.ComparedSide
		state      table.State
		size       uint32
		change     float64
		want       string
	}{
		{side(7, 3), side(7, 5), mipdb.Moved, 7, -1, "3 → 5, 7bytes, −1byte"},
		{side(7, 3), side(8, 3), 0, 8, 1, "kept, 7 → 8bytes, +1byte"},
		{nil, side(9, 3), 0, 9, 9, "–, 9bytes, +9bytes"}, {side(8, 3), nil, 0, 8, -8, "–, 8bytes, −8bytes"},
		{side(6, 0), side(6, 1), 0, 6, 2, "–, 6bytes, +2bytes"},
	} {
		m := &mipdb.ComparedRow{State: c.state, Size: c.size, SizeChange: c.change}
		m.Base, m.Test = c.base, c.test
		if got := humanize.Plain(placeTurn(m).Text + ", " + sizeTurn(m).Text + ", " + sizeFigure(m)); got !=
			c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
