package dcpiweb

import "proflens/profile/dcpidb"

// objects are what the family's objects of the API are written from, by their names: rows of
// tables with those of their lists.
var objects = map[string]any{
	"Sample": dcpidb.Addresses, "Procedure": dcpidb.Procedures, "Image": dcpidb.ImageTotals,
	"Epoch": dcpidb.EpochTotals, "Platform": dcpidb.PlatformTotals, "ProcedureDiff": dcpidb.Differences,
	"HeatCell HeatList": dcpidb.HeatCells,
}

// objectsSay is what objects are, and what members of structs and tables are more than they say.
const objectsSay = `
	=dcpidb.Overview DCPIFigures: Figures of a DCPI database.
	=dcpidb.HeatCell
	.procedure: The procedure with the most samples in the cell; null if none is known.
	.procedure_offset: Bytes from its start to the cell, or to its first sample in the cell.
	=dcpidb.Place
	.file: By the debug info of an executable given with the profile; null if not known.
	=DCPIFigure number or string null: Whole samples or events, seconds, or a share. Null if there is no such figure,
	for example seconds of an event other than cycles. A string of digits with counts=string.
	=DCPIColumn: A column of a table of samples.
	.name
	.event
	.unit samples|events|seconds: events instead of samples if periods differ.
	.total DCPIFigure
	.samples Count
	.events DCPIFigure
	.period integer null: Null if the figures are not samples.
	=DCPIFile: dcpi-json: a file with its header, totals and chunks.
	.format any !
	.*`
