import assert from "node:assert/strict";
import test from "node:test";
import { density, lifetime, Modules, own, scales, step } from "./colour";
import { count, percent, rate, seconds, weigh } from "./figures";
import { type Answer, Graph } from "./graph";
import { fit, forms } from "./label";
import { hit, place, rows, walk } from "./layout";
import { matcher, search } from "./search";

// all ─ main ─┬─ a ── new
//             ├─ b
//             └─ tiny
const answer: Answer = {
  frames: [
    { name: "main" },
    { name: "ns::A::a(int)" },
    { name: "operator new(unsigned long)" },
    { name: "b" },
    { name: "tiny" },
  ],
  nodes: {
    id: ["r", "m", "a", "n", "b", "t"],
    parent: [-1, 0, 1, 2, 1, 1],
    frame: [-1, 0, 1, 2, 3, 4],
    bytes: [1000, 1000, 600, 600, 399.9, 0.1],
    accesses: [100, 100, 0, 0, 100, 0],
    lifetime: [2000, 2000, 1200, 1200, 800, 0],
    allocations: [20, 20, 10, 10, 10, 0],
    objects_lifetime: [40_000, 40_000, 20_000, 20_000, 20_000, 0],
    density: [250, 250, 0, 0, 125, 0],
    hidden: [0, 0, 0, 2, 0, 0],
  },
};

const drawn = (graph: Graph, zoom: number, first = 0, last = 99) => {
  const list: string[] = [];
  walk({ graph, weight: "bytes", zoom, width: 1000 }, first, last, (node, x, width, row, kind) => {
    list.push(`${kind === "frame" ? graph.ids[node] : kind} ${x.toFixed(1)} ${width.toFixed(1)} ${row}`);
  });
  return list;
};

test("a tree in preorder", () => {
  const g = Graph.read(answer);
  assert.deepEqual([...g.end], [6, 6, 4, 4, 5, 6]);
  assert.deepEqual([...g.children(1)], [2, 4, 5]);
  assert.equal(g.sibling(4, true), 5);
  assert.equal(g.sibling(4, false), 2);
  assert.equal(g.sibling(2, false), -1);
  assert.deepEqual(g.path(3), [0, 1, 2, 3]);
  assert.equal(g.self("bytes", 2), 0);
  assert.equal(g.self("bytes", 3), 600);
});

test("what is no tree is refused", () => {
  for (const parent of [[], [0], [-1, 1], [-1, -1], [-1, 5]]) {
    assert.throws(() => Graph.read({ frames: [], nodes: { id: parent.map(String), parent } }));
  }
});

test("frames stand side by side, slivers share a mark, and rows out of sight are left out", () => {
  const g = Graph.read(answer);
  const all = [
    "r 0.0 1000.0 0",
    "m 0.0 1000.0 1",
    "a 0.0 600.0 2",
    "n 0.0 600.0 3",
    "cut 0.0 600.0 4",
    "b 600.0 399.9 2",
  ];
  assert.deepEqual(drawn(g, 0), all);
  assert.deepEqual(drawn(g, 0, 2, 2), ["a 0.0 600.0 2", "b 600.0 399.9 2"]);
  assert.deepEqual(drawn(g, 2, 0, 3), [
    "r 0.0 1000.0 0",
    "m 0.0 1000.0 1",
    "a 0.0 1000.0 2",
    "n 0.0 1000.0 3",
  ]);
  const many = Graph.read({
    frames: [],
    nodes: {
      id: Array.from({ length: 5001 }, (_, i) => `${i}`),
      parent: Array.from({ length: 5001 }, (_, i) => (i === 0 ? -1 : 0)),
      bytes: Array.from({ length: 5001 }, (_, i) => (i === 0 ? 5000 : 1)),
    },
  });
  assert.deepEqual(drawn(many, 0), ["0 0.0 1000.0 0", "mark 0.0 1000.0 1"]);
});

test("a point finds the frame that was drawn there", () => {
  const g = Graph.read(answer);
  const view = { graph: g, weight: "bytes" as const, zoom: 0, width: 1000 };
  assert.deepEqual(hit(view, 10, 0), { node: 0, cut: false });
  assert.deepEqual(hit(view, 10, 3), { node: 3, cut: false });
  assert.deepEqual(hit(view, 10, 4), { node: 3, cut: true });
  assert.deepEqual(hit(view, 700, 2), { node: 4, cut: false });
  assert.equal(hit(view, 700, 3), undefined);
  assert.deepEqual(place(view, 4), { x: 600, width: 399.9, row: 2 });
  assert.equal(place({ ...view, zoom: 2 }, 4), undefined);
  assert.equal(rows(g, 2), 5); // with what was cut below n
});

test("a subtree is replaced by what was loaded of it", () => {
  const g = Graph.read(answer);
  const more = Graph.read({
    frames: [{ name: "ns::A::a(int)" }, { name: "operator new(unsigned long)" }, { name: "malloc" }],
    nodes: {
      id: ["r", "m", "a", "n", "x", "y"],
      parent: [-1, 0, 1, 2, 3, 4],
      frame: [-1, -1, 0, 1, 2, 2],
      bytes: [1000, 1000, 600, 600, 500, 100],
      accesses: [0, 0, 0, 0, 0, 0],
      lifetime: [0, 0, 0, 0, 0, 0],
      allocations: [0, 0, 0, 0, 0, 0],
    },
  });
  const grown = g.graft(3, more);
  assert.deepEqual(grown.ids, ["r", "m", "a", "n", "x", "y", "b", "t"]);
  assert.deepEqual([...grown.parent], [-1, 0, 1, 2, 3, 4, 1, 1]);
  assert.equal(grown.frameOf(4)?.name, "malloc");
  assert.equal(grown.frameOf(6)?.name, "b");
  assert.equal(grown.value("lifetime", 6), 0.8); // byte-milliseconds in the answer
  assert.equal(grown.hidden[3], 0);
  assert.equal(g.graft(5, more), g);
});

