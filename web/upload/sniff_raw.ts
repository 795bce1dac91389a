import type { Head } from "./head";
import type { Sniffed } from "./sniff";
import { byteCoverage, hasFlag, notWhole, tooNew, variantWords, versionOf } from "./variants";

/** Pointer size and byte order, by magic. */
const magics: Record<string, [bits: number, order: "little" | "big"]> = {
  "\x81rforpl\xff": [64, "little"],
  "\xfflprofr\x81": [64, "big"],
  "\x81Rforpl\xff": [32, "little"],
  "\xfflprofR\x81": [32, "big"],
};

/**
 * By version the words of the header, and the bytes of a data record for 64 bits
 * and for 32. The words are I bytes of binary ids, D data records, C counters, U
 * uniform counters, N bytes of names, b other bytes, "." what else is the same in
 * every run, and "-" what may change, such as addresses.
 */
const layouts: [header: string, record64: number, record32: number][] = [
  ["", 0, 0],
  ["..DCN--", 32, 24],
  ["..DCN--.--", 56, 40],
  ["..DCN--.--", 48, 40],
  ["..DCN--.", 48, 40],
  ["..DbCbN--.", 48, 40],
  ["..DbCbN--.I", 48, 40],
  ["..IDbCbN--.", 48, 40],
  ["..IDbCbN--.", 48, 40],
  ["..IDbCbbbN---.", 64, 48],
  ["..IDbCbbbN---...", 64, 48],
  ["..IDbCbbbUb-N---...", 72, 56],
];

const newest = layouts.length - 1;

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
  let [header, record64, record32] = layouts[v] ?? ["", 0, 0];
  if (!header)
    return {
      ...sniffed,
      describe: `${sniffed.describe}, an unknown version`,
      doubt: tooNew(v, newest),
    };
  // There are two versions 5. The seventh word is small in the older one, an address in the other.
  if (v === 5 && (head.u64(56, little) ?? 0n) <= 2n) header = "..DCN--.";
  sniffed.describe += [`, ${bits}-bit`, `${order}-endian`, ...variantWords(version)].join(", ");
  const words = [...header].map((_, i) => head.u64(8 * i, little));
  if (words.includes(undefined)) return { ...sniffed, doubt: notWhole };
  const word = (letter: string) => Number(words[header.indexOf(letter)] ?? 0n);
  const sizes: Record<string, number> = {
    I: 1,
    b: 1,
    N: 1,
    D: bits === 64 ? record64 : record32,
    C: hasFlag(version, byteCoverage) ? 1 : 8,
    U: 8,
  };
  const start = 8 * header.length;
  const end = words.reduce((sum: number, n, i) => sum + Number(n) * (sizes[header[i] ?? ""] ?? 0), start);
  const ids = head.text.slice(start, start + word("I"));
  // Counters without records are a correlated profile's.
  if (word("D") === 0 && word("N") === 0 && word("C") > 0) {
    sniffed.wants = ids;
    sniffed.doubt = "Its records and names are in the executable: add it or its debug file.";
  }
  // A file that is cut stays apart, so that its fault is its own.
  if (end > head.size) return { ...sniffed, doubt: "It is cut short." };
  const key = `${words.filter((_, i) => header[i] !== "-").join(" ")} ${ids}`;
  return { ...sniffed, key };
}
