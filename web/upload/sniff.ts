// What a file's first bytes say it is, by the rules and in the words of the
// server, so that groups can be shown before anything is sent. The server
// looks again: this decides nothing.

import { sniffMIP } from "./sniff_mip";

export type Kind =
  | "raw"
  | "heap"
  | "indexed"
  | "text"
  | "packed"
  | "empty"
  | "executable"
  | "mip"
  | "dcpi"
  | "listing"
  | "other";

export interface Sniffed {
  kind: Kind;
  describe: string;
  /** Equal for raw files of one program, which are merged. */
  program?: string;
  /** Set for raw files whose records or names are in the executable. */
  needsExecutable?: boolean;
  /** Why the server will probably not decode it. */
  doubt?: string;
}

/** As many bytes as sniff looks at. */
export const sniffBytes = 4096;

const newestRaw = 11n;
const newestIndexed = 14n;

/** The variant flags in the upper half of a version word, by bit. */
const variants: [bigint, string][] = [
  [57n, "context-sensitive"],
  [58n, "entry first"],
  [55n, "loop entries"],
  [60n, "byte coverage"],
  [61n, "function entries only"],
  [63n, "temporal"],
  [59n, "debug-info correlated"],
  [62n, "MemProf"],
];

function variantWords(word: bigint): string[] {
  const has = (bit: bigint) => ((word >> bit) & 1n) === 1n;
  return [has(56n) ? "IR" : "front end", ...variants.filter(([bit]) => has(bit)).map(([, text]) => text)];
}

const versionOf = (word: bigint) => word & 0xffffffffn;

/** Tells what a file is; size is the whole file's, bytes its beginning. */
export function sniff(bytes: Uint8Array, size: number): Sniffed {
  if (size === 0)
    return {
      kind: "empty",
      describe: "empty file",
      doubt: "It has no bytes: the program never wrote its profile.",
    };
  const magic = latin1(bytes.subarray(0, 8));
  const raw = rawMagics[magic];
  if (raw) return sniffRaw(bytes, ...raw);
  if (magic === "\xfflprofi\x81") return sniffIndexed(bytes);
  if (magic === "\x81rforpm\xff") return sniffHeap(bytes);
  if (magic.startsWith("\xfbMIP")) return sniffMIP(bytes);
  const packed = packings.find(([prefix]) => magic.startsWith(prefix));
  if (packed) return { kind: "packed", describe: `${packed[1]}, unpacked on the server` };
  if (latin1(bytes.subarray(257, 262)) === "ustar")
    return { kind: "packed", describe: "tar archive, unpacked on the server" };
  if (magic.startsWith("\x7fELF"))
    return { kind: "executable", describe: "ELF executable or object file", doubt: built };
  const foreign = foreigners.find(([pattern]) => pattern.test(latin1(bytes.subarray(0, 64))));
  if (foreign) return { kind: "other", describe: foreign[1], doubt: foreign[2] };
  const text = latin1(bytes);
  if (dcpiLine.test(text)) return { kind: "dcpi", describe: "DCPI samples" };
  if (nmLine.test(text))
    return {
      kind: "listing",
      describe: "listing of symbols by nm",
      doubt: "It names the procedures of DCPI samples: add those.",
    };
  if (isText(magic)) return sniffText(latin1(bytes));
  return {
    kind: "other",
    describe: "not recognised",
    doubt: "Its first bytes are of no known profile format.",
  };
}

/** A raw MemProf profile; its call stacks are addresses in the executable. */
function sniffHeap(bytes: Uint8Array): Sniffed {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes.length >= 16 ? `v${versionOf(view.getBigUint64(8, true))}` : "cut off";
  return { kind: "heap", describe: `MemProf raw ${version}`, needsExecutable: true };
}

/** The first line of a profile of DCPI, or of what dcpicat prints. */
const dcpiLine = /^(version|image|epoch|platform|event|period|tstart|tsize|cpu[a-z]+|path|name)[ \t]+\S/;

/** A line of nm: an address, maybe a size, a type and a name. */
const nmLine = /^[0-9a-f]{8,16} ([0-9a-f]{8,16} )?[A-Za-z] \S/;

/** Pointer size and byte order, by magic. */
const rawMagics: Record<string, [64 | 32, "little" | "big"]> = {
  "\x81rforpl\xff": [64, "little"],
  "\xfflprofr\x81": [64, "big"],
  "\x81Rforpl\xff": [32, "little"],
  "\xfflprofR\x81": [32, "big"],
};

