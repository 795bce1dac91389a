// What a file's first bytes say it is, by the rules and in the words of the
// server, so that groups can be shown before anything is sent. The server
// looks again: this decides nothing. test/recognition holds both to the same
// answers, and says where the page, which sees only the head, says less.

import { Head } from "./head";
import { dcpi, dcpiByName } from "./sniff_dcpi";
import { foreign, packed } from "./sniff_foreign";
import { heap } from "./sniff_heap";
import { indexed } from "./sniff_indexed";
import { machineIR } from "./sniff_mip";
import { listing } from "./sniff_nm";
import { program } from "./sniff_program";
import { raw } from "./sniff_raw";
import { anySample, nameList, sample } from "./sniff_sample";
import { anyText, plainText, text } from "./sniff_text";

export interface Sniffed {
  /**
   * What becomes of it. A companion is no profile and may stand beside one; what
   * is unread is a profile of a kind that is not decoded.
   */
  is: "profile" | "companion" | "foreign" | "unread" | "unknown" | "empty" | "packed";
  describe: string;
  /** The server's name of the format. */
  format?: string;
  /** Equal for files that form one profile. */
  key?: string;
  /** Set where a profile has at most one such file. */
  single?: boolean;
  /** Set for profiles that want a program: the build IDs that they name, "" for none. */
  wants?: string;
  /** A program's. */
  buildId?: string;
  /** Set for an object file, which no profile wants. */
  unlinked?: boolean;
  /** Set where no format fits, and this one is the likeliest. */
  guess?: boolean;
  /** Why the server will probably not decode it. */
  doubt?: string;
}

/** In the server's order: those that look closest come first, guesses last. */
const recognisers: ((head: Head) => Sniffed | undefined)[] = [
  packed,
  machineIR,
  dcpi,
  listing,
  sample,
  nameList,
  empty,
  raw,
  indexed,
  program,
  heap,
  text,
  foreign,
  dcpiByName,
  anySample,
  anyText,
  plainText,
];

/** Tells what a file is; size is the whole file's, bytes its beginning. */
export function sniff(name: string, bytes: Uint8Array, size: number): Sniffed {
  const head = new Head(name, bytes, size);
  for (const recognise of recognisers) {
    const sniffed = recognise(head);
    if (sniffed) return sniffed;
  }
  return { is: "unknown", describe: "unknown", doubt: "Its first bytes match no known profile format." };
}

function empty(head: Head): Sniffed | undefined {
  if (head.size > 0) return;
  const doubt = "It is empty: the program never wrote its profile.";
  return { is: "empty", format: "llvm-raw", describe: "empty file", doubt };
}
