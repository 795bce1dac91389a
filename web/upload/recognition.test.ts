// Holds the page to the server's view of files, by the fixtures that decode's own
// test keeps current.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { gunzipSync } from "node:zlib";
import { byContent } from "./group";
import { headBytes } from "./head";
import { type Sniffed, sniff } from "./sniff";

type Answer = Pick<Sniffed, "is" | "describe" | "format">;

interface Less extends Partial<Answer> {
  because: string;
}

interface FileCase extends Answer {
  name: string;
  from?: string;
  text?: string;
  hex?: string;
  size?: number;
  page?: Less;
}

interface SetCase {
  set: string;
  files: string[];
  groups: number[][];
  page?: { groups: number[][]; because: string };
}

const read = <T>(name: string): T[] => JSON.parse(readFileSync(`test/recognition/${name}`, "utf8"));

function bytesOf({ from, text, hex, size }: FileCase): Buffer {
  let bytes = text === undefined ? Buffer.from(hex ?? "", "hex") : Buffer.from(text);
  if (from) bytes = readFileSync(from);
  if (from?.endsWith(".gz")) bytes = gunzipSync(bytes);
  return size ? Buffer.concat([bytes, Buffer.alloc(size)], size) : bytes;
}

const files = read<FileCase>("files.json");
const sniffed = new Map<string, Sniffed>();
for (const file of files) {
  const bytes = bytesOf(file);
  sniffed.set(file.name, sniff(file.name, new Uint8Array(bytes.subarray(0, headBytes)), bytes.length));
}

test("the page says of every file what the server says, or less", () => {
  for (const file of files) {
    const { because: _, ...page }: Partial<Less> = file.page ?? {};
    // A page that takes a file for something less knows no format of it, or says which.
    const want = { is: file.is, describe: file.describe, format: page.is ? undefined : file.format, ...page };
    const got = sniffed.get(file.name);
    assert.deepEqual({ is: got?.is, describe: got?.describe, format: got?.format }, want, file.name);
  }
});

test("what is no profile is doubted, and says why", () => {
  for (const [name, { is, doubt }] of sniffed) {
    if (!["profile", "packed"].includes(is)) assert.ok(doubt, name);
  }
});

test("files form the profiles that the server makes of them", () => {
  for (const { set, files, groups, page } of read<SetCase>("sets.json")) {
    const given = files.map((name) => sniffed.get(name)).filter((file) => file !== undefined);
    assert.deepEqual(byContent(given), page?.groups ?? groups, set);
  }
});
