package command

// commands are the subcommands, in the order of the help text; each stands in
// a file of its own name.
var commands = []command{
	{"serve", "serve the pages and the API; the command when none is given", runServe},
	{"export", "decode files into one profile and write it in another format", runExport},
	{"inspect", "show a file's sections and header fields, and what is wrong with it", runInspect},
	{"upload", "send files to a server as one profile and print its link", runUpload},
	{"version", "print version, Go version, schema and decoder versions", runVersion},
}
