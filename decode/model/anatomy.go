package model

// Field is one value as it stands in a file.
type Field struct {
	Name    string `json:"name"` // as in the format reference
	Offset  uint64 `json:"offset"`
	Size    uint64 `json:"size" doc:"Size in bytes."`
	Value   string `json:"value"`
	Meaning string `json:"meaning,omitempty"`
}

// Section is a run of bytes with a purpose. Sections are in file order and do
// not overlap.
type Section struct {
	Name   string  `json:"name"`
	Offset uint64  `json:"offset"`
	Size   uint64  `json:"size" doc:"Size in bytes."`
	Note   string  `json:"note,omitempty"`
	Fields []Field `json:"fields,omitempty"`
	// FieldCount is how many fields the section has when Fields are not all;
	// From is the number of the first of Fields, 0 but where others were asked for.
	FieldCount uint64 `json:"field_count,omitempty"`
	From       uint64 `json:"from,omitempty" doc:"Number of the first field listed; absent if 0."`
}

// Anatomy is the layout of one file, as far as it could be read.
type Anatomy struct {
	File     string    `json:"file"`
	Size     uint64    `json:"size"`
	Format   string    `json:"format"` // as Info.Describe, or what was recognised
	Sections []Section `json:"sections" is:"null"`
	Findings []Finding `json:"findings" is:"null"`
	// Salvage is what can be read of a file that ends too soon; nil elsewhere.
	Salvage *Partial `json:"salvage,omitempty" doc:"What salvage could read of a file that is cut short."`
	// Locates says that functions can be looked for in the file.
	Locates bool `json:"-"`
}
