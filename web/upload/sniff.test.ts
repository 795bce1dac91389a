import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { sniff, sniffBytes } from "./sniff";

const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const of = (text: string) => sniff(bytes(text), text.length);
const sample = (name: string) => {
  const data = readFileSync(`fixtures/examples/${name}`);
  return sniff(new Uint8Array(data.subarray(0, sniffBytes)), data.length);
};

/** A raw header of 152 bytes. */
function header(
  magic: string,
  version: bigint,
  words: Record<number, bigint> = {},
  little = true,
): Uint8Array {
  const out = new Uint8Array(160);
  out.set(bytes(magic));
  const view = new DataView(out.buffer);
  view.setBigUint64(8, version, little);
  for (const [index, value] of Object.entries(words)) view.setBigUint64(8 * Number(index), value, little);
  return out;
}

test("real files are described in the server's words", () => {
  assert.equal(sample("cxx-ir.profraw").describe, "LLVM raw v10, 64-bit, little-endian, IR");
  assert.equal(sample("cxx-front-end.profdata").describe, "LLVM indexed v13, front end");
  assert.equal(sample("cxx-temporal.profdata").describe, "LLVM indexed v13, IR, temporal");
  assert.notEqual(sample("cxx-ir.profraw").program, sample("rust-ir.profraw").program);
});

test("pointer size and byte order come from the magic", () => {
  const big = header("\xfflprofR\x81", (1n << 56n) | (1n << 58n) | 8n, {}, false);
  assert.equal(sniff(big, big.length).describe, "LLVM raw v8, 32-bit, big-endian, IR, entry first");
});

test("runs of one program have one key, whatever their addresses", () => {
  const run = (words: Record<number, bigint>) => sniff(header("\x81rforpl\xff", 10n, words), 160).program;
  // Word 3 is NumData; 10 to 12 are addresses.
  assert.equal(run({ 3: 5n, 10: 1n, 11: 2n, 12: 3n }), run({ 3: 5n, 10: 7n, 11: 8n, 12: 9n }));
  assert.notEqual(run({ 3: 5n }), run({ 3: 6n }));
});

test("another binary id is another program", () => {
  const withId = (id: number) => {
    const h = header("\x81rforpl\xff", 10n, { 2: 16n });
    h[140] = id;
    return sniff(h, h.length).program;
  };
  assert.notEqual(withId(1), withId(2));
});

test("a version from the future is named", () => {
  const h = header("\x81rforpl\xff", 12n);
  assert.match(sniff(h, h.length).doubt ?? "", /Version 12 is newer than the newest known, 11/);
});

test("text with its header lines", () => {
  assert.equal(of("# IR level\n:ir\n:entry_first\nmain\n1\n").describe, "LLVM text, IR, entry first");
  assert.equal(of("main\n0\n1\n1\n").describe, "LLVM text, front end");
});

test("packed files and archives", () => {
  assert.equal(of("\x1f\x8b\x08").kind, "packed");
  assert.equal(of("PK\x03\x04rest").describe, "zip archive, unpacked on the server");
  const tar = new Uint8Array(512);
  tar.set(bytes("name"));
  tar.set(bytes("ustar"), 257);
  assert.equal(sniff(tar, 512).describe, "tar archive, unpacked on the server");
});

test("what is no profile is doubted", () => {
  assert.match(of("\x7fELF\x02").doubt ?? "", /\.profraw/);
  assert.equal(of("\x00\x01\x02").describe, "not recognised");
  assert.equal(sniff(new Uint8Array(0), 0).kind, "empty");
});

test("short files do not throw", () => {
  for (const start of ["\x81rforpl\xff", "\xfflprofi\x81", "\x1f", "a"]) {
    for (let n = 0; n <= start.length; n++) assert.ok(of(start.slice(0, n)).describe);
  }
});
