import type { Graph, Weight } from "./graph";

/** What a search found: which frames match, and what the nodes with them hold. */
export interface Found {
  frames: Uint8Array; // 1 for a frame that matches
  nodes: number; // below the zoomed node
  weight: number; // of them, each byte once however often its stack matches
}

/** A matcher of names: /…/ is a regular expression, all else is part of a name in any case. */
export function matcher(text: string): (name: string) => boolean {
  const regexp = /^\/(.*)\/$/s.exec(text);
  if (regexp) {
    const re = new RegExp(regexp[1] ?? "", "u");
    return (name) => re.test(name);
  }
  const part = text.toLowerCase();
  return (name) => name.toLowerCase().includes(part);
}

/** Finds the nodes at or below one whose frame matches. */
export function search(graph: Graph, weight: Weight, zoom: number, match: (name: string) => boolean): Found {
  const frames = Uint8Array.from(graph.frames, (f) => (match(f.name) || match(f.linkage ?? "") ? 1 : 0));
  const stop = graph.end[zoom] ?? 0;
  const found = { frames, nodes: 0, weight: 0 };
  let counted = 0; // what stands before it has been counted with a frame above
  for (let node = zoom; node < stop; node++) {
    if (frames[graph.frame[node] ?? -1] !== 1) continue;
    found.nodes++;
    if (node < counted) continue;
    found.weight += graph.value(weight, node);
    counted = graph.end[node] ?? 0;
  }
  return found;
}
