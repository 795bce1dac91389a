import assert from "node:assert/strict";
import test from "node:test";
import { capacity, parse, type Remembered, withProfile } from "./library";

const id = (n: number) =>
  `abcdefghijklmnopqrst${"abcdefghijklmnopqrstuvwxyz234567"[n % 32]}${"abcdefgh"[Math.floor(n / 32)]}`;
const profile = (n: number, more: Partial<Remembered> = {}): Remembered => ({
  id: id(n),
  name: `p${n}`,
  format: "IR · v13",
  how: "opened",
  at: n,
  ...more,
});

test("an opened profile keeps the token it was uploaded with", () => {
  const list = withProfile([profile(1, { how: "uploaded", token: "t" })], profile(1, { at: 9, format: "" }));
  assert.deepEqual(list, [profile(1, { how: "uploaded", token: "t", at: 9 })]);
});

test("the latest is first", () => {
  assert.deepEqual(
    withProfile([profile(1)], profile(2)).map((p) => p.name),
    ["p2", "p1"],
  );
});

test("a full list gives up the oldest without a token", () => {
  const full = Array.from({ length: capacity }, (_, i) => profile(i, i % 2 ? { token: "t" } : {}));
  const list = withProfile(full, profile(capacity + 1));
  assert.equal(list.length, capacity);
  assert.equal(
    list.some((p) => p.id === id(capacity - 2)),
    false,
  );
  assert.equal(
    list.some((p) => p.id === id(capacity - 1)),
    true,
  );
});

test("what others stored is not believed", () => {
  assert.deepEqual(parse(null), []);
  assert.deepEqual(parse("{"), []);
  assert.deepEqual(parse('{"id":"x"}'), []);
  const good = profile(1);
  const hostile = [
    { ...good, id: "../../x" },
    { ...good, name: 7 },
    null,
    { ...good, how: "stolen" },
    { ...good, token: 1 },
  ];
  assert.deepEqual(parse(JSON.stringify([...hostile, good])), [good]);
});
