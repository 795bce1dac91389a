// The headers of Machine IR Profiles: which of the files it is, and of which
// link unit.

import type { Head } from "./head";
import type { Sniffed } from "./sniff";

const magic = "\xfbMIP";

/** Kinds of file, by the bit of the header, with the name that binds to one. */
const kinds: [bit: number, ending: string, format: string, name: string][] = [
  [8, ".mip", "mip", "MIP profile"],
  [4, ".mipmap", "mipmap", "MIP map"],
  [1, ".mipraw", "mipraw", "MIP raw"],
  [2, ".mipret", "mip", "MIP call edge samples"],
];

const raw = 1;
const returns = 2;
const merged = 8;

/** Coverage with timestamps and call counts, which no merged profile has. */
const both = 13;

/** What was recorded, by bit. */
const recorded = [
  "function coverage",
  "block coverage",
  "function timestamp",
  "function call count",
  "return address",
];

/** Tells a file of Machine IR Profiles by its magic, or by its name. */
export function machineIR(head: Head): Sniffed | undefined {
  const named = kinds.find(([, ending]) => head.named(ending))?.[0] ?? 0;
  if (!head.starts(magic) && !named) return;
  const [version = 0, type = 0] = [head.u16(4), head.u16(6)];
  const [what = 0, hash = 0, data = 0] = [head.u32(8), head.u32(12), head.u32(28)];
  const damaged = head.size === 0 || !magic.startsWith(head.text.slice(0, 4));
  const kind = (damaged ? 0 : type & 15) || named;
  const [, , format = "mip", name = "MIP profile"] = kinds.find(([bit]) => bit === kind) ?? [];
  const sniffed: Sniffed = {
    is: "profile",
    format,
    describe: "not a Machine IR Profile, despite its name",
  };
  if (damaged) return { ...sniffed, doubt: "Its contents do not match its name." };

  const width = ["", ", 64-bit", ", 32-bit", ""][(type >> 4) & 3];
  const words = recorded.filter((_, i) => what & (1 << i)).map((word) => `, ${word}`);
  const module = hash.toString(16).padStart(8, "0");
  const of = type & returns ? "MIP call edge samples" : name;
  sniffed.describe = `${of} v${version}${width}${words.join("")}, module 0x${module}`;

  if (head.bytes.length < 32) return { ...sniffed, doubt: "It ends inside its header." };
  if (version !== 8) return { ...sniffed, doubt: `Version ${version} is unknown; only 8 is supported.` };
  if (kind === returns || (kind === raw && what & 16))
    return {
      ...sniffed,
      doubt: "This format was never finished: the server shows only the header.",
    };
  const whole = data >= 32 && data <= head.size;
  const possible =
    type < 64 && (type & 48) < 48 && what > 0 && what < 32 && !(kind === merged && what === both);
  if (!whole || !possible || ![1, 4, 8].includes(type & 15) || (named && named !== kind))
    return { ...sniffed, doubt: "Its header is damaged, or its name ending is wrong." };
  if (format === "mip") return sniffed; // it has its runs already
  // A map and the runs of its program are one profile; the program may bring the map.
  return { ...sniffed, key: `mip ${module} ${what} ${type & 48}`, single: format === "mipmap", wants: "" };
}
