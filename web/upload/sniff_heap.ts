import type { Head } from "./head";
import type { Sniffed } from "./sniff";
import { notWhole, tooNew } from "./variants";

const newest = 5;

/** A heap profile of MemProf, raw or in text. */
export function heap(head: Head): Sniffed | undefined {
  if (head.starts("\x81rforpm\xff")) return rawHeap(head);
  if (yaml.test(head.text)) return { is: "profile", format: "memprof-yaml", describe: "MemProf YAML" };
  if (report.test(head.text))
    return { is: "profile", format: "memprof-report", describe: "MemProf text report" };
  return;
}

const yaml =
  /^(HeapProfileRecords:|DataAccessProfiles:|---.*\n(HeapProfileRecords:|DataAccessProfiles:|# MemProf))/s;

/** The runtime's own report, after its messages. */
const report =
  /^((==[^\n]*)?\r?\n)*(Recorded MIBs \(incl\. live on exit\):|Live on exit:|MIB:(\d+\/\d+\/\d+\.\d\d\/){3}(\d+\/){5}\d+)\r*(\n|$)/;

/** Its call stacks are addresses in the program and its libraries. */
function rawHeap(head: Head): Sniffed {
  const sniffed: Sniffed = { is: "profile", format: "memprof-raw", describe: "MemProf raw", wants: "" };
  const word = head.u64(8);
  if (word === undefined) return { ...sniffed, doubt: notWhole };
  const version = Number(word);
  sniffed.describe += ` v${word}`;
  if (version < 1 || version > newest)
    return {
      ...sniffed,
      describe: `${sniffed.describe}, an unknown version`,
      doubt: tooNew(version, newest),
    };
  return { ...sniffed, ...modules(head, version) };
}

/**
 * The build IDs of what was loaded. The first is the program's, and tells
 * programs apart; before there were such, the sizes of all that was mapped do.
 */
function modules(head: Head, version: number): Pick<Sniffed, "key" | "wants"> {
  const hasIds = version >= 3;
  const entry = hasIds ? 64 : 56;
  const start = Number(head.u64(24) ?? 0n) + 8;
  const end = start + entry * Number(head.u64(start - 8) ?? 0n);
  if (start > end - entry || end > head.bytes.length) return {};
  const ids: string[] = [];
  const sizes: bigint[] = [];
  for (let at = start; at < end; at += entry) {
    const [low = 0n, high = 0n, offset = 0n, idSize = 0n] = [0, 8, 16, 24].map((n) => head.u64(at + n));
    sizes.push(high - low, offset);
    if (hasIds) ids.push(head.text.slice(at + 32, at + 32 + Number(idSize)));
  }
  return { key: `memprof ${hasIds ? ids[0] : sizes.join(" ")}`, wants: ids.join("\n") };
}
