import assert from "node:assert/strict";
import test from "node:test";
import { pair } from "./pair";

// The cases are those of TestPair in analyze/sources.
test("files are found by the longest common end", () => {
  const cases: [string[], string[], number[]][] = [
    [
      ["/build/x/src/a.c", "/build/x/src/b.c"],
      ["src/b.c", "src/a.c"],
      [1, 0],
    ],
    [
      ["/b/src/a.h", "/b/ext/src/a.h"],
      ["src/a.h", "ext/src/a.h"],
      [0, 1],
    ],
    [["/b/x/lib/a.h"], ["old/lib/a.h", "lib/a.h"], [1]],
    [["a.c"], ["x/a.c", "y/a.c"], [-1]],
    [["/b/a.c"], ["repo-1.0/a.c"], [0]],
    [["/usr/include/string.h"], ["src/compat/string.h"], [-1]],
    [["a.c"], ["src/deep/a.c"], [0]],
    [
      ["../src/a.c", "./b.c"],
      ["src/a.c", "b.c"],
      [0, 1],
    ],
    [["C:\\b\\src\\a.c"], ["src/a.c"], [0]],
    [
      ["", "/", "a.c"],
      ["x", "b.c", "ba.c"],
      [-1, -1, -1],
    ],
  ];
  for (const [files, paths, want] of cases) assert.deepEqual(pair(files, paths), want, String(files));
});
