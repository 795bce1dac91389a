// Which colour a frame has: its module's, or the step of a measured quantity.

import type { Frame, Graph } from "./graph";

/** What colours can say. */
export type Colour = "module" | "density" | "lifetime" | "change";

export const categories = 12;

/** How many modules have a colour, with that of all others. */
const told = 8;

/** What frames are of that no library or namespace names, and the modules without a colour. */
export const own = "own code";
export const rest = "the rest";

/** A namespace without a name is of the program that has it. */
const anonymous = "(anonymous namespace)";

/** Where the system's own sources and libraries lie. */
const system = /^(\/usr|\/lib\d*|\/opt|\/Library|\/Applications|\/nix)\/|^\/rustc\//;

/**
 * What a function's name says of the module it is in: a namespace holds more than functions, a class has a
 * constructor. Template arguments and what is within a function say nothing.
 */
function kindOf(module: string, name: string): "namespace" | "class" | undefined {
  let depth = 0;
  let after = 0; // the place behind the module's name
  for (let i = 0; i < name.length; i++) {
    if (name[i] === "<") depth++;
    else if (name[i] === ">") depth = Math.max(depth - 1, 0);
    else if (depth > 0) continue;
    else if (!after) {
      if (!name.startsWith(`${module}::`, i) || /\w/.test(name[i - 1] ?? "")) continue;
      after = i + module.length + 2;
      if (name.startsWith(`${module}(`, after) || name.startsWith(`~${module}(`, after)) return "class";
      i = after - 1;
    } else if (name[i] === "(") return undefined;
    else if (name.startsWith("::", i)) return "namespace";
  }
  return undefined;
}

/** The modules of frames, each by the place of its frame: a class is none, and a folder is own code. */
function modulesOf(frames: readonly Frame[]): (string | undefined)[] {
  const [spaces, classes] = [new Set<string>(), new Set<string>()];
  for (const { module, name } of frames) {
    const kind = module && kindOf(module, name);
    if (kind) (kind === "class" ? classes : spaces).add(module);
  }
  for (const name of [...classes, anonymous]) spaces.delete(name);
  return frames.map(({ module, file }) => {
    if (!module || spaces.has(module)) return module;
    if (module.includes("/") && !file) return module.slice(module.lastIndexOf("/") + 1); // a library's file
    if (file && system.test(file)) return "system";
    return module.includes("/") || file || module === anonymous ? own : module;
  });
}

/** The colours of modules: the heaviest have one of their own, by a hash of their names where that is free. */
export class Modules {
  /** By name, the heaviest first; what has none is the rest. */
  readonly colours = new Map<string, number>();
  /** Whether there is a rest. */
  readonly more: boolean;
  private readonly names = new Map<Frame, string | undefined>();

  constructor(graphs: readonly Graph[], weight: string) {
    const weights = new Map<string, number>();
    for (const graph of graphs) {
      const names = modulesOf(graph.frames);
      for (const [i, frame] of graph.frames.entries()) this.names.set(frame, names[i]);
      for (let node = 0; node < graph.size; node++) {
        const name = names[graph.frame[node] ?? -1];
        if (name) weights.set(name, (weights.get(name) ?? 0) + graph.self(weight, node));
      }
    }
    const names = [...weights].sort((a, b) => b[1] - a[1]).map(([name]) => name);
    this.more = names.length > told;
    const taken = new Set<number>();
    for (const name of names.slice(0, this.more ? told - 1 : told)) {
      let colour = category(name);
      while (taken.has(colour)) colour = (colour + 1) % categories;
      this.colours.set(name, colour);
      taken.add(colour);
    }
  }

  /** The colour of a frame; undefined for the rest, and where no module is known. */
  of(frame: Frame | undefined): number | undefined {
    return this.colours.get((frame && this.names.get(frame)) ?? "");
  }
}

/** The category of a module: a hash of its name. */
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
