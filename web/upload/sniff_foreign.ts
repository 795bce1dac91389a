import type { Head } from "./head";
import type { Sniffed } from "./sniff";
import { built } from "./sniff_program";

type Kind = [matches: string[] | RegExp | ((head: Head) => boolean), describe: string, more?: string];

const match = (kinds: Kind[], head: Head) =>
  kinds.find(([matches]) => {
    if (matches instanceof RegExp) return matches.test(head.text);
    return Array.isArray(matches) ? head.starts(...matches) : matches(head);
  });

/** The first block of a bzip2, and the end of one without any. */
const bzip2Blocks = ["1AY&SY", "\x17rE8P\x90"];

const packings: Kind[] = [
  [["\x1f\x8b\x08"], "packed with gzip"],
  [["\x28\xb5\x2f\xfd"], "packed with zstd"],
  [["\xfd7zXZ\0"], "packed with xz"],
  [({ text }) => /^BZh[1-9]/.test(text) && bzip2Blocks.includes(text.slice(4, 10)), "packed with bzip2"],
  [["PK\x03\x04", "PK\x05\x06"], "a zip archive"],
  [({ text }) => text.startsWith("ustar", 257), "a tar archive"],
];

/** What the server unpacks before it looks at what is in it. */
export function packed(head: Head): Sniffed | undefined {
  const kind = match(packings, head);
  return kind && { is: "packed", describe: `${kind[1]}, unpacked on the server` };
}

const samples = "Make a sample profile of it with llvm-profgen or create_llvm_prof.";
const coverage = "Give the .profraw or .profdata it was made from.";
const mapping = "It says which lines the counters of a program are of: add it to the profile of a run.";
const gcov = "gcov reads it.";
const copyAgain = "Copy the file again, in binary mode.";

/** Kinds of file that are given by mistake, in the server's order and words. */
const foreigners: Kind[] = [
  [
    /^(---\n)?(#[^\n]*\n)*MemprofProfile:/,
    "what llvm-profdata show --memory prints of a raw MemProf profile",
    "Give the raw profile itself, with its executable.",
  ],
  [["PERFILE2", "PERFFILE"], "recorded samples of Linux perf (perf.data)", samples],
  [["adcg", "gcda"], "counters of GCC's coverage (gcda)", gcov],
  [["oncg", "gcno"], "notes of GCC's coverage (gcno)", gcov],
  [["7z\xbc\xaf\x27\x1c"], "a 7-Zip archive", "Unpack it first."],
  [["SQLite format 3\0"], "a SQLite database"],
  [["\xff\xfe", "\xfe\xff"], "text in UTF-16", "Write the text profile again as ASCII or UTF-8."],
  [["\xef\xbb\xbf"], "text with a byte order mark", "Write it again without the mark."],
  [
    /^(\xef\xbf\xbd(lprof|rforpl)|\xc2\x81rforpl|\xc3\xbflprof|\?(rforpl|lprof))/,
    "a profile that was copied as text",
    copyAgain,
  ],
  [cutMagic, "the beginning of a profile, cut short", copyAgain],
  [
    /^---\r?\ntriple: +'/,
    "dsymutil's notes on relocations in a .dSYM bundle",
    "Give the bundle's debug info, which is in Contents/Resources/DWARF.",
  ],
  [/^\s*<(!doctype html|html)/i, "a web page", "The download may have failed."],
  [/^\s*<\?xml/, "XML", coverage],
  [/^\s*[{[]\s*["{[\]}\d]/, "JSON", coverage],
  [/^(TN:|SF:)/, "a tracefile of lcov", coverage],
  [/^\s+-:\s+0:/, "a report of gcov", coverage],
  [/^mode: (set|count|atomic)\r?\n/, "a coverage profile of Go", "go tool cover reads it."],
  [pprof, "a pprof profile", "pprof reads it."],
  [/^(Counters:\n|Instrumentation level:)/, "the output of llvm-profdata show", "Give the profile itself."],
];

/** Programs that are not run as they are; of those with a format the coverage mapping is read. */
const programs: Kind[] = [
  [
    ["\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xfe\xed\xfa\xcf", "\xfe\xed\xfa\xce", "\xca\xfe\xba\xbe"],
    "a Mach-O executable or object file",
  ],
  [coff, "a Windows object file (COFF)", "coff"],
  [["\0\0\xff\xff\x01\0", "\0\0\xff\xff\x02\0"], "a Windows object file (COFF)"],
  [["\0asm"], "a WebAssembly module", "wasm"],
  [["BC\xc0\xde", "\xde\xc0\x17\x0b"], "LLVM bitcode"],
  [["!<arch>\n", "!<thin>\n"], "an archive of object files", "archive"],
];

/** What is no profile that is read. */
export function foreign(head: Head): Sniffed | undefined {
  if (head.starts("\xffmprofr\x81"))
    return {
      is: "unread",
      describe: "a raw MemProf profile of a big-endian machine",
      doubt: "No runtime writes these: copy the file again.",
    };
  if (ranges.test(head.text))
    return {
      is: "unread",
      describe: "a list of address ranges, as AutoFDO's text and llvm-profgen's unsymbolized profiles are",
      doubt: samples,
    };
  if (head.starts("llvmcovm"))
    return { is: "companion", format: "covmapping", describe: "LLVM coverage mapping data", doubt: mapping };
  const program = match(programs, head);
  if (program) {
    const [, describe, format] = program;
    return { is: "companion", describe, ...(format && { format }), doubt: built };
  }
  const kind = match(foreigners, head);
  return kind && { is: "foreign", describe: kind[1], doubt: kind[2] ?? "It is not a profile." };
}

/** Numbers or contexts alone on a line, then a range of addresses with a count. */
const ranges =
  /^([ \t]*(\[[^\n]*\]|\d+)\r?\n)+[ \t]*(0x)?[0-9a-fA-F]+-(0x)?[0-9a-fA-F]+:[ \t]*\d+[ \t]*\r?(\n|$)/;

/** A few first bytes of a profile of counters. */
function cutMagic({ text }: Head): boolean {
  const magics = ["\x81rforpl\xff", "\xfflprofr\x81", "\x81Rforpl\xff", "\xfflprofR\x81", "\xfflprofi\x81"];
  return text.length < 8 && magics.some((magic) => magic.startsWith(text));
}

/** Begins an object file of more than 65,279 sections. */
const manySections = "\xc7\xa1\xba\xd1\xee\xba\xa9\x4b\xaf\x20\xfa\xf6\x6a\xa4\xdc\xb8";

/** A machine, a few sections and no optional header; or the header of very many sections. */
function coff(head: Head): boolean {
  if (head.bytes.length < 20) return false;
  if (head.starts("\0\0\xff\xff") && head.text.startsWith(manySections, 12)) return true;
  const [sections = 0, symbols = 0, optional = 0] = [head.u16(2), head.u32(8), head.u16(16)];
  const machine = head.starts("\x64\x86", "\x4c\x01", "\x64\xaa", "\xc4\x01");
  return machine && sections > 0 && symbols <= head.size && optional === 0;
}

/** The usual first field of a profile.proto: a sample_type of two small numbers. */
function pprof(head: Head): boolean {
  return head.bytes.length > 8 && head.starts("\n\x04\x08", "\n\x02\x08") && (head.bytes[3] ?? 0) < 0x80;
}