test("a search counts every byte once", () => {
  const g = Graph.read(answer);
  const found = search(g, "bytes", 0, matcher("A"));
  assert.equal(found.nodes, 3);
  assert.equal(found.weight, 1000);
  assert.equal(search(g, "bytes", 0, matcher("/^(b|operator)/")).weight, 999.9);
  assert.throws(() => matcher("/(/"));
});

test("labels give up what matters least", () => {
  const list = forms("ns::Outer<int, (char)40>::A::run(std::vector<int> const&)");
  assert.deepEqual(list, [
    "ns::Outer<int, (char)40>::A::run(std::vector<int> const&)",
    "ns::Outer<int, (char)40>::A::run",
    "A::run",
    "run",
  ]);
  assert.equal(fit(list, 40), "ns::Outer<int, (char)40>::A::run");
  assert.equal(fit(list, 6), "A::run");
  assert.equal(fit(list, 2), "");
  assert.deepEqual(forms("(anonymous namespace)::f(int)"), [
    "(anonymous namespace)::f(int)",
    "(anonymous namespace)::f",
    "f",
  ]);
  assert.deepEqual(forms("void ns::f<int>(int)"), ["void ns::f<int>(int)", "void ns::f<int>", "f<int>", "f"]);
  assert.deepEqual(forms("A::operator()(int) const"), [
    "A::operator()(int) const",
    "A::operator()",
    "operator()",
  ]);
  assert.deepEqual(forms("operator new(unsigned long)"), ["operator new(unsigned long)", "operator new"]);
  assert.equal(fit(forms("malloc"), 4), "mal…");
});

test("steps are even on a log scale, and missing figures are not 0", () => {
  assert.equal(step(0, scales.density), 0);
  assert.equal(step(0.011, scales.density), 1);
  assert.equal(step(1e9, scales.density), 8);
  const g = Graph.read(answer);
  assert.equal(density(g, 4), 0.125);
  assert.equal(density(g, 5), undefined);
  assert.equal(lifetime(g, 2), 2);
  assert.equal(density(Graph.read({ ...answer, nodes: { ...answer.nodes, density: [] } }), 4), undefined);
});

test("the heaviest modules have colours of their own; a class, a folder and what is light have not", () => {
  const frames = [
    { name: "Json::Value::f()", module: "Json", file: "a.cc" },
    { name: "ReaderTest::run()", module: "ReaderTest", file: "/build/test/main.cc" },
    { name: "void ReaderTest::check<std::A::B>(int)", module: "ReaderTest", file: "/build/test/main.cc" },
    { name: "std::vector<Value::T> Value::all()", module: "Value", file: "/build/value.cc" },
    { name: "Emitter::Part::f()", module: "Emitter", file: "/build/emitter.cc" },
    { name: "Emitter::~Emitter()", module: "Emitter", file: "/build/emitter.cc" },
    { name: "main", module: "/build/test", file: "/build/test/main.cc" },
    { name: "malloc+0x1", module: "/usr/lib/libc.so.6" },
    { name: "memcpy", module: "/usr/include", file: "/usr/include/string.h" },
    { name: "(anonymous namespace)::Part::f()", module: "(anonymous namespace)", file: "" },
    ...Array.from({ length: 20 }, (_, i) => ({ name: `lib${i}::A::f()`, module: `lib${i}` })),
  ];
  const id = ["r", ...frames.map((_, i) => `n${i}`)];
  const bytes = [1000, ...frames.map((_, i) => 100 - i)];
  const nodes = { id, parent: id.map((_, i) => (i === 0 ? -1 : 0)), frame: id.map((_, i) => i - 1), bytes };
  const graph = Graph.read({ frames, nodes });
  const modules = new Modules([graph], "bytes");
  assert.deepEqual([...modules.colours.keys()], [own, "Json", "libc.so.6", "system", "lib0", "lib1", "lib2"]);
  assert.equal(new Set(modules.colours.values()).size, 7);
  assert.ok(modules.more);
  for (const i of [2, 3, 4, 5, 6, 9]) assert.equal(modules.of(frames[1]), modules.of(frames[i]));
  assert.equal(modules.of(frames[29]), undefined);
  assert.equal(new Modules([], "bytes").more, false);
});

test("numbers read as the server's", () => {
  assert.equal(count(9999), "9\u00a0999");
  assert.equal(count(1_907_344), "1.91\u00a0M");
  assert.equal(weigh("bytes", 164_940_000), "157.3\u00a0MiB");
  assert.equal(weigh("accesses", 1), "1\u00a0access");
  assert.equal(seconds(0.009), "9.00\u00a0ms");
  assert.equal(seconds(3661), "61.0\u00a0min");
  assert.equal(percent(0.0001), "<\u00a00.1\u00a0%");
  assert.equal(rate(48212), "48.2\u00a0k");
});
