import { type Colour, categories, density, lifetime, type Modules, scales, step } from "./colour";
import { move, moveSteps, sides } from "./compare";
import type { Graph } from "./graph";

/** A colour with what is readable on it. */
export interface Paint {
  fill: string | CanvasPattern;
  text: string;
}

/** The colours of the theme in force, read from the style sheet: a canvas knows no custom properties. */
export class Palette {
  private readonly heat: Paint[];
  private readonly modules: Paint[];
  private readonly moves: Paint[];
  private readonly gone: Paint;
  private readonly fresh: Paint;
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
    this.modules = Array.from({ length: categories }, (_, i) => ({ fill: read(`--cat-${i}`), text: label }));
    this.moves = Array.from({ length: moveSteps }, (_, i) => ({
      fill: read(`--move-${i}`),
      text: read(i === 0 || i === moveSteps - 1 ? "--on-heat-high" : "--flame-fg"),
    }));
    const hatch = (strong: string, weak: string, up: boolean): Paint => ({
      fill: hatched(read(weak), read(strong), up),
      text: read("--fg"),
    });
    this.gone = hatch("--move-1", "--surface", true);
    this.fresh = hatch("--move-7", "--surface", false);
    this.dim = { fill: read("--flame-dim"), text: read("--fg-2") };
    this.match = { fill: read("--flame-mark"), text: label };
    this.surface = read("--surface");
    this.line = read("--line-strong");
    this.focus = read("--focus");
  }

  /** The colour of a node; dim where the profile cannot tell. */
  of(graph: Graph, node: number, by: Colour, modules: Modules): Paint {
    if (by === "change") {
      const change = move(...sides(graph, node));
      if (change === "gone") return this.gone;
      if (change === "new") return this.fresh;
      return this.moves[change] ?? this.dim;
    }
    if (by === "module") {
      return this.modules[modules.of(graph.frameOf(node)) ?? -1] ?? this.dim;
    }
    const value = by === "density" ? density(graph, node) : lifetime(graph, node);
    return (value === undefined ? undefined : this.heat[step(value, scales[by])]) ?? this.dim;
  }
}

/** Stripes on a ground, rising or falling: what one side alone has. */
function hatched(ground: string, stripe: string, rising: boolean): string | CanvasPattern {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const pen = tile.getContext("2d");
  if (!pen) return stripe;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, 8, 8);
  pen.strokeStyle = stripe;
  pen.lineWidth = 2;
  for (const shift of [-8, 0, 8]) {
    pen.moveTo(shift - 1, rising ? 9 : -1);
    pen.lineTo(shift + 9, rising ? -1 : 9);
  }
  pen.stroke();
  return pen.createPattern(tile, "repeat") ?? stripe;
}
