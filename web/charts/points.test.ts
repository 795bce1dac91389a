import assert from "node:assert/strict";
import { test } from "node:test";
import { shareAt } from "./points";

test("the share between two points is in proportion", () => {
  const points = [
    { n: 1, share: 0.5 },
    { n: 11, share: 0.7 },
    { n: 100, share: 1 },
  ];
  assert.equal(shareAt(points, 1), 0.5);
  assert.ok(Math.abs(shareAt(points, 6) - 0.6) < 1e-9);
  assert.equal(shareAt(points, 100), 1);
  assert.equal(shareAt(points, 1000), 1);
  assert.equal(shareAt([], 1), 0);
});
