import assert from "node:assert/strict";
import test from "node:test";
import { sniff } from "./sniff";

// What files are called is held by recognition.test.ts; this is about what else is said of them.

const bytes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));
const of = (text: string, name = "a") => sniff(name, bytes(text), text.length);

/** A raw header of 160 bytes. */
function header(version: bigint, words: Record<number, bigint> = {}, at: Record<number, number> = {}) {
  const out = new Uint8Array(160);
  out.set(bytes("\x81rforpl\xff"));
  const view = new DataView(out.buffer);
  view.setBigUint64(8, version, true);
  for (const [index, value] of Object.entries(words)) view.setBigUint64(8 * Number(index), value, true);
  for (const [offset, value] of Object.entries(at)) out[Number(offset)] = value;
  return sniff("a.profraw", out, 1000);
}

test("runs of one program have one key, whatever their addresses", () => {
  // Word 3 is NumData; 10 to 12 are addresses.
  const key = header(10n, { 3: 5n, 10: 1n, 11: 2n, 12: 3n }).key;
  assert.ok(key);
  assert.equal(header(10n, { 3: 5n, 10: 7n, 11: 8n, 12: 9n }).key, key);
  assert.notEqual(header(10n, { 3: 6n }).key, key);
});

test("another binary id is another program", () => {
  const withId = (id: number) => header(10n, { 2: 16n }, { 140: id }).key;
  assert.notEqual(withId(1), withId(2));
});

test("counters without records want a program", () => {
  // Words 3, 5 and 9 are NumData, NumCounters and NamesSize.
  assert.equal(header(10n, { 5: 2n }).wants, "");
  assert.equal(header(10n, { 3: 1n, 5: 2n, 9: 8n }).wants, undefined);
});

test("a raw file that is cut is of no program", () => {
  assert.ok(header(10n, { 3: 5n, 9: 100n }).key);
  const cut = header(10n, { 3: 5n, 9: 1000n });
  assert.equal(cut.key, undefined);
  assert.match(cut.doubt ?? "", /cut short/);
});

test("a version from the future is named", () => {
  assert.match(header(12n).doubt ?? "", /Version 12 is unknown; the newest known is 11/);
});

test("a doubt says what to do", () => {
  assert.match(of("\x7fELF\x02").doubt ?? "", /\.profraw/);
  assert.match(of("# A project\n\nWhat it is for.\n").doubt ?? "", /the profile itself/);
  assert.match(of("main\nno hash\n1\n").doubt ?? "", /not begin like a text profile/);
  assert.match(of("notes", "a.mip").doubt ?? "", /name/);
  assert.match(of("\xfbMIP\x08\0\x01\0", "a").doubt ?? "", /inside its header/);
  assert.equal(of("main\n0\n1\n1\n").doubt, undefined);
});

test("short files do not throw", () => {
  for (const start of [
    "\x81rforpl\xff\x0a",
    "\xfflprofi\x81\x0a",
    "\x81rforpm\xff\x05",
    "\xfbMIP\x08",
    "\x1f",
    "a",
  ]) {
    for (let n = 0; n <= start.length; n++) assert.ok(of(start.slice(0, n)).describe);
  }
});

test("long lines are looked at in no time", () => {
  const start = performance.now();
  for (const c of [
    "\n",
    " ",
    "\t",
    "#",
    "a ",
    "a:",
    "a b\n",
    "version \n",
    "T ",
    "|",
    "(#\n",
    "\r\n",
    "==\n",
    "path x\n",
  ])
    of(c.repeat(4096 / c.length));
  assert.ok(performance.now() - start < 1000);
});

test("profile types of machine IR are doubted where the server refuses them", () => {
  const header = (file: number, type: number) =>
    `\xfbMIP\x08\0${String.fromCharCode(file)}\0${String.fromCharCode(type)}\0\0\0${"\0".repeat(16)}\x20\0\0\0`;
  for (let type = 1; type < 32; type++) {
    assert.equal(of(header(0x14, type), "a").doubt, undefined, `map, ${type}`);
    assert.equal(of(header(0x11, type), "a").doubt !== undefined, type >= 16, `raw, ${type}`);
    assert.equal(of(header(8, type), "a").doubt !== undefined, type === 13, `profile, ${type}`);
  }
  for (const file of [0x14, 0x11, 8]) {
    assert.match(of(header(file, 0), "a").doubt ?? "", /damaged/);
    assert.match(of(header(file, 33), "a").doubt ?? "", /damaged/);
  }
});
