import assert from "node:assert/strict";
import test from "node:test";
import { type Compared, capacity, parse, withCompared } from "./recent";

const id = (n: number) => `abcdefghijklmnopqrst${"abcdefghijklmnopqrstuvwxyz"[n]}`;
const pair = (a: number, b: number, at = 1): Compared => ({
  base: id(a),
  test: id(b),
  names: [`p${a}`, `p${b}`],
  at,
});

test("the latest is first, and a pair is there once, either way round", () => {
  const list = withCompared([pair(1, 2), pair(3, 4)], pair(2, 1, 9));
  assert.deepEqual(list, [pair(2, 1, 9), pair(3, 4)]);
});

test("the oldest goes", () => {
  let list: Compared[] = [];
  for (let i = 1; i <= capacity + 3; i++) list = withCompared(list, pair(0, i));
  assert.equal(list.length, capacity);
  assert.deepEqual(list[0], pair(0, capacity + 3));
});

test("what others stored is not believed", () => {
  assert.deepEqual(parse(null), []);
  assert.deepEqual(parse("{"), []);
  assert.deepEqual(parse('{"base":1}'), []);
  const good = pair(1, 2);
  const hostile = [
    { ...good, base: "../../x" },
    { ...good, names: ["a"] },
    { ...good, names: [1, 2] },
    null,
    7,
  ];
  assert.deepEqual(parse(JSON.stringify([...hostile, good])), [good]);
});
