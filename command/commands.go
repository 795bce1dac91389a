package command

// commands are the subcommands, in the order of the help text; each stands in
// a file of its own name.
var commands = []command{
	{"serve", "serve the pages and the API; the command when none is given", runServe},
	{"export", "decode files into one profile and write it in another format", runExport},
	{"inspect", "show a file's sections and header fields, and what is wrong with it", runInspect},
	{"cov", "coverage of source: a site, and export, report and show as llvm-cov does", runCov},
	{"upload", "send files to a server as one profile and print its link", runUpload},
	{"check", "check a data folder and report what is damaged or lost", runCheck},
	{"repair", "recover lost profiles and rebuild damaged tables", runRepair},
	{"token", "make, list and revoke tokens for uploading and viewing", runToken},
	{"backup", "copy a data folder to a new folder, even while it is served", runBackup},
	{"restore", "make a data folder from a backup", runRestore},
	{"health", "ask the server of this machine whether it is ready", runHealth},
	{"version", "print version, Go version, schema and decoder versions", runVersion},
}
