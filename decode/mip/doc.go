// Package mip reads Machine IR Profiles: maps, raw files and profiles (mip.md).
//
// Three kinds of file make one profile. A .mipmap is a section of the program
// and says which function's counters stand where; a .mipraw is the counters of
// one run, and means nothing without the map; a .mip is a map with any number
// of runs added up. [Open] reads one file, [Merge] joins profiles, and [AddRun]
// adds a raw file to a map or a profile.
package mip
