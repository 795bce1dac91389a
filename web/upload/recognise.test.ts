import assert from "node:assert/strict";
import test from "node:test";
import { recognise, understood } from "./recognise";

const file = { describe: "", whole: true, claimed_by: [], finding: null };

test("what may complete a profile knows it, wherever that moves", () => {
  const { files, groups } = understood({
    files: [
      { ...file, is: "foreign", describe: "JSON" },
      { ...file, is: "companion", format: "elf", claimed_by: [2] },
      { ...file, is: "profile", format: "memprof-raw", whole: false },
    ],
    groups: [[2, 1], [0]],
  });
  assert.deepEqual(groups, [[1, 2], [0]]);
  assert.deepEqual(
    files.map(({ home }) => home),
    [1, 0, 0],
  );
  assert.equal(files[1]?.claimedBy[0], files[2]);
});

test("a doubt says what is wrong with a profile, and what to do with what is none", () => {
  const finding = { severity: "error", code: "", message: "it ends early", remedy: "copy it again" };
  const doubt = (is: "profile" | "foreign", more = {}) =>
    understood({ files: [{ ...file, is, finding: { ...finding, ...more } }], groups: [[0]] }).files[0]?.doubt;
  assert.equal(doubt("profile"), "It ends early. Copy it again.");
  assert.equal(doubt("foreign"), "Copy it again.");
  assert.equal(doubt("foreign", { remedy: "" }), "It ends early.");
});

test("the beginnings are sent, and a file that cannot be read says so", async (t) => {
  let sent: unknown;
  t.mock.method(globalThis, "fetch", async (_: string, init: RequestInit) => {
    sent = JSON.parse(String(init.body));
    const files = [0, 1].map(() => ({ ...file, is: "empty" }));
    return new Response(JSON.stringify({ files, groups: [[0], [1]] }));
  });
  const gone = new File(["x"], "gone");
  gone.slice = () => {
    throw new DOMException("gone", "NotFoundError");
  };
  const { files, note } = await recognise([new File(["a".repeat(5000)], "a"), gone]);
  assert.deepEqual(sent, {
    files: [
      { name: "a", size: 5000, bytes: btoa("a".repeat(4096)) },
      { name: "gone", size: 0, bytes: "" },
    ],
  });
  assert.equal(note, undefined);
  assert.equal(files[0]?.is, "empty");
  assert.equal(files[1]?.describe, "cannot be read");
});

test("without an answer the files are one group, and the page says why", async (t) => {
  for (const [answer, why] of [
    [() => Promise.reject(new TypeError("away")), /are\. It finds out/],
    [() => Promise.resolve(new Response("<html>", { status: 502 })), /proxy cannot reach/],
    [() => Promise.resolve(new Response("<html>")), /are\. It finds out/],
  ] as const) {
    t.mock.method(globalThis, "fetch", answer);
    const { files, groups, note } = await recognise([new File(["x"], "a"), new File(["y"], "b")]);
    assert.deepEqual(groups, [[0, 1]]);
    assert.equal(files[0]?.is, "unasked");
    assert.match(note ?? "", why);
  }
});
