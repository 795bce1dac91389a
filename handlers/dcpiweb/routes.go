package dcpiweb

// said is what the routes of tables are, as site.Said has it.
var said = map[string]string{
	"samples": `samples listSamples: DCPI: addresses with samples
		Sorted by samples in the first column, then by address. Each event, epoch or host selected adds two members:
		its figure, under its name, and NAME_share. columns says what each shows.
		>200 SampleList table: The addresses.`,
	"procedures": `samples listProcedures: DCPI: procedures by samples
		Samples outside known procedures form one row per image, of kind none. Images without known procedures have
		rows of kind range. Columns add up to the totals of the profiles. Each event, epoch or host selected adds two
		members: its figure, under its name, and NAME_share. columns says what each shows.
		>200 ProcedureList table: The procedures.`,
	"images": `samples listImages: DCPI: programs, libraries and kernels by samples
		The image with the most samples comes first. Each event, epoch or host selected adds two members: its figure,
		under its name, and NAME_share. columns says what each shows.
		>200 ImageList table: The images.`,
	"epochs": `samples listEpochs: DCPI: epochs with their samples
		Sorted by time. Each event, epoch or host selected adds two members: its figure, under its name, and
		NAME_share. columns says what each shows.
		>200 EpochList table: The epochs.`,
	"platforms": `samples listPlatforms: DCPI: hosts with their samples
		Sorted by name. Each event, epoch or host selected adds two members: its figure, under its name, and
		NAME_share. columns says what each shows.
		>200 PlatformList table: The hosts.`,
	"diff": `samples diffSamples: DCPI: procedures compared between epochs or hosts
		Largest difference first. Images match by label, procedures by name. values holds the figure of each set in
		the order of set_names; before is the first, after the last. mean and deviation cover all sets.
		>200 ProcedureDiffList table: The differences.`,
	"heat": `samples listHeat: DCPI: samples by cell of an image's text
		Cells with samples. Needs no symbols. Each event, epoch or host selected adds two members: its figure, under
		its name, and NAME_share. columns says what each shows.
		>200 HeatList table: The cells.`,
}
