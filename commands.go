package main

// commands are the subcommands, in the order of the help text; each stands in
// a file of its own name.
var commands = []command{}
