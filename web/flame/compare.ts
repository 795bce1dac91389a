// What two profiles have of a frame: the second value of a node.

import { el } from "../dom";
import { count, percent, weigh } from "./figures";
import type { Graph, Weight } from "./graph";

/** The steps of the colours: 4 is no change, 0 all of it less, 8 all of it more. */
export const moveSteps = 9;

/** Which side alone has a frame, or the step of its relative change. */
export type Move = "gone" | "new" | number;

const least = 0.005; // less of a change is none

/** The change of a frame, relative to its larger side. */
export function move(base: number, test: number): Move {
  if (test === 0 && base > 0) return "gone";
  if (base === 0 && test > 0) return "new";
  const change = (test - base) / (Math.max(base, test) || 1);
  if (Math.abs(change) < least) return 4;
  return 4 + Math.sign(change) * Math.min(Math.ceil(Math.abs(change) * 4), 4);
}

export function isCompared(graph: Graph): boolean {
  return graph.values["base"] !== undefined && graph.values["test"] !== undefined;
}

/** What both profiles have of a node. */
export function sides(graph: Graph, node: number): [base: number, test: number] {
  return [graph.values["base"]?.[node] ?? 0, graph.values["test"]?.[node] ?? 0];
}

/** A difference with its sign. */
export function difference(weight: Weight, base: number, test: number): string {
  if (base === test) return "0";
  return (test > base ? "+" : "−") + weigh(weight, Math.abs(test - base));
}

/** The forms of a label, with a sign and, where there is room, the difference. */
export function signed(list: readonly string[], graph: Graph, weight: Weight, node: number): string[] {
  const [base, test] = sides(graph, node);
  const step = move(base, test);
  if (step === 4) return [...list];
  const sign = test > base ? "▴" : "▾";
  const change = difference(weight, base, test);
  return [
    ...list.map((form) => `${sign} ${form} ${change}`),
    ...list.map((form) => `${sign} ${form}`),
    ...list.slice(-1),
  ];
}

/** A frame in both profiles, for the summary beside the picture and for screen readers. */
export function both(graph: Graph, weight: Weight, node: number): string {
  const [base, test] = sides(graph, node);
  const relative = base > 0 ? `, ${test >= base ? "+" : "−"}${percent(Math.abs(test - base) / base)}` : "";
  return `A ${weigh(weight, base)}, B ${weigh(weight, test)}, ${difference(weight, base, test)}${relative}`;
}

/** The figures of a frame in both profiles. */
export function comparedFacts(graph: Graph, weight: Weight, node: number): HTMLElement {
  const [base, test] = sides(graph, node);
  const [wholeBase, wholeTest] = sides(graph, 0);
  const objects = [graph.values["base_allocations"]?.[node], graph.values["allocations"]?.[node]];
  const row = (term: string, a: string, b: string) =>
    el("tr", {}, el("th", { scope: "row" }, term), el("td", { class: "n" }, a), el("td", { class: "n" }, b));
  const rows = [row(weight === "bytes" ? "Bytes" : "Weight", weigh(weight, base), weigh(weight, test))];
  if (objects[0] !== undefined && objects[1] !== undefined) {
    rows.push(row("Objects", count(objects[0]), count(objects[1])));
    if (weight === "bytes") {
      const mean = (sum: number, n: number) => (n > 0 ? weigh("bytes", sum / n) : "–");
      rows.push(row("Mean size", mean(base, objects[0]), mean(test, objects[1])));
    }
  }
  rows.push(row("Share", percent(base / (wholeBase || 1)), percent(test / (wholeTest || 1))));
  return el(
    "table",
    { class: "flame-both" },
    el(
      "thead",
      {},
      el("tr", {}, el("td", {}), el("th", { scope: "col" }, "A"), el("th", { scope: "col" }, "B")),
    ),
    el("tbody", {}, ...rows),
  );
}
