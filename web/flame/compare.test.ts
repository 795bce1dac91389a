import assert from "node:assert/strict";
import test from "node:test";
import { difference, move, sides, signed } from "./compare";
import { Graph } from "./graph";

const graph = Graph.read(
  {
    frames: [{ name: "ns::f(int)" }, { name: "gone" }, { name: "same" }],
    nodes: {
      id: ["0", "1", "2", "3"],
      parent: [-1, 0, 0, 0],
      frame: [-1, 0, 1, 2],
      hidden: [0, 0, 0, 0],
      width: [260, 100, 60, 100],
      base: [260, 100, 60, 100],
      bytes: [150, 50, 0, 100],
    },
  },
  "bytes",
);

test("a width is the larger side, and both sides stay known", () => {
  assert.equal(graph.value("bytes", 0), 260);
  assert.deepEqual(sides(graph, 1), [100, 50]);
});

test("steps are quarters of the larger side; one side alone is told apart", () => {
  assert.equal(move(100, 100), 4);
  assert.equal(move(1000, 1004), 4);
  assert.equal(move(100, 99), 3);
  assert.equal(move(100, 50), 2);
  assert.equal(move(50, 100), 6);
  assert.equal(move(1, 100), 8);
  assert.equal(move(100, 0), "gone");
  assert.equal(move(0, 100), "new");
  assert.equal(move(0, 0), 4);
});

test("labels have the sign and, where there is room, the difference", () => {
  assert.equal(signed(["f"], graph, "bytes", 1)[0], "▾ f −50\u00a0bytes");
  assert.deepEqual(signed(["f"], graph, "bytes", 3), ["f"]);
  assert.equal(difference("bytes", 1, 3), "+2\u00a0bytes");
});
