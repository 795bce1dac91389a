import assert from "node:assert/strict";
import test from "node:test";
import {
  allInOne,
  byContent,
  describeGroup,
  groupField,
  leftOut,
  move,
  obvious,
  oneEach,
  without,
} from "./group";
import type { Sniffed } from "./sniff";

// Which files form a profile is held by recognition.test.ts, but for archives:
// the server has unpacked them before it looks.

const raw = (key: string): Sniffed => ({ is: "profile", format: "llvm-raw", describe: "raw", key });
const bare = (key: string): Sniffed => ({ ...raw(key), wants: "" });
const indexed: Sniffed = { is: "profile", format: "llvm-indexed", describe: "indexed" };
const heap: Sniffed = { is: "profile", format: "memprof-raw", describe: "MemProf raw v5", wants: "id" };
const dcpi: Sniffed = { is: "profile", format: "dcpi", describe: "DCPI profile", key: "dcpi" };
const map: Sniffed = {
  is: "profile",
  format: "mipmap",
  describe: "MIP map",
  key: "mip",
  single: true,
  wants: "",
};
const run: Sniffed = { is: "profile", format: "mipraw", describe: "MIP raw", key: "mip", wants: "" };
const elf: Sniffed = { is: "companion", format: "elf", describe: "ELF" };
const listing: Sniffed = { is: "companion", format: "nm", describe: "nm" };
const samples: Sniffed = { is: "profile", format: "sample-text", describe: "sample profile (text)" };
const json: Sniffed = { is: "foreign", describe: "JSON" };
const packed: Sniffed = { is: "packed", describe: "zip" };
const empty: Sniffed = { is: "empty", describe: "empty" };

test("what is no profile goes with a lone archive, and stays apart from several", () => {
  assert.deepEqual(byContent([json, packed, listing, elf]), [[0, 1, 2, 3]]);
  assert.deepEqual(byContent([packed, json, packed]), [[0], [2], [1]]);
  assert.deepEqual(byContent([packed, json, indexed]), [[0], [1, 2]]);
});

test("a program that may be of several profiles, or one of several programs, joins the first", () => {
  assert.deepEqual(byContent([elf, bare("a"), bare("b")]), [[0, 1], [2]]);
  assert.deepEqual(byContent([elf, bare("a"), elf]), [[0, 1, 2]]);
  assert.deepEqual(byContent([{ ...elf, buildId: "id" }, heap, bare("a")]), [[0, 1], [2]]);
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

test("what clearly is one profile asks nothing", () => {
  for (const files of [
    [indexed],
    [raw("a"), raw("a")],
    [map, run, run],
    [packed],
    [{ ...elf, buildId: "id", doubt: "add its profile" }, heap],
  ])
    assert.ok(obvious(files), JSON.stringify(files));
  for (const files of [
    [],
    [json],
    [elf],
    [empty],
    [raw("a"), raw("b")],
    [raw("a"), json],
    [raw("a"), empty],
    [packed, packed],
    [{ ...indexed, doubt: "cut short" }],
  ])
    assert.ok(!obvious(files), JSON.stringify(files));
});

test("a group says what becomes of it", () => {
  const says = (...files: Sniffed[]) => describeGroup([...files.keys()], files);
  assert.equal(says(raw("a"), raw("a")), "raw files of one program, merged");
  assert.equal(says(raw("a"), empty), "raw files of one program, merged");
  assert.equal(says(raw("a"), raw("b")), "merged into one");
  assert.equal(says(indexed, indexed), "merged into one");
  assert.equal(says(indexed), "");
  assert.equal(says(indexed, json), "");
  assert.equal(says(json, elf), "no profile among them");
  assert.equal(says(elf, bare("a"), bare("a")), "completed by its executable");
  assert.equal(says(heap, elf), "completed by its executable");
  assert.equal(says(map, run, run), "a map and its runs, one profile");
  assert.equal(says(dcpi, dcpi, listing), "one DCPI database");
  assert.equal(says(samples, listing, elf), "with what its program says of its functions");
  assert.equal(says(samples, listing), "with the names of its functions");
  assert.equal(says(packed), "its contents are grouped by program");
  assert.equal(says(packed, json), "its contents are grouped by program");
  assert.equal(says(packed, listing), "a DCPI database with procedures");
  assert.equal(says(packed, packed), "merged into one");
});

test("what the server leaves out is said", () => {
  const out = (...files: Sniffed[]) => [...files.keys()].filter((i) => leftOut(i, [...files.keys()], files));
  assert.deepEqual(out(json, raw("a"), elf), [0, 2]);
  assert.deepEqual(out(json, bare("a"), elf), [0]);
  assert.deepEqual(out(dcpi, listing, json), [2]);
  assert.deepEqual(out(samples, elf, listing, json), [3]);
  assert.deepEqual(out(json, elf), []);
});

test("the server groups what is in a lone archive", () => {
  const field = (...files: Sniffed[]) => groupField([...files.keys()], files);
  assert.equal(field(packed), "auto");
  assert.equal(field(packed, json, listing), "auto");
  assert.equal(field(packed, raw("a")), "one");
  assert.equal(field(packed, packed), "one");
  assert.equal(field(indexed), "one");
});
