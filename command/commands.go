package command

// group is commands that belong together.
type group struct {
	title    string
	commands []command
}

// groups are the subcommands in the order of the help text; each stands in a file of its own
// name.
func groups() []group {
	return []group{
		{"Files", []command{
			{"open", "show files in the browser until Ctrl-C; FILE… alone does it too", openCommand, long},
			{"export", "decode files into one profile and convert it", exportCommand, long},
			{"merge", "add up profiles, however many, as llvm-profdata merge does", mergeCommand, long},
			{"inspect", "show a file's sections, header fields and faults", inspectCommand, 0},
			{"gate", "judge a profile by rules, alone and against another; for CI", gateCommand, withEnv},
		}},
		{"LLVM's tools", []command{
			{"profdata", "show, merge, overlap and order, as llvm-profdata does", profdataCommand, asLLVM},
			{"cov", "source coverage: a site; export, report and show of llvm-cov", covCommand, asLLVM | long},
		}},
		{"Server", []command{
			{"serve", "serve the pages and the API; the default command", serveCommand, withEnv},
			{"upload", "send files to a server as one profile and print its link", uploadCommand, withEnv | long},
			{"token", "create, list and revoke tokens for uploading and viewing", tokenCommand, 0},
			{"health", "check whether the server on this machine is ready", healthCommand, withEnv},
		}},
		{"Data folder", []command{
			{"check", "report what is damaged or lost", checkCommand, withEnv | long},
			{"repair", "recover lost profiles and rebuild damaged tables", repairCommand, withEnv | long},
			{"backup", "copy it to a new folder, even while the server runs", backupCommand, withEnv | long},
			{"restore", "make it of a backup", restoreCommand, withEnv | long},
			{
				"migrate-store", "move files to a bucket or back, even while the server runs", migrateStoreCommand,
				withEnv | long,
			},
		}},
		{"Program", []command{
			{"version", "print the versions of program, Go, tables and decoders", versionCommand, 0},
			{"completion", "print what makes a shell complete commands and flags", completionCommand, 0},
			{"man", "write a manual page of every command to a folder", manCommand, 0},
		}},
	}
}

// subcommands are those below a command.
var subcommands = map[string][]command{"token": tokenCommands}
