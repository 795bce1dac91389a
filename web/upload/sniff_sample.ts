import { type Head, headBytes } from "./head";
import type { Sniffed } from "./sniff";

const magic = "\xe4\xd0\xb1\xf4\xc9\x94\xa8\x53";

const of = (format: string, form: string): Sniffed => ({
  is: "profile",
  format: `sample-${format}`,
  describe: `sample profile (${form})`,
});

/** Sample profiles: LLVM's binary forms by their magic, GCC's by magic and version, text by its first line. */
export function sample(head: Head): Sniffed | undefined {
  if (head.starts("\xff\xe5\xd0\xb1\xf4\xc9\x94\xa8\x53")) return of("binary", "binary");
  if (head.starts(`\x84${magic}`)) return of("extbinary", "extensible binary");
  if (head.starts(`\x82${magic}`)) return of("compact", "compact binary");
  // Counters of GCC's coverage begin alike, and have another version.
  if (head.starts("adcg*704", "adcg\x01\0\0\0", "adcg\x02\0\0\0", "adcg\x03\0\0\0")) return of("gcc", "GCC");
  return isText(head.text) ? of("text", "text") : undefined;
}

const begins = /^(?! )(.*):\d{1,20}:\d{1,20}$/s;

/** Whether the first line that says something begins a function and, where it could be other text, the next does too or is deeper. */
function isText(text: string): boolean {
  const [first, second] = text
    .split("\n")
    .map((line) => line.replace(/\r$/, ""))
    .filter((line) => /^ *[^ #]/.test(line));
  const [, name] = first?.match(begins) ?? [];
  if (name === undefined) return false;
  return !name.includes(" ") || second === undefined || second.startsWith(" ") || begins.test(second);
}

const bodyLine = /^[ \t]+\d+(\.\d+)?:[ \t]*(-?\d|[^ \t]+:\d)/;

/** Text that looks like samples: lines of them follow one with a colon, or come first. */
export function anySample({ text }: Head): Sniffed | undefined {
  let begun: string | undefined;
  for (const line of text.split("\n")) {
    if (/^[ \t\r]*(#|$)/.test(line)) continue;
    if (bodyLine.test(line)) {
      if (begun !== undefined && begun.indexOf(":") <= 0) return;
      return { ...of("text", "text"), guess: true, doubt: "It does not begin like a sample profile." };
    }
    if (/^[ \t]/.test(line)) return;
    begun = line;
  }
  return;
}

const linkageName = /^[A-Za-z_.$][\w.$@]*$/;

/** A name that no list of anything else has. */
const ofLinker = /^(_Z\w|_R[A-Z]|_start$|_init$)/;

/** A list of linkage names, one a line, which gives sample profiles the names of hashes. */
export function nameList(head: Head): Sniffed | undefined {
  let text = head.text;
  if (head.size > headBytes) text = text.slice(0, text.lastIndexOf("\n") + 1);
  const lines = text
    .split("\n")
    .map((line) => line.replace(/[ \t\r]+$/, ""))
    .filter((line) => line !== "");
  if (lines.length < 2 || !lines.every((line) => linkageName.test(line))) return;
  if (!lines.some((line) => ofLinker.test(line))) return;
  return {
    is: "companion",
    format: "names",
    describe: "a list of function names",
    doubt: "It names the functions of sample profiles: add the profile too.",
  };
}
