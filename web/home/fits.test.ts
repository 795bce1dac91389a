import assert from "node:assert/strict";
import { test } from "node:test";
import { fits } from "./fits";

const counts = { families: ["instr"], refused: "" };
const heap = { families: ["memprof"], refused: "" };
const both = { families: ["instr", "memprof"], refused: "" };
const samples = { families: ["dcpi"], refused: "not LLVM’s" };

test("what can be done with chosen profiles", () => {
  const can = (...picks: (typeof counts)[]) => {
    const { compare, merge } = fits(picks);
    return `${compare === "" ? "compare" : ""} ${merge === "" ? "merge" : ""}`.trim();
  };
  assert.equal(can(), "");
  assert.equal(can(counts), "");
  assert.equal(can(counts, counts), "compare merge");
  assert.equal(can(counts, heap), "merge");
  assert.equal(can(heap, both), "compare merge");
  assert.equal(can(samples, samples), "compare");
  assert.equal(can(samples, counts), "");
  assert.equal(can(counts, counts, heap), "merge");
  assert.equal(can(counts, counts, samples), "");
});

test("why not", () => {
  assert.match(fits([counts, counts, counts]).says, /^3 chosen\. Choose exactly two to compare\.$/);
  assert.match(fits([counts, samples]).says, /different things.*Only LLVM/);
});
