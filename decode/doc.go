// Package decode turns the bytes of profile files into profiles: it recognises
// what each file is, opens what belongs together with the suite of its formats,
// merges, and says of a damaged or foreign file what is wrong, where, why
// probably, and what to do.
//
// It knows nothing of servers, databases or disks. Files come as byte slices,
// usually memory maps; every limit on sizes is the caller's or stands with the
// decoder that needs it. What a profile is made of stands in package format, how
// files are read in a package for each suite.
package decode

// Version is the version of what decoding yields. It grows when the same file
// would give other records, findings or figures than before, so that what was
// stored from an older version can be decoded again.
const Version = 11
