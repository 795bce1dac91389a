import assert from "node:assert/strict";
import test from "node:test";
import { allInOne, byContent, describeGroup, groupField, move, oneEach, without } from "./group";
import type { Sniffed } from "./sniff";

const raw = (program: string): Sniffed => ({ kind: "raw", describe: "raw", program });
const indexed: Sniffed = { kind: "indexed", describe: "indexed" };
const packed: Sniffed = { kind: "packed", describe: "zip" };
const empty: Sniffed = { kind: "empty", describe: "empty" };

test("raws of one program are one, indexed files apart", () => {
  assert.deepEqual(byContent([raw("a"), indexed, raw("b"), raw("a"), indexed]), [[0, 3], [1], [2], [4]]);
});

test("an empty file joins the raws, or stays alone", () => {
  assert.deepEqual(byContent([empty, indexed, raw("a"), empty]), [[1], [0, 2, 3]]);
  assert.deepEqual(byContent([empty, indexed]), [[1], [0]]);
});

test("raws whose program cannot be told stay apart", () => {
  const cut: Sniffed = { kind: "raw", describe: "raw" };
  assert.deepEqual(byContent([cut, cut]), [[0], [1]]);
});

test("an executable joins the raw files that need it", () => {
  const bare: Sniffed = { ...raw("a"), needsExecutable: true };
  const elf: Sniffed = { kind: "executable", describe: "ELF" };
  assert.deepEqual(byContent([elf, bare, bare]), [[0, 1, 2]]);
  assert.equal(describeGroup([0, 1, 2], [elf, bare, bare]), "completed by its executable");
  assert.deepEqual(byContent([elf, raw("a")]), [[0], [1]]);
  assert.deepEqual(byContent([elf, bare, { ...raw("b"), needsExecutable: true }]), [[0], [1], [2]]);
});

test("moving to another group, to a new one, and away from a last one", () => {
  const groups = [[0, 3], [1], [2]];
  assert.deepEqual(move(groups, 1, 0), [[0, 1, 3], [2]]);
  assert.deepEqual(move(groups, 3, 3), [[0], [1], [2], [3]]);
  assert.deepEqual(move(groups, 0, 0), [[0, 3], [1], [2]]);
});

test("taking a file out renumbers the others", () => {
  assert.deepEqual(without([[0, 3], [1], [2]], 1), [[0, 2], [1]]);
});

test("all, each, none", () => {
  assert.deepEqual(allInOne(3), [[0, 1, 2]]);
  assert.deepEqual(oneEach(2), [[0], [1]]);
  assert.deepEqual(allInOne(0), []);
});

test("a group says what becomes of it", () => {
  const files = [raw("a"), raw("a"), indexed, packed, raw("b"), empty];
  assert.equal(describeGroup([0, 1], files), "raw files of one program, merged");
  assert.equal(describeGroup([0, 5], files), "raw files of one program, merged");
  assert.equal(describeGroup([0, 4], files), "merged into one");
  assert.equal(describeGroup([2], files), "");
  assert.equal(groupField([3], files), "auto");
  assert.equal(groupField([3, 0], files), "one");
});

test("an executable joins a heap profile", () => {
  const elf: Sniffed = { kind: "executable", describe: "ELF" };
  const heap: Sniffed = { kind: "heap", describe: "MemProf raw v5", needsExecutable: true };
  assert.deepEqual(byContent([heap, elf]), [[0, 1]]);
  assert.equal(describeGroup([0, 1], [heap, elf]), "completed by its executable");
  assert.deepEqual(byContent([heap, heap, elf]), [[0], [1], [2]]); // whose is not known before they are read
});

test("files of DCPI are one database, and listings join it or an archive of it", () => {
  const dcpi: Sniffed = { kind: "dcpi", describe: "DCPI samples" };
  const listing: Sniffed = { kind: "listing", describe: "nm" };
  assert.deepEqual(byContent([listing, dcpi, indexed, dcpi]), [[0, 1, 3], [2]]);
  assert.deepEqual(byContent([packed, listing]), [[0, 1]]);
  assert.equal(groupField([0, 1], [packed, listing]), "one");
  assert.equal(describeGroup([0, 1], [packed, listing]), "a DCPI database and its procedures");
  assert.deepEqual(byContent([listing, indexed]), [[0], [1]]);
});
