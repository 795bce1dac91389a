import assert from "node:assert/strict";
import { test } from "node:test";
import { number, parseFilter } from "./filter_text";

const none = () => null;

for (const [text, key, value] of [
  ["entry>=1000", "entry", "1000.."],
  ["entry >= 1 000", "entry", "1000.."],
  ["max > 2.5M", "max", "2500001.."],
  ["zero=0", "zero", "0"],
  ["zero:0", "zero", "0"],
  ["counters<10", "counters", "..9"],
  ["total=5..9", "total", "5..9"],
  ["total=..9k", "total", "..9000"],
  ["Class = hot, warm", "class", "hot,warm"],
  ["re=^std::", "re", "^std::"],
  ["name ~ push_.*", "re", "push_.*"],
  ["path=lib/Support/", "path", "lib/Support/"],
  ["hash=0xabc", "hash", "0xabc"],
  ["name=peek", "q", "peek"],
  ["executed=no", "executed", "false"],
  ["executed = yes", "executed", "true"],
] as const) {
  test(`“${text}” is a filter`, () => assert.deepEqual(parseFilter(text, none), { key, value }));
}

for (const text of [
  "push_back",
  "operator>=",
  "std::max<int>",
  "max::size",
  "class::x",
  "operator=",
  "",
  "path=",
  "foo=1",
  "path::join",
  "name::x",
  "hash::x",
]) {
  test(`“${text}” is part of a name`, () => {
    assert.equal(parseFilter(text, none), undefined);
  });
}

for (const text of [
  "entry>=many",
  "class=warmish",
  "zero<0",
  "max~5",
  "total=9..5",
  "share>1",
  "sum>=50 %",
  "executed=perhaps",
  "entry>18446744073709551615",
]) {
  test(`“${text}” is a mistake`, () => {
    const parsed = parseFilter(text, none);
    assert.ok(parsed && "error" in parsed, JSON.stringify(parsed));
  });
}

test("a second end joins the first", () => {
  assert.deepEqual(
    parseFilter("entry<=50", () => "10.."),
    { key: "entry", value: "10..50" },
  );
  assert.deepEqual(
    parseFilter("entry>=60", () => "10..50"),
    { key: "entry", value: "60.." },
  );
});

test("numbers keep all their digits", () => {
  assert.equal(number("18446744073709551615"), 18446744073709551615n);
  assert.equal(number("1.5"), undefined);
  assert.equal(number("1.5k"), 1500n);
});
