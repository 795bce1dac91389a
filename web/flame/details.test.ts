import assert from "node:assert/strict";
import test from "node:test";
import { type Fact, figure } from "./details";
import { counts, frames, weigh } from "./figures";
import { Graph } from "./graph";
import { follow } from "./lead";

// Of a family that the scripts do not know.
const graph = Graph.read(
  {
    frames: [
      { name: "boil", function: "00000000000000aa", linkage: "_Z4boilv", file: "src/a b.cc" },
      { name: "?" },
    ],
    nodes: { id: ["0", "1", "2"], parent: [-1, 0, 0], frame: [-1, 0, 1], cups: [9, 6, 3], pots: [2, 2, 0] },
  },
  "cups",
  "all teas",
);

test("a page says what its weights count, what the root is and which figures frames have", () => {
  counts("cups", "cup", "cups");
  assert.equal(weigh("cups", 1), "1\u00a0cup");
  assert.equal(weigh("cups", graph.value("cups", 0)), "9\u00a0cups");
  assert.equal(weigh("something else", 3), "3");
  assert.equal(graph.nameOf(0), "all teas");
  assert.equal(graph.nameOf(1), "boil");
  const each: Fact = { label: "Cups a pot", column: "cups", per: "pots", scale: 2, as: "rate" };
  assert.equal(figure(graph, 1, each), 6);
  assert.equal(figure(graph, 2, each), undefined); // no pots
  assert.equal(figure(graph, 2, { ...each, per: "spoons" }), undefined);
  assert.equal(figure(graph, 2, { label: "Pots", column: "pots", as: "count" }), 0);
});

test("links end with what they are by, and are not there without it", () => {
  const [boil, unknown] = graph.frames;
  assert.ok(boil && unknown);
  const to = (by: string) => ({ label: "Open", address: "/x?y=", by });
  assert.deepEqual(follow(to("function"), boil), { label: "Open", href: "/x?y=00000000000000aa" });
  assert.deepEqual(follow(to("linkage"), boil), { label: "Open", href: "/x?y=_Z4boilv" });
  assert.deepEqual(follow(to("file"), boil), { label: "Open a b.cc", href: "/x?y=src%2Fa%20b.cc" });
  for (const by of ["function", "linkage", "file", "mood"]) assert.equal(follow(to(by), unknown), undefined);
});

test("one frame is a frame", () => {
  assert.deepEqual([1, 2, 0].map(frames), ["1 frame", "2 frames", "0 frames"]);
});
