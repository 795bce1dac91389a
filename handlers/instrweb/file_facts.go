package instrweb

import (
	"strconv"

	"proflens/decode/instrprof"
	"proflens/internal/humanize"
	"proflens/profile/instrdb"
	"proflens/views/page"
)

// fileFacts are what the file card says of function records.
func fileFacts(p *instrdb.Profile) page.Facts {
	o := p.Overview
	v := o.Info.Variant
	facts := page.Facts{
		{Term: "Kind", Value: v.String()},
		{Term: "Version", Value: versionText(&o.Info)},
		{Term: "Byte order", Value: byteOrder(&o.Info)},
	}
	if o.Info.PointerSize > 0 {
		facts.Add("Pointers", strconv.Itoa(o.Info.PointerSize*8)+"-bit")
	}
	facts.Add("Names", humanize.Int(o.Names))
	facts.Add("Inputs", humanize.Int(max(len(p.Profile.Overview.Inputs), 1)))
	if len(o.Info.BinaryIDs) == 0 {
		facts.Add("Build IDs", "none")
	}
	if o.Placed > 0 {
		facts.Add("With a line", humanize.Say("{} of {function}", o.Placed, o.Functions))
	}
	if o.BitmapBytes > 0 {
		facts.Add("MC/DC bitmap", humanize.Bytes(o.BitmapBytes).Text)
	}
	if o.Traces > 0 {
		facts.Add("Traces", humanize.Int(o.Traces))
	}
	if n := len(o.Info.VTableNames); n > 0 {
		facts.Add("VTables", humanize.Int(n))
	}
	return facts
}

func versionText(i *instrprof.Info) string {
	switch i.Format {
	case instrprof.FormatRaw:
		return "raw " + strconv.FormatUint(i.Version, 10)
	case instrprof.FormatIndexed:
		return "indexed " + strconv.FormatUint(i.Version, 10)
	}
	return "text"
}

func byteOrder(i *instrprof.Info) string {
	switch {
	case i.Format == instrprof.FormatText:
		return "–"
	case i.BigEndian:
		return "big"
	}
	return "little"
}
