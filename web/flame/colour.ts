// Which colour a frame has: its module's, or the step of a measured quantity.

import type { Graph } from "./graph";

/** What colours can say. */
export type Colour = "module" | "density" | "lifetime" | "change";

export const categories = 12;

/** The category of a module: a hash of its name, so that it keeps its colour everywhere. */
export function category(module: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < module.length; i++) {
    hash = Math.imul(hash ^ module.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 0) % categories;
}

/** A scale of nine steps between two ends, even on a log scale. */
export interface Scale {
  low: number;
  high: number;
}

/** The ends of the scales: of accesses per byte and second, and of seconds. */
export const scales: Record<"density" | "lifetime", Scale> = {
  density: { low: 0.01, high: 100_000 },
  lifetime: { low: 0.001, high: 1_000 },
};

/** The step of a value: 0 at or below the low end, 8 at the high one. */
export function step(value: number, { low, high }: Scale): number {
  if (!(value > low)) return 0;
  return Math.min(1 + Math.floor((8 * Math.log(value / low)) / Math.log(high / low)), 8);
}

/** Mean accesses per byte and second of the objects below a node; undefined where the profile cannot tell. */
export function density(graph: Graph, node: number): number | undefined {
  const [sum, objects] = [graph.values["density"]?.[node], graph.values["allocations"]?.[node]];
  return sum === undefined || !objects ? undefined : sum / objects / 100;
}

/** Mean lifetime of the objects below a node, in seconds; undefined where the profile cannot tell. */
export function lifetime(graph: Graph, node: number): number | undefined {
  const [sum, objects] = [graph.values["objects_lifetime"]?.[node], graph.values["allocations"]?.[node]];
  return sum === undefined || !objects ? undefined : sum / objects / 1000;
}
