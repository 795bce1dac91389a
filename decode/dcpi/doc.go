// Package dcpi reads the profiles of DIGITAL's Continuous Profiling
// Infrastructure, version 0 (0.06, 0.07): the samples of one event for one
// image, as counts per instruction; and the text that dcpicat prints of them,
// which is how profiles of version 1, whose binary part was never published,
// become readable.
//
// # What is known of the format
//
// The manual page dcpiformat(4) describes it, in two editions that differ: that for
// OpenVMS lists seven required lines of the header, that for Windows NT version and
// tstart besides. Version 1 was to be documented, and never was. The manual page of
// dcpicat describes its text; Anderson et al., "Continuous Profiling: Where Have All
// the Cycles Gone?" (SOSP 1997), how a database is laid out: a folder for each epoch,
// in it one for each host, in it a file for each image and event.
//
//	file    = line+ "samples" blank* "\n" chunk* footer
//	line    = keyword blank+ value "\n"
//	chunk   = offset number count+   the number is how many counts follow
//	footer  = total_offsets total_samples
//
// What is in binary is little-endian words of 32 bits. An offset is in bytes from
// the start of the text; chunks are by rising offset and do not overlap. No count of
// chunks is stored: the last eight bytes are the footer. Its totals, of addresses
// with samples and of samples, are the only checksum.
//
// # Where the description leaves a choice
//
//   - A profile without a version is read as of version 0, the only one described.
//     0.06 and 0.07 are described as one; another minor version is read likewise.
//   - A required line must stand once, but for period, which is also listed as
//     optional: the first counts. Of optional lines that stand twice the first is the
//     value. Unknown lines are kept, in place and unchanged.
//   - Counts are four bytes of text apart, as Alpha's instructions are. Where offsets
//     or the size of the text make no sense so, they are one byte apart.
//   - Samples past the size of the text are kept: that is only what the header says.
//   - total_samples is modulo 2^32.
//   - The unit of cpuspeed is stated nowhere: MHz, or Hz from a million on.
//   - Names of files are described by no edition: only the header tells images,
//     events, epochs and hosts apart.
package dcpi
