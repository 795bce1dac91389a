import { type Head, headBytes } from "./head";
import type { Sniffed } from "./sniff";

const type = "([ABbCcDdGgIiNnpRrSsTtUuVvWw?-])";
const address = "((?:0x)?[0-9a-fA-F]{8,16})";

/** The lines that nm prints, each with an address and a type or the other way about. */
const forms: [form: RegExp, address: number][] = [
  // [file:][address [size]] type name
  [new RegExp(`^(?:[^:]*:)? *${address} +(?:${address} +)?${type} +\\S`), 1],
  [new RegExp(`^(?:[^:]*:)?() +(?=[Uwv])${type} +\\S`), 1],
  // name type [address [size]]
  [new RegExp(`^\\s*\\S.*?\\s+${type}(?:\\s+([0-9a-fA-F]{1,16})){0,2}$`), 2],
];

/** A symbol with bars: name |address| type |kind|size|line|section. */
const table = new RegExp(`\\|\\s*([0-9a-fA-F]*)\\s*\\|\\s*${type}\\s*(?:\\|[^|]*){4}$`);

/** No symbol, but of the listing: a file's name, the head of a table. */
const other = /^$|^[^|]*:$|^Symbols from |^Name .*Value|: no symbols$/;

/** A symbol without an address, indented by the width of one. */
const undefinedSymbol = /^ {8,} [Uwv] \S/m;

/** A listing of symbols by nm, which names the procedures of DCPI samples, and the hashes of sample profiles. */
export function listing(head: Head): Sniffed | undefined {
  let text = head.text;
  if (head.size > headBytes) text = text.slice(0, text.lastIndexOf("\n") + 1);
  let found = undefinedSymbol.test(text);
  for (const line of text.split("\n").map((line) => line.replace(/[ \t\r]+$/, ""))) {
    if (other.test(line)) continue;
    const address = addressOf(line);
    if (address === undefined) return;
    found ||= address !== "";
  }
  if (!found) return;
  return {
    is: "companion",
    format: "nm",
    describe: "a listing of symbols by nm",
    doubt: "It names the procedures of DCPI samples, or the functions of sample profiles: add these too.",
  };
}

/** The address of the symbol of a line, "" where it has none; nothing of any other line. */
function addressOf(line: string): string | undefined {
  const bars = line.match(table);
  if (bars) return bars[1] ?? "";
  const [symbol = ""] = line.split("\t"); // the source follows
  for (const [form, address] of forms) {
    const match = symbol.match(form);
    if (match) return match[address] ?? "";
  }
  return;
}
