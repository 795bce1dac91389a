import type { Head } from "./head";
import type { Sniffed } from "./sniff";
import { notWhole, tooNew, variantWords, versionOf } from "./variants";

/** Pointer size and byte order, by magic. */
const magics: Record<string, [bits: number, order: "little" | "big"]> = {
  "\x81rforpl\xff": [64, "little"],
  "\xfflprofr\x81": [64, "big"],
  "\x81Rforpl\xff": [32, "little"],
  "\xfflprofR\x81": [32, "big"],
};

/**
 * The words of the header, by version: I bytes of binary ids, D data records,
 * C counters, N bytes of names, "." what else is the same in every run, and "-"
 * what may change, such as addresses.
 */
const headers = [
  "",
  "..DCN--",
  "..DCN--.--",
  "..DCN--.--",
  "..DCN--.",
  "..D.C.N--.",
  "..D.C.N--.I",
  "..ID.C.N--.",
  "..ID.C.N--.",
  "..ID.C...N---.",
  "..ID.C...N---...",
  "..ID.C.....-N---...",
];

const newest = headers.length - 1;

/** A raw profile of counters. */
export function raw(head: Head): Sniffed | undefined {
  const magic = magics[head.text.slice(0, 8)];
  if (!magic) return;
  const [bits, order] = magic;
  const little = order === "little";
  const sniffed: Sniffed = { is: "profile", format: "llvm-raw", describe: "LLVM raw" };
  const version = head.u64(8, little);
  if (version === undefined) return { ...sniffed, doubt: notWhole };
  const v = versionOf(version);
  sniffed.describe += ` v${v}`;
  let header = headers[v];
  if (!header)
    return {
      ...sniffed,
      describe: `${sniffed.describe}, a version this program does not know`,
      doubt: tooNew(v, newest),
    };
  // There are two versions 5. The seventh word is small in the older one, an address in the other.
  if (v === 5 && (head.u64(56, little) ?? 0n) <= 2n) header = headers[4] ?? "";
  sniffed.describe += [`, ${bits}-bit`, `${order}-endian`, ...variantWords(version)].join(", ");
  const words = [...header].map((_, i) => head.u64(8 * i, little));
  if (words.includes(undefined)) return { ...sniffed, doubt: notWhole };
  const word = (letter: string) => Number(words[header.indexOf(letter)] ?? 0n);
  const start = 8 * header.length;
  const ids = head.text.slice(start, start + word("I"));
  sniffed.key = `${words.filter((_, i) => header[i] !== "-").join(" ")} ${ids}`;
  // Counters without records are a correlated profile's.
  if (word("D") === 0 && word("N") === 0 && word("C") > 0) {
    sniffed.wants = ids;
    sniffed.doubt = "Its records and names are in the executable: add that, or its debug file.";
  }
  return sniffed;
}
