// What is typed into the filter field: part of a name, or a field, an operator
// and a value, which become a parameter of the address.

/** A parameter of the address. */
export interface Filter {
  key: string;
  value: string;
}

/** What a text means: a filter, a mistake in one, or undefined for a name. */
export type Parsed = Filter | { error: string } | undefined;

const ranges = ["total", "max", "entry", "counters", "zero", "sites", "ordinal", "rank"];
/** Columns that no filter takes, and those to use in their place. */
const noFilter: Record<string, string> = { share: "total", sum: "total", cum: "total", maximum: "max" };
const classes = ["hot", "warm", "cold", "never", "none"];
const largest = 2n ** 64n - 1n;

const pattern = /^\s*([a-z]+)\s*(>=|<=|!=|≥|≤|=|>|<|~|:)\s*(.*?)\s*$/i;

/** Reads a text; current gives the values of ranges that are in force. */
export function parseFilter(text: string, current: (key: string) => string | null): Parsed {
  const [, field = "", sign = "", value = ""] = pattern.exec(text) ?? [];
  const key = field.toLowerCase();
  if (ranges.includes(key)) return parseRange(key, sign, value, current(key));
  if (key === "class" && isEqual(sign) && !value.startsWith(":")) {
    const words = value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    const wrong = words.find((word) => !classes.includes(word));
    if (wrong !== undefined || words.length === 0) {
      return { error: `A class is one of ${classes.join(", ")}.` };
    }
    return { key, value: words.join(",") };
  }
  const other = noFilter[key];
  if (other !== undefined && !value.startsWith(":") && number(value.replace("%", "")) !== undefined) {
    return { error: `There is no filter for ${key}; use ${other}.` };
  }
  if (value === "" || value.startsWith(":")) return undefined; // a::b
  if ((key === "re" && isEqual(sign)) || (key === "name" && sign === "~")) return { key: "re", value };
  if (key === "name" && isEqual(sign)) return { key: "q", value };
  if (key === "executed" && isEqual(sign)) return parseExecuted(value);
  if (key === "path" && isEqual(sign)) return { key, value };
  if (key === "hash" && isEqual(sign)) return { key, value };
  return undefined;
}

/** "=" or ":"; a single colon of "a::b" is none, since "class::x" is a name. */
function isEqual(sign: string): boolean {
  return sign === "=" || sign === ":";
}

function parseExecuted(value: string): Parsed {
  if (/^(yes|true)$/i.test(value)) return { key: "executed", value: "true" };
  if (/^(no|false|never)$/i.test(value)) return { key: "executed", value: "false" };
  return { error: "Executed is yes or no." };
}

function parseRange(key: string, sign: string, value: string, current: string | null): Parsed {
  if (sign === ":" && value.startsWith(":")) return undefined; // max::size is a name
  if (sign === "~" || sign === "!=") return { error: `${key} takes =, >=, <=, > and <.` };
  const span = /^(.*?)\.\.(.*)$/.exec(value);
  if (isEqual(sign) && span) {
    const low = span[1] ? number(span[1]) : 0n;
    const high = span[2] ? number(span[2]) : largest;
    if (low === undefined || high === undefined || low > high) return { error: `“${value}” is not a range.` };
    return { key, value: join(span[1] ? low : undefined, span[2] ? high : undefined) };
  }
  let n = number(value);
  if (n === undefined) return { error: `“${value}” is not a number.` };
  if (sign === ">") n += 1n;
  if (sign === "<") n -= 1n;
  if (n < 0n || n > largest) return { error: `${key} is out of range.` };
  if (isEqual(sign)) return { key, value: String(n) };
  const [low, high] = ends(current);
  if (sign === ">" || sign === ">=" || sign === "≥") {
    return { key, value: join(n, high !== undefined && high >= n ? high : undefined) };
  }
  return { key, value: join(low !== undefined && low <= n ? low : undefined, n) };
}

/** Reads "1000", "1 000", "4_120", "2.5M". */
export function number(text: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?([kMGTPE]?)$/.exec(text.replace(/[\s_\u202f\u00a0]/g, ""));
  if (!match) return undefined;
  const [, whole = "", fraction = "", prefix = ""] = match;
  const power = 3 * " kMGTPE".indexOf(prefix || " ");
  if (fraction.length > power) return undefined;
  return BigInt(whole + fraction.padEnd(power, "0"));
}

function ends(range: string | null): [bigint | undefined, bigint | undefined] {
  const [low, high] = (range ?? "").split("..");
  if (high === undefined) return [undefined, undefined];
  return [low ? number(low) : undefined, high ? number(high) : undefined];
}

function join(low: bigint | undefined, high: bigint | undefined): string {
  if (low !== undefined && low === high) return String(low);
  return `${low ?? ""}..${high ?? ""}`;
}
