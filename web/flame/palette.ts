import { type Colour, category, density, lifetime, scales, step } from "./colour";
import type { Graph } from "./graph";

/** A colour with what is readable on it. */
export interface Paint {
  fill: string;
  text: string;
}

/** The colours of the theme in force, read from the style sheet: a canvas knows no custom properties. */
export class Palette {
  private readonly heat: Paint[];
  private readonly modules: Paint[];
  readonly dim: Paint;
  readonly match: Paint;
  readonly surface: string;
  readonly line: string;
  readonly focus: string;

  constructor(root: Element) {
    const style = getComputedStyle(root);
    const read = (name: string) => style.getPropertyValue(name);
    const label = read("--flame-fg");
    this.heat = Array.from({ length: 9 }, (_, i) => ({
      fill: read(`--heat-${i}`),
      text: read(i < 5 ? "--on-heat-low" : "--on-heat-high"),
    }));
    this.modules = Array.from({ length: 12 }, (_, i) => ({ fill: read(`--cat-${i}`), text: label }));
    this.dim = { fill: read("--flame-dim"), text: read("--fg-2") };
    this.match = { fill: read("--flame-mark"), text: label };
    this.surface = read("--surface");
    this.line = read("--line-strong");
    this.focus = read("--focus");
  }

  /** The colour of a node; dim where the profile cannot tell. */
  of(graph: Graph, node: number, by: Colour): Paint {
    if (by === "module") {
      const module = graph.frameOf(node)?.module;
      return (module !== undefined ? this.modules[category(module)] : undefined) ?? this.dim;
    }
    const value = by === "density" ? density(graph, node) : lifetime(graph, node);
    return (value === undefined ? undefined : this.heat[step(value, scales[by])]) ?? this.dim;
  }
}
