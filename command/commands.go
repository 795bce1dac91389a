package command

// commands are the subcommands, in the order of the help text; each stands in
// a file of its own name.
var commands = []command{
	{"serve", "serve the pages and the API; the default command", runServe},
	{"export", "decode files into one profile and convert it to another format", runExport},
	{"merge", "add up profiles, however many they are, as llvm-profdata merge does", runMerge},
	{"inspect", "show a file's sections, header fields and faults", runInspect},
	{"profdata", "show, merge, overlap and order, as llvm-profdata does", runProfdata},
	{"cov", "source coverage: a site; export, report, show and diff, as llvm-cov does", runCov},
	{"gate", "judge a profile by rules, alone and against another one; for CI", runGate},
	{"upload", "send files to a server as one profile and print its link", runUpload},
	{"check", "check a data folder and report what is damaged or lost", runCheck},
	{"repair", "recover lost profiles and rebuild damaged tables", runRepair},
	{"token", "create, list and revoke tokens for uploading and viewing", runToken},
	{"backup", "copy a data folder to a new folder, even while the server runs", runBackup},
	{"migrate-store", "move files between the data folder and a bucket, even while the server runs", runMigrateStore},
	{"restore", "restore a data folder from a backup", runRestore},
	{"health", "check whether the server on this machine is ready", runHealth},
	{"version", "print the versions of the program, Go, the tables and the decoders", runVersion},
}
