import type { Head } from "./head";
import type { Sniffed } from "./sniff";

/** What llvm-profdata merge --text writes, told by its first record. */
export function text(head: Head): Sniffed | undefined {
  const lines = linesOf(head);
  return lines && plausible(lines) ? described(lines) : undefined;
}

/** Any other text: the server's reader of text profiles says where it is wrong. */
export function anyText(head: Head): Sniffed | undefined {
  const lines = linesOf(head);
  return lines && { ...described(lines), doubt: "It does not begin as a text profile does." };
}

/** The lines that count. The first bytes of a text are printable ASCII or white space. */
function linesOf(head: Head): string[] | undefined {
  if (!/^[\x20-\x7e\t\n\v\f\r]+$/.test(head.text.slice(0, 8))) return;
  return head.text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
}

/** A line of the header, or a name, a hash and a number of counters; or nothing. */
function plausible(lines: string[]): boolean {
  const [name, hash, counters] = lines;
  if (name === undefined || lines.slice(0, 3).some((line) => line.startsWith(":"))) return true;
  return /^(0x[0-9a-f]+|\d+)$/i.test(hash ?? "") && /^\d+$/.test(counters ?? "");
}

/** The directives of the header, in the order in which they are said. */
const directives: [line: string, word: string][] = [
  [":csir", "context-sensitive"],
  [":entry_first", "entry first"],
  [":instrument_loop_entries", "loop entries"],
  [":single_byte_coverage", "byte coverage"],
  [":temporal_prof_traces", "temporal"],
];

const known = new Set([":ir", ":fe", ":not_entry_first", ...directives.map(([line]) => line)]);

function described(lines: string[]): Sniffed {
  const found = new Set<string>();
  for (let i = 0; lines[i]?.startsWith(":"); i++) {
    const line = lines[i]?.toLowerCase() ?? "";
    if (!known.has(line)) {
      found.clear();
      break;
    }
    found.add(line);
    if (line === ":not_entry_first") found.delete(":entry_first");
    // As many traces of a weight and names, and how many there ever were.
    if (line === ":temporal_prof_traces") i += 2 + 2 * Number(lines[i + 1] ?? 0);
  }
  const words = directives.filter(([line]) => found.has(line)).map(([, word]) => word);
  const level = found.has(":ir") || found.has(":csir") ? "IR" : "front end";
  return { is: "profile", format: "llvm-text", describe: ["LLVM text", level, ...words].join(", ") };
}
