import assert from "node:assert/strict";
import test from "node:test";
import { allInOne, describeGroup, groupField, leftOut, move, obvious, oneEach, without } from "./group";
import type { Known } from "./recognise";

const known = (is: Known["is"], format: string, more: Partial<Known> = {}): Known => ({
  is,
  format,
  describe: format,
  whole: true,
  claimedBy: [],
  home: 0,
  ...more,
});

const raw = (home: number): Known => known("profile", "llvm-raw", { home });
const bare = (home: number): Known =>
  known("profile", "llvm-raw", { home, whole: false, doubt: "no records" });
const indexed = known("profile", "llvm-indexed");
const frontEnd = known("profile", "llvm-indexed", { describe: "LLVM indexed v13, front end" });
const heap = known("profile", "memprof-raw", { whole: false });
const dcpi = known("profile", "dcpi");
const map = known("profile", "mipmap", { whole: false });
const run = known("profile", "mipraw", { whole: false });
const samples = known("profile", "sample-text");
const elf = (...claimedBy: Known[]): Known =>
  known("companion", "elf", { claimedBy, doubt: "add its profile" });
const listing = (...claimedBy: Known[]): Known => known("companion", "nm", { claimedBy });
const json = known("foreign", "");
const packed = known("packed", "");
const empty = known("empty", "llvm-raw", { doubt: "empty" });
const unasked = known("unasked", "");

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
  for (const files of [[indexed], [raw(0), raw(0)], [map, run, run], [packed], [elf(heap), heap]])
    assert.ok(obvious(files, allInOne(files.length)), JSON.stringify(files));
  for (const files of [
    [],
    [json],
    [elf()],
    [empty],
    [unasked],
    [raw(0), json],
    [raw(0), empty],
    [elf(), heap],
    [{ ...indexed, doubt: "cut short" }],
  ])
    assert.ok(!obvious(files, allInOne(files.length)), JSON.stringify(files));
  assert.ok(!obvious([raw(0), raw(1)], oneEach(2)));
});

test("a group says what becomes of it", () => {
  const says = (...files: Known[]) => describeGroup([...files.keys()], files);
  assert.equal(says(raw(0), raw(0)), "raw files of one program, merged");
  assert.equal(says(raw(0), empty), "raw files of one program, merged");
  assert.equal(says(raw(0), raw(1)), "merged into one");
  assert.equal(says(indexed), "");
  assert.equal(says(indexed, json), "");
  assert.equal(says(json, elf()), "no profile among them");
  const [one] = [bare(0)];
  assert.equal(says(elf(one), one, bare(0)), "completed by its executable");
  assert.equal(says(heap, elf(heap)), "completed by its executable");
  assert.equal(says(map, run, run), "a map and its runs, one profile");
  assert.equal(says(dcpi, dcpi, listing(dcpi)), "one DCPI database");
  assert.equal(says(samples, listing(samples), elf(samples)), "with what its program says of its functions");
  assert.equal(says(samples, listing(samples)), "with the names of its functions");
  assert.equal(says(frontEnd, elf(frontEnd)), "with the coverage of its lines");
  assert.equal(says(indexed, elf(indexed)), "with the lines of its functions");
  assert.equal(says(packed), "its contents are grouped by program");
  assert.equal(says(packed, json), "its contents are grouped by program");
  assert.equal(says(packed, listing()), "a DCPI database with procedures");
  assert.equal(says(unasked, unasked), "its contents are grouped by program");
});

test("what the server leaves out is said", () => {
  const out = (...files: Known[]) => [...files.keys()].filter((i) => leftOut(i, [...files.keys()], files));
  assert.deepEqual(out(json, raw(0), elf()), [0, 2]);
  assert.deepEqual(out(json, heap, elf(heap)), [0]);
  assert.deepEqual(out(dcpi, listing(dcpi), json), [2]);
  assert.deepEqual(out(json, elf()), []);
});

test("the server groups what is in a lone archive, and what it was not asked about", () => {
  const field = (...files: Known[]) => groupField([...files.keys()], files);
  assert.equal(field(packed), "auto");
  assert.equal(field(packed, json, listing()), "auto");
  assert.equal(field(packed, raw(0)), "one");
  assert.equal(field(packed, packed), "one");
  assert.equal(field(indexed), "one");
  assert.equal(field(unasked, unasked), "auto");
});
