import assert from "node:assert/strict";
import test from "node:test";
import { plural, sentence, size } from "./size";

test("sizes", () => {
  const cases: [number, string][] = [
    [0, "0 bytes"],
    [1, "1 byte"],
    [1023, "1023 bytes"],
    [1024, "1.0 KiB"],
    [1048575, "1.0 MiB"],
    [43201331, "41.2 MiB"],
    [2 ** 31, "2.0 GiB"],
  ];
  for (const [bytes, text] of cases) assert.equal(size(bytes), text);
  assert.equal(plural(1, "file", "files"), "1 file");
  assert.equal(plural(2, "file", "files"), "2 files");
});

test("sentences", () => {
  assert.equal(sentence("copy the file again"), "Copy the file again.");
  assert.equal(sentence("gcov reads it."), "gcov reads it.");
});
