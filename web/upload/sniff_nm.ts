import { type Head, headBytes } from "./head";
import type { Sniffed } from "./sniff";

const type = "([ABbCcDdGgIiNnpRrSsTtUuVvWw?-])";
const address = "((?:0x)?[0-9a-fA-F]{8,16})";

/** The lines that nm prints, each with an address and a type or the other way about. */
const forms: [form: RegExp, address: number, type: number][] = [
  // [file:][address [size]] type name
  [new RegExp(`^(?:[^:]*:)? *${address} +(?:${address} +)?${type} +\\S`), 1, 3],
  [new RegExp(`^(?:[^:]*:)?() +(?=[Uwv])${type} +\\S`), 1, 2],
  // name type [address [size]]
  [new RegExp(`^\\s*\\S.*?\\s+${type}(?:\\s+([0-9a-fA-F]{1,16})){0,2}$`), 2, 1],
];

/** A symbol with bars: name |address| type |kind|size|line|section. */
const table = new RegExp(`\\|\\s*([0-9a-fA-F]*)\\s*\\|\\s*${type}\\s*(?:\\|[^|]*){4}$`);

/** No symbol, but of the listing: a file's name, the head of a table. */
const other = /^$|^[^|]*:$|^Symbols from |^Name .*Value|: no symbols$/;

/** The types of what may be code. */
const code = "tTwWiV";

/** A listing of symbols by nm, which names the procedures of DCPI samples. */
export function listing(head: Head): Sniffed | undefined {
  let text = head.text;
  if (head.size > headBytes) text = text.slice(0, text.lastIndexOf("\n") + 1);
  let found = false;
  for (const line of text.split("\n").map((line) => line.replace(/[ \t\r]+$/, ""))) {
    if (other.test(line)) continue;
    const symbol = symbolOf(line);
    if (!symbol) return;
    found ||= symbol.address !== "" && code.includes(symbol.type);
  }
  if (!found) return;
  return {
    is: "companion",
    format: "nm",
    describe: "a listing of symbols by nm",
    doubt: "It names the procedures of DCPI samples: add those.",
  };
}

function symbolOf(line: string): { address: string; type: string } | undefined {
  const bars = line.match(table);
  if (bars) return { address: bars[1] ?? "", type: bars[2] ?? "" };
  const [symbol = ""] = line.split("\t"); // the source follows
  for (const [form, address, type] of forms) {
    const match = symbol.match(form);
    if (match) return { address: match[address] ?? "", type: match[type] ?? "" };
  }
  return;
}
