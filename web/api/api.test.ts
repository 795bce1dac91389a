import assert from "node:assert/strict";
import test from "node:test";
import { type Profile, parseProblem, progressWords } from "./api";

const profile = (more: Partial<Profile>): Profile => ({
  id: "x",
  name: "x",
  status: "decoding",
  pending: true,
  describe: "",
  functions: 0,
  findings: [],
  ...more,
});

test("progress in words", () => {
  const describe = "LLVM raw v8, 64-bit, little-endian, IR";
  assert.equal(
    progressWords(profile({ status: "received", progress: { stage: "received", percent: 0, queued: 2 } })),
    "received · waiting, 2 in the queue",
  );
  assert.equal(
    progressWords(profile({ progress: { stage: "recognised", percent: 0, queued: 0, describe } })),
    `recognised as ${describe}`,
  );
  assert.equal(
    progressWords(profile({ describe, progress: { stage: "decoding", percent: 40, queued: 0 } })),
    `recognised as ${describe} · decoding 40 %`,
  );
  assert.equal(progressWords(profile({ status: "ready" })), "ready");
});

test("a problem keeps its words; anything else is named by its status", () => {
  const p = parseProblem('{"title":"Upload too large","detail":"at most 5 bytes","kind":"too_large"}', 413);
  assert.equal(p.detail, "at most 5 bytes");
  assert.equal(
    parseProblem("<html>nginx</html>", 413).detail,
    "The upload is too large for this server or a proxy in front of it",
  );
  assert.equal(parseProblem("null", 500).title, "The server answered 500");
  assert.equal(parseProblem("", 0).title, "Cannot reach the server");
});
