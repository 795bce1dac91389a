import assert from "node:assert/strict";
import { test } from "node:test";
import { phrase } from "./phrase";

test("a short paragraph is whole", () => {
  assert.equal(phrase(" The total\n is the sum. "), "The total is the sum.");
});

test("a long one ends with a sentence", () => {
  const sentence =
    "A record's total is the sum of its counters, and the profile's is the sum over its records.";
  assert.equal(phrase(`${sentence} `.repeat(9)), `${sentence} ${sentence} ${sentence}`);
});

test("one long sentence is cut between words", () => {
  const cut = phrase("word ".repeat(200));
  assert.ok(cut.length <= 322 && cut.endsWith("word …"), cut);
});
