import type { Head } from "./head";
import type { Sniffed } from "./sniff";

/** What llvm-profdata merge --text writes, told by its first record. */
export function text(head: Head): Sniffed | undefined {
  const lines = linesOf(head);
  return lines && plausible(lines, head.text) ? described(lines) : undefined;
}

/** Text that could be a damaged profile: the server's reader of those says where it is wrong. */
export function anyText(head: Head): Sniffed | undefined {
  const lines = linesOf(head);
  if (prose(head) && !head.name.endsWith(".proftext")) return;
  return lines && { ...described(lines), guess: true, doubt: "It does not begin like a text profile." };
}

/**
 * Whether a text is plainly of another kind: of its first whole lines that are no
 * comments none is a number or of a header, and there are several, or one of words.
 */
function prose({ text, bytes, size }: Head): boolean {
  const whole = size > bytes.length ? text.slice(0, text.lastIndexOf("\n") + 1) : text;
  const lines = whole
    .split("\n")
    .map((line) => line.replace(/^[ \t\v\f\r]+|[ \t\v\f\r]+$/g, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.some((line) => /^(:|(0x[0-9a-f]*|\d+)$)/i.test(line))) return false;
  return lines.length > 1 || lines.some((line) => line.includes(" "));
}

/** Text that no suite takes for a damaged profile, such as a README. */
export function plainText({ text, bytes }: Head): Sniffed | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
  if (bytes.length === 0 || /[\0-\x08\x0e-\x1f\x7f]/.test(text)) return;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }); // the last character may be cut
  } catch {
    return;
  }
  return { is: "foreign", describe: "plain text", doubt: "Give the profile itself." };
}

/** The lines that count. The first bytes of a text are printable ASCII or white space. */
function linesOf(head: Head): string[] | undefined {
  if (!/^[\x20-\x7e\t\n\v\f\r]+$/.test(head.text.slice(0, 8))) return;
  return head.text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
}

/** A line of the header, or a name, a hash and a number of counters; or nothing. */
function plausible(lines: string[], text: string): boolean {
  const [name, hash, counters] = lines;
  if (name === undefined) return !/^#[^ \r\n]/m.test(text); // such as #include
  const header = lines.slice(0, 3).find((line) => line.startsWith(":"));
  if (header !== undefined) return /^:[a-z_]+[ \t]*$/i.test(header);
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
