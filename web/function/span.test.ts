import assert from "node:assert/strict";
import test from "node:test";
import { counterAt, span } from "./span";

test("a place along the strip is a counter of the function", () => {
  assert.equal(counterAt(0, 1000, 1347), 0);
  assert.equal(counterAt(999.9, 1000, 1347), 1346);
  assert.equal(counterAt(-20, 1000, 1347), 0);
  assert.equal(counterAt(1200, 1000, 1347), 1346);
  assert.equal(counterAt(500, 1000, 10), 5);
});

test("a part is written from its lower end", () => {
  assert.equal(span(159, 60), "60..159");
  assert.equal(span(7, 7), "7..7");
});
