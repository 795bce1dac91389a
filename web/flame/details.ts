import { el } from "../dom";
import { both, comparedFacts, difference, isCompared, sides } from "./compare";
import { count, frames, percent, rate, seconds, weigh } from "./figures";
import type { Graph, Weight } from "./graph";
import { follow, type Lead } from "./lead";

/** A figure of the selected frame: a column, times a scale, per another one. */
export interface Fact {
  label: string;
  column: string;
  per?: string;
  scale?: number;
  as: keyof typeof forms;
}

const forms = { bytes: (value: number) => weigh("bytes", value), count, rate, seconds };

/** What a page says of frames: links besides the sandwich's, and figures. */
export interface Sayings {
  sandwich: string;
  leads: readonly Lead[];
  facts: readonly Fact[];
}

const listed = 6;

/** The summary of a frame, beside the picture. */
export function details(
  graph: Graph,
  weight: Weight,
  node: number,
  says: Sayings,
  select: (node: number) => void,
): HTMLElement[] {
  const frame = graph.frameOf(node);
  const whole = graph.value(weight, 0) || 1;
  const value = graph.value(weight, node);
  const name = graph.nameOf(node);
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
      el("dl", { class: "flame-facts" }, ...facts(graph, node, says.facts)),
    );
  }
  const callees = list(graph, weight, node, select);
  if (callees) parts.push(el("h3", {}, "Callees"), callees);
  if (graph.hidden[node]) {
    parts.push(el("p", { class: "dim" }, `+${frames(graph.hidden[node])} below; zoom in to load them`));
  }
  if (frame?.function) {
    parts.push(
      el(
        "p",
        { class: "flame-leads" },
        el("a", { class: "button", href: says.sandwich + frame.function }, "Sandwich"),
        ...says.leads.map((lead) => {
          const to = follow(lead, frame);
          return to && el("a", { class: "button", href: to.href }, to.label);
        }),
      ),
    );
  }
  return parts;
}

function pair(term: string, value: string): HTMLElement {
  return el("div", {}, el("dt", {}, term), el("dd", {}, value));
}

/** The facts that the profile has of a node. */
export function facts(graph: Graph, node: number, list: readonly Fact[]): HTMLElement[] {
  return list.flatMap((fact) => {
    const value = figure(graph, node, fact);
    return value === undefined ? [] : [pair(fact.label, forms[fact.as](value))];
  });
}

/** A figure of a node; undefined where the profile does not have it. */
export function figure(graph: Graph, node: number, { column, per, scale = 1 }: Fact): number | undefined {
  const value = graph.values[column]?.[node];
  if (value === undefined) return undefined;
  const by = per === undefined ? 1 : graph.values[per]?.[node];
  return by ? (value / by) * scale : undefined;
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
      const name = graph.nameOf(child);
      const link = el("button", { type: "button", class: "link mono", title: name }, name);
      link.addEventListener("click", () => select(child));
      const figure = isCompared(graph)
        ? difference(weight, ...sides(graph, child))
        : percent(graph.value(weight, child) / whole);
      return el("li", {}, link, el("span", { class: "n" }, figure));
    }),
  );
}
