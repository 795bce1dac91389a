import type { Head } from "./head";
import type { Sniffed } from "./sniff";

export const built =
  "This is the program; its profile is the .profraw that it writes when run. " +
  "Add it to a heap profile, to a profile without records, or to counters for the lines of its functions.";

/** A program of any system. */
export function program(head: Head): Sniffed | undefined {
  return elf(head) ?? machO(head) ?? windows(head);
}

/** The formats of programs. */
export const isProgram = ({ format }: Sniffed) => format === "elf" || format === "mach-o" || format === "pe";

/** Whether a file can have a coverage mapping. */
export const canMap = (file: Sniffed) =>
  isProgram(file) || ["coff", "wasm", "archive", "covmapping"].includes(file.format ?? "");

/** An ELF program. Whether a Machine IR map is in it stands at its end. */
function elf(head: Head): Sniffed | undefined {
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

const uuidCommand = 0x1b; // LC_UUID
const [object, dsym] = [0x1, 0xa]; // MH_OBJECT, MH_DSYM

/** A Mach-O program, thin or fat: a file that begins like a fat one and has more parts is a Java class. */
function machO(head: Head): Sniffed | undefined {
  const wide = head.starts("\xcf\xfa\xed\xfe", "\xfe\xed\xfa\xcf");
  const little = head.starts("\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe");
  const thin = wide || little || head.starts("\xfe\xed\xfa\xce");
  const parts = head.u32(4, false) ?? 0;
  const fat = head.starts("\xca\xfe\xba\xbe", "\xca\xfe\xba\xbf") && parts > 0 && parts < 64;
  if (!fat && !(thin && head.size >= 8)) return;
  const number = (at: number) => head.u32(at, little) ?? 0;
  const sniffed: Sniffed = {
    is: "companion",
    format: "mach-o",
    describe:
      thin && number(12) === dsym
        ? "the debug info of a Mach-O program (dSYM)"
        : "a Mach-O executable or object file",
    doubt: built,
    unlinked: thin && number(12) === object,
  };
  let at = wide ? 32 : 28;
  for (let left = thin ? Math.min(number(16), 1000) : 0; left > 0; left--, at += Math.max(number(at + 4), 8))
    if (number(at) === uuidCommand) return { ...sniffed, buildId: head.text.slice(at + 8, at + 24) };
  return sniffed;
}

/** A Windows program. Its build ID is too far from its beginning. */
function windows(head: Head): Sniffed | undefined {
  if (head.starts("MZ"))
    return { is: "companion", format: "pe", describe: "a Windows executable", doubt: built };
}
