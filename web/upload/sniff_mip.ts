// The headers of Machine IR Profiles: which of the files it is, and of which
// link unit.

import type { Sniffed } from "./sniff";

const kinds: [bit: number, name: string][] = [
  [1, "raw"],
  [2, "return addresses"],
  [4, "map"],
  [8, "profile"],
];

/** Tells which file of a Machine IR Profile begins with these bytes. */
export function sniffMIP(bytes: Uint8Array): Sniffed {
  if (bytes.length < 32)
    return { kind: "mip", describe: "machine IR profile", doubt: "It ends inside its header." };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint16(4, true);
  const type = view.getUint16(6, true);
  const hash = view.getUint32(12, true).toString(16).padStart(8, "0");
  const name = kinds.find(([bit]) => type & bit)?.[1] ?? "profile";
  const describe = `MIP ${name} v${version}, module 0x${hash}`;
  if (version !== 8) return { kind: "mip", describe, doubt: `Version ${version} is not known; 8 is.` };
  if (type & 2)
    return {
      kind: "mip",
      describe,
      doubt: "Return addresses were never finished: the server shows the header alone.",
    };
  // A map and the runs of its program are one profile; a merged one stands for itself.
  return type & 8 ? { kind: "mip", describe } : { kind: "mip", describe, program: `mip ${hash}` };
}
