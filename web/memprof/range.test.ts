import assert from "node:assert/strict";
import test from "node:test";
import { axisValue, range } from "./range";

test("places on a log axis are values again", () => {
  assert.equal(axisValue(0, 0.01, 1000), 0);
  assert.equal(Math.round(axisValue(1, 0.01, 1000)), 1000);
  assert.equal(Math.round(axisValue(0.6, 0.01, 1000) * 100) / 100, 10);
});

test("ranges are open where the axis ends", () => {
  assert.equal(range(0, 12.3456), "..12.3");
  assert.equal(range(5000, 20), "20.0..5000");
  assert.equal(range(1e-8, 123456), "0.000000010..123000");
});
