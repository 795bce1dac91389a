import { el } from "../dom";
import { density, lifetime } from "./colour";
import { both, comparedFacts, difference, isCompared, sides } from "./compare";
import { count, percent, rate, seconds, weigh } from "./figures";
import type { Graph, Weight } from "./graph";
import { baseName, fileAt } from "./menu";

/** The links that lead on from a frame: what stands before its 16 digits, and before its linkage name. */
export interface Leads {
  sandwich: string;
  sites: string;
  functions: string;
  files: string;
}

const listed = 6;

/** The summary of a frame, beside the picture. */
export function details(
  graph: Graph,
  weight: Weight,
  node: number,
  leads: Leads,
  select: (node: number) => void,
): HTMLElement[] {
  const frame = graph.frameOf(node);
  const whole = graph.value(weight, 0) || 1;
  const value = graph.value(weight, node);
  const name = frame?.name ?? "all allocation contexts";
  const where = [
    frame?.file ?? "",
    frame?.module ?? "",
    graph.inline[node] ? "inlined into its caller" : "",
  ].filter((part) => part !== "");
  const parts: HTMLElement[] = [
    el("p", { class: "dim" }, `level ${graph.depth[node] ?? 0}`),
    el("h2", { class: "mono flame-name" }, name),
    el("p", { class: "dim" }, where.join(", ")),
  ];
  if (isCompared(graph)) {
    parts.push(el("p", {}, both(graph, weight, node)), comparedFacts(graph, weight, node));
  } else {
    parts.push(
      el(
        "dl",
        { class: "flame-pair" },
        pair(`total, ${percent(value / whole)}`, weigh(weight, value)),
        pair("self", weigh(weight, graph.self(weight, node))),
      ),
      el("dl", { class: "flame-facts" }, ...facts(graph, node)),
    );
  }
  const callees = list(graph, weight, node, select);
  if (callees) parts.push(el("h3", {}, "Callees"), callees);
  if (graph.hidden[node]) {
    parts.push(el("p", { class: "dim" }, `+${count(graph.hidden[node])} frames below; zoom in to load them`));
  }
  if (frame?.function) {
    const file = frame.file ?? "";
    parts.push(
      el(
        "p",
        { class: "flame-leads" },
        el("a", { class: "button", href: leads.sandwich + frame.function }, "Sandwich"),
        el("a", { class: "button", href: leads.sites + frame.function }, "View sites"),
        leads.functions && frame.linkage
          ? el(
              "a",
              { class: "button", href: leads.functions + encodeURIComponent(frame.linkage) },
              "View counters",
            )
          : undefined,
        leads.files && file
          ? el("a", { class: "button", href: fileAt(leads.files, file) }, `Open ${baseName(file)}`)
          : undefined,
      ),
    );
  }
  return parts;
}

function pair(term: string, value: string): HTMLElement {
  return el("div", {}, el("dt", {}, term), el("dd", {}, value));
}

function facts(graph: Graph, node: number): HTMLElement[] {
  const { bytes, allocations, accesses } = graph.values;
  const list: [string, string | undefined][] = [
    ["Bytes", bytes && weigh("bytes", bytes[node] ?? 0)],
    ["Allocations", allocations && count(allocations[node] ?? 0)],
    [
      "Mean size",
      bytes && allocations?.[node] ? weigh("bytes", (bytes[node] ?? 0) / allocations[node]) : undefined,
    ],
    ["Mean lifetime", read(lifetime(graph, node), seconds)],
    ["Accesses", accesses && count(accesses[node] ?? 0)],
    ["Accesses per byte", bytes?.[node] && accesses ? rate((accesses[node] ?? 0) / bytes[node]) : undefined],
    ["Accesses per byte and second", read(density(graph, node), rate)],
  ];
  return list.flatMap(([term, value]) => (value === undefined ? [] : [pair(term, value)]));
}

function read(value: number | undefined, write: (value: number) => string): string | undefined {
  return value === undefined ? undefined : write(value);
}

/** The heaviest frames below a node. */
function list(
  graph: Graph,
  weight: Weight,
  node: number,
  select: (node: number) => void,
): HTMLElement | undefined {
  const children = [...graph.children(node)].slice(0, listed);
  if (children.length === 0) return undefined;
  const whole = graph.value(weight, node) || 1;
  return el(
    "ul",
    { class: "flame-below" },
    ...children.map((child) => {
      const name = graph.frameOf(child)?.name ?? "unknown";
      const link = el("button", { type: "button", class: "link mono", title: name }, name);
      link.addEventListener("click", () => select(child));
      const figure = isCompared(graph)
        ? difference(weight, ...sides(graph, child))
        : percent(graph.value(weight, child) / whole);
      return el("li", {}, link, el("span", { class: "n" }, figure));
    }),
  );
}
