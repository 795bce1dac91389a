import type { Head } from "./head";
import type { Sniffed } from "./sniff";

export const built =
  "This is what was built; the profile is the .profraw that running it writes. " +
  "Only a profile without records of its own, or of the heap, needs it beside it.";

/** An ELF program. Whether a Machine IR map is in it stands at its end. */
export function program(head: Head): Sniffed | undefined {
  if (!head.starts("\x7fELF")) return;
  const sniffed: Sniffed = {
    is: "companion",
    format: "elf",
    describe: "an ELF executable or object file",
    doubt: built,
  };
  const note = head.text.indexOf("\x03\0\0\0GNU\0"); // after the id's size
  const size = head.u32(note - 4);
  return note < 0 || !size ? sniffed : { ...sniffed, buildId: head.text.slice(note + 8, note + 8 + size) };
}
