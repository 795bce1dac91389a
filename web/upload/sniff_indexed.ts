import type { Head } from "./head";
import type { Sniffed } from "./sniff";
import { hasFlag, memProf, notWhole, tooNew, variantWords, versionOf } from "./variants";

const newest = 14;

/** What llvm-profdata merge writes. */
export function indexed(head: Head): Sniffed | undefined {
  if (!head.starts("\xfflprofi\x81")) return;
  const sniffed: Sniffed = { is: "profile", format: "llvm-indexed", describe: "LLVM indexed" };
  const version = head.u64(8);
  if (version === undefined) return { ...sniffed, doubt: notWhole };
  const v = versionOf(version);
  sniffed.describe += ` v${v}`;
  if (v > newest)
    return {
      ...sniffed,
      describe: `${sniffed.describe}, an unknown version`,
      doubt: tooNew(v, newest),
    };
  const words = v >= 8 && hasFlag(version, memProf) && !counts(head) ? ["MemProf"] : variantWords(version);
  return { ...sniffed, describe: [sniffed.describe, ...words].join(", ") };
}

/**
 * Whether the profile is seen to have counters. The number of functions stands in
 * its hash table, which ends it: of a long one nothing is said but the heap profile.
 */
function counts(head: Head): boolean {
  const table = head.u64(32);
  return table !== undefined && (head.u64(Number(table) + 8) ?? 0n) > 0n;
}
