package command

// commands are the subcommands, in the order of the help text; each stands in
// a file of its own name.
var commands = []command{
	{"serve", "serve the pages and the API; the default command", runServe, false},
	{"open", "show files in the browser until Ctrl-C; proflens FILE… does the same", runOpen, true},
	{"export", "decode files into one profile and convert it to another format", runExport, true},
	{"merge", "add up profiles, however many they are, as llvm-profdata merge does", runMerge, true},
	{"inspect", "show a file's sections, header fields and faults", runInspect, false},
	{"profdata", "show, merge, overlap and order, as llvm-profdata does", runProfdata, false},
	{"cov", "source coverage: a site; export, report, show and diff, as llvm-cov does", runCov, true},
	{"gate", "judge a profile by rules, alone and against another one; for CI", runGate, false},
	{"upload", "send files to a server as one profile and print its link", runUpload, true},
	{"check", "check a data folder and report what is damaged or lost", runCheck, true},
	{"repair", "recover lost profiles and rebuild damaged tables", runRepair, true},
	{"token", "create, list and revoke tokens for uploading and viewing", runToken, false},
	{"backup", "copy a data folder to a new folder, even while the server runs", runBackup, true},
	{
		"migrate-store", "move files between the data folder and a bucket, even while the server runs", runMigrateStore, true,
	},
	{"restore", "restore a data folder from a backup", runRestore, true},
	{"health", "check whether the server on this machine is ready", runHealth, false},
	{"version", "print the versions of the program, Go, the tables and the decoders", runVersion, false},
}
