import type { Head } from "./head";
import type { Sniffed } from "./sniff";
import { plainText } from "./sniff_text";

/** All files of DCPI are of one database. */
const database: Sniffed = { is: "profile", format: "dcpi", describe: "DCPI profile", key: "dcpi" };

const keyword =
  "(?:image|epoch|platform|event|period|tsize|cpuspeed|version|tstart|cpuamask|cpuimplv|cpucount|path)";
const value = "[ \\t]+[^ \\t\\r\\n][^\\n]*";

/** A line of a known keyword, and another or the end of the header after it. */
const profile = new RegExp(
  `^(?:version[^\\n]*pdb-[^\\n]*\\n|${keyword}${value}\\n(?:[^ \\t\\n]+${value}\\n)*?(?:${keyword}${value}|samples[ \\t]*\\r?(?:\\n|$)))`,
);

/** Lines of keywords, known or not, up to the end of the header. */
const header = new RegExp(`^(?:[^ \\t\\n]+${value}\\n)+samples[ \\t]*\\r?(?:\\n|$)`);
const required = /^(?:image|epoch|platform|event|period|tsize|cpuspeed)[ \t]/gm;

/** Whether a file begins as a profile does: any line may come first. */
function begins(text: string): boolean {
  return profile.test(text) || (header.exec(text)?.[0].match(required)?.length ?? 0) >= 2;
}

/** What dcpicat prints: lines of its own keywords, an address or an event among them. */
const cat =
  /^\s*((name|image|label|path|epoch|platform)[ \t]+\S[^\n]*\n){1,64}(text_start[ \t]+0x|text_size[ \t]+0x|event[ \t]+\d+[ \t]+\S+:)/;

export function dcpi(head: Head): Sniffed | undefined {
  if (head.size === 0) return dcpiByName(head);
  if (cat.test(head.text)) return { ...database, format: "dcpicat", describe: "dcpicat text" };
  if (begins(head.text)) return { ...database, describe: described(head) };
  return;
}

const keywordFirst = new RegExp(`^${keyword}[ \\t]`);

/** A file of no known kind that has the name of one, damaged as it may be; but no other text. */
export function dcpiByName(head: Head): Sniffed | undefined {
  if (!head.name.endsWith(".prof")) return;
  if (head.size > 0 && plainText(head) && !keywordFirst.test(head.text)) return;
  return { ...database, guess: true, doubt: "It does not begin like a DCPI profile." };
}

/** What a header says that can be read to its end; of any other nothing is said. */
function described(head: Head): string {
  const read = new TextDecoder().decode(head.bytes).match(/^(.*?\n)samples[ \t]*\r?\n/s);
  const endings = new Set([...(read?.[0].matchAll(/\r?\n/g) ?? [])].map(String));
  const values = new Map<string, string>();
  for (const line of read?.[1]?.replace(/\r?\n$/, "").split(/\r?\n/) ?? []) {
    const [, key = "", value = ""] = line.match(/^([^ \t]+)[ \t]+(.*[^ \t])[ \t]*$/s) ?? [];
    const again = values.has(key) && once.test(key);
    if (!value || again || endings.size > 1) return database.describe;
    if (!values.has(key)) values.set(key, value);
  }
  const version = values.get("version")?.replace(/^pdb-/, "");
  const words = [values.get("event"), values.get("platform"), startOf(values.get("epoch"))];
  return [version ? `DCPI profile ${version}` : "DCPI profile", ...words.filter((word) => word)].join(", ");
}

/** What no header may have twice. */
const once = /^(?:image|epoch|platform|event|tsize|cpuspeed|version|tstart)$/;

/** The time of an epoch, as YYMMDDHHMM, YYYYMMDDHHMM or YYYYMMDDHHMMSS. */
function startOf(epoch = ""): string | undefined {
  const century = epoch.length !== 10 ? "" : epoch < "70" ? "20" : "19";
  const digits = `${century}${epoch}${epoch.length < 14 ? "00" : ""}`;
  const [, year, month, day, hour, minute, second] =
    digits.match(/^(\d{4})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])([0-5]\d)([0-5]\d|60)$/) ?? [];
  return year && `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}
