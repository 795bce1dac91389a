// Where frames stand: pure, so that it can be tested without a canvas.

import type { Graph, Weight } from "./graph";

/** Narrower frames, in pixels, share a mark. */
export const sliver = 0.6;

/** What a picture shows of a graph: everything below one node, across the whole width. */
export interface View {
  graph: Graph;
  weight: Weight;
  zoom: number; // node
  width: number; // pixels
}

/** A frame; a mark for several that are too narrow; what the server left out below a node. */
export type Kind = "frame" | "mark" | "cut";

/** Takes what is to be drawn. The node is that of the frame, and of what was left out; -1 for a mark. */
export type Draw = (node: number, x: number, width: number, row: number, kind: Kind) => void;

/**
 * Yields what rows first to last show: the frames above the zoomed node across
 * the whole width, then what is below it. A subtree narrower than a sliver is
 * not walked, so that the work is that of what can be seen.
 */
export function walk(view: View, first: number, last: number, draw: Draw): void {
  const { graph, weight, zoom, width } = view;
  const above = graph.path(zoom);
  above.forEach((node, row) => {
    if (row >= first && row <= last) draw(node, 0, width, row, "frame");
  });
  const values = graph.values[weight];
  const whole = values?.[zoom] ?? 0;
  if (!values || whole <= 0) return;
  const scale = width / whole;
  const { end, depth, hidden } = graph;
  const stop = end[zoom] ?? 0;
  const left: number[] = []; // by row: where the next child begins
  const marks = new Marks((x, w, row) => {
    if (row >= first && row <= last) draw(-1, x, w, row, "mark");
  });
  const cut = (node: number, x: number, w: number, row: number) => {
    if (!hidden[node] || row < first || row > last) return;
    const from = x + covered(graph, weight, node) * scale;
    if (x + w - from >= sliver) draw(node, from, x + w - from, row, "cut");
  };
  left[above.length] = 0;
  cut(zoom, 0, width, above.length);
  for (let node = zoom + 1; node < stop; ) {
    const row = depth[node] ?? 0;
    const x = left[row] ?? 0;
    const w = (values[node] ?? 0) * scale;
    left[row] = x + w;
    if (w < sliver) marks.add(x, w, row);
    if (w < sliver || row > last) {
      node = end[node] ?? stop;
      continue;
    }
    if (row >= first) draw(node, x, w, row, "frame");
    cut(node, x, w, row + 1);
    left[row + 1] = x;
    node++;
  }
  marks.flush();
}

/** Gathers neighbouring slivers of a row in one mark. */
class Marks {
  private readonly open = new Map<number, { x: number; to: number }>();

  constructor(private readonly draw: (x: number, width: number, row: number) => void) {}

  add(x: number, width: number, row: number): void {
    const mark = this.open.get(row);
    if (mark && x - mark.to < sliver) {
      mark.to = x + width;
      return;
    }
    if (mark) this.draw(mark.x, mark.to - mark.x, row);
    this.open.set(row, { x, to: x + width });
  }

  flush(): void {
    for (const [row, { x, to }] of this.open) {
      if (to - x > sliver / 4) this.draw(x, to - x, row);
    }
  }
}

/** What the children of a node weigh together. */
function covered(graph: Graph, weight: Weight, node: number): number {
  let sum = 0;
  for (const child of graph.children(node)) sum += graph.value(weight, child);
  return sum;
}

/** What stands at a point: a frame, or what was left out below one. */
export interface Hit {
  node: number;
  cut: boolean;
}

/** Finds what was drawn at a point; undefined where there is nothing, or only a mark. */
export function hit(view: View, x: number, row: number): Hit | undefined {
  const { graph, weight, zoom, width } = view;
  const above = graph.path(zoom);
  if (x < 0 || x >= width) return undefined;
  if (row < above.length) return { node: above[row] ?? 0, cut: false };
  const scale = width / (graph.value(weight, zoom) || 1);
  let node = zoom;
  let left = 0;
  let right = width;
  for (let at = above.length; at <= row; at++) {
    let found = -1;
    for (const child of graph.children(node)) {
      const w = graph.value(weight, child) * scale;
      if (x < left + w) {
        if (w < sliver) return undefined;
        [found, right] = [child, left + w];
        break;
      }
      left += w;
    }
    if (found < 0) return at === row && graph.hidden[node] && x < right ? { node, cut: true } : undefined;
    node = found;
  }
  return { node, cut: false };
}

/** Where a node stands in the picture, undefined where it is too narrow or not below the zoomed one. */
export function place(view: View, node: number): { x: number; width: number; row: number } | undefined {
  const { graph, weight, zoom, width } = view;
  const row = graph.depth[node] ?? 0;
  if (graph.path(zoom).includes(node)) return { x: 0, width, row };
  const path = graph.path(node);
  const from = path.indexOf(zoom);
  if (from < 0) return undefined;
  const scale = width / (graph.value(weight, zoom) || 1);
  let x = 0;
  for (let i = from + 1; i < path.length; i++) {
    for (const child of graph.children(path[i - 1] ?? 0)) {
      if (child === path[i]) break;
      x += graph.value(weight, child) * scale;
    }
  }
  return { x, width: graph.value(weight, node) * scale, row };
}

/** How many rows a picture has: those above the zoomed node and of all below it. */
export function rows(graph: Graph, zoom: number): number {
  let deepest = 0;
  for (let node = zoom; node < (graph.end[zoom] ?? 0); node++) {
    deepest = Math.max(deepest, (graph.depth[node] ?? 0) + (graph.hidden[node] ? 1 : 0));
  }
  return deepest + 1;
}