function sniffRaw(bytes: Uint8Array, pointerBits: number, order: "little" | "big"): Sniffed {
  if (bytes.length < 16) return { kind: "raw", describe: "LLVM raw", doubt: "It ends inside its header." };
  const little = order === "little";
  const word = wordAt(bytes, 1, little) ?? 0n;
  const version = versionOf(word);
  const describe = [
    `LLVM raw v${version}`,
    `${pointerBits}-bit`,
    `${order}-endian`,
    ...variantWords(word),
  ].join(", ");
  if (version > newestRaw) {
    const doubt = `Version ${version} is newer than the newest known, ${newestRaw}. The file is kept, to be decoded after an update.`;
    return { kind: "raw", describe, doubt };
  }
  const program = programKey(bytes, Number(version), little);
  if (program === undefined) return { kind: "raw", describe, doubt: "It ends inside its header." };
  // NumData and NumCounters: counters without records are a correlated profile's.
  if (version >= 7n && wordAt(bytes, 3, little) === 0n && wordAt(bytes, 5, little) !== 0n) {
    const doubt = "Its records and names are in the executable: add that, or its debug file.";
    return { kind: "raw", describe, program, needsExecutable: true, doubt };
  }
  return { kind: "raw", describe, program };
}

/**
 * The header's words that do not change from run to run, by version: counts
 * and sizes, and no addresses. Version 5 exists in two layouts; these words
 * mean something steady in both.
 */
function steadyWords(version: number): number[] {
  if (version < 6) return [1, 2, 3, 4];
  if (version === 6) return [1, 2, 3, 4, 5, 6, 10];
  if (version < 9) return [1, 2, 3, 4, 5, 6, 7];
  if (version === 9) return [1, 2, 3, 4, 5, 6, 7, 8, 9];
  if (version === 10) return [1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14];
  return [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 17];
}

/** Where the binary ids stand, after the header, from version 6 on. */
const headerBytes: Record<number, number> = { 6: 88, 7: 88, 8: 88, 9: 112, 10: 128, 11: 152 };

function programKey(bytes: Uint8Array, version: number, little: boolean): string | undefined {
  const words: bigint[] = [];
  for (const index of steadyWords(version)) {
    const word = wordAt(bytes, index, little);
    if (word === undefined) return;
    words.push(word);
  }
  const start = headerBytes[version];
  let ids = "";
  if (start !== undefined) {
    const size = wordAt(bytes, version === 6 ? 10 : 2, little) ?? 0n;
    const end = start + Number(size < 1024n ? size : 1024n);
    ids = [...bytes.subarray(start, end)].map((b) => b.toString(16).padStart(2, "0")).join("");
  }
  return `${latin1(bytes.subarray(0, 8))} ${words.join(" ")} ${ids}`;
}

function sniffIndexed(bytes: Uint8Array): Sniffed {
  const word = wordAt(bytes, 1, true);
  if (word === undefined)
    return { kind: "indexed", describe: "LLVM indexed", doubt: "It ends inside its header." };
  const version = versionOf(word);
  const describe = [`LLVM indexed v${version}`, ...variantWords(word)].join(", ");
  if (version <= newestIndexed) return { kind: "indexed", describe };
  const doubt = `Version ${version} is newer than the newest known, ${newestIndexed}. The file is kept, to be decoded after an update.`;
  return { kind: "indexed", describe, doubt };
}

/** The header lines of a text profile name its variant; without one it is front end. */
function sniffText(text: string): Sniffed {
  const flags = new Set<string>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    if (!line.startsWith(":")) break;
    flags.add(line.trim().toLowerCase());
  }
  const words = [flags.has(":ir") || flags.has(":csir") ? "IR" : "front end"];
  if (flags.has(":csir")) words.push("context-sensitive");
  if (flags.has(":entry_first")) words.push("entry first");
  if (flags.has(":instrument_loop_entries")) words.push("loop entries");
  if (flags.has(":single_byte_coverage")) words.push("byte coverage");
  if (flags.has(":temporal_prof_traces")) words.push("temporal");
  return { kind: "text", describe: ["LLVM text", ...words].join(", ") };
}

const packings: [string, string][] = [
  ["\x1f\x8b", "gzip"],
  ["\x28\xb5\x2f\xfd", "zstd"],
  ["\xfd7zXZ\0", "xz"],
  ["BZh", "bzip2"],
  ["PK\x03\x04", "zip archive"],
];

const built =
  "This is what was built; the profile is the .profraw that running it writes. " +
  "Only a profile without records of its own needs it beside it.";

const foreigners: [RegExp, string, string][] = [
  [
    /^(\xcf\xfa\xed\xfe|\xce\xfa\xed\xfe|\xfe\xed\xfa\xcf|\xca\xfe\xba\xbe)/,
    "Mach-O executable or object file",
    built,
  ],
  [/^MZ/, "Windows executable", built],
  [/^PERFILE2/, "recorded samples of Linux perf", "Sample profiles are not instrumentation profiles."],
  [/^(adcg|gcda|oncg|gcno)/, "file of GCC’s coverage", "gcov reads it."],
  [/^\s*[{[]\s*["{[]/, "JSON", "Give the .profraw or .profdata it was made from."],
  [/^\s*<(!doctype|html|\?xml)/i, "web page or XML", "The download may have failed."],
];

/** The server's rule: every one of the first bytes is printable ASCII or white space. */
function isText(start: string): boolean {
  return /^[\x20-\x7e\t\n\v\f\r]+$/.test(start);
}

function wordAt(bytes: Uint8Array, index: number, little: boolean): bigint | undefined {
  const offset = 8 * index;
  if (offset + 8 > bytes.length) return;
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(offset, little);
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
