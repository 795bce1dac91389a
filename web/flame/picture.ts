import { type Colour, Modules } from "./colour";
import { isCompared, signed } from "./compare";
import { count, percent } from "./figures";
import type { Graph } from "./graph";
import { fit, forms } from "./label";
import { type Hit, hit, type Kind, place, rows, type View, walk } from "./layout";
import type { Minimap } from "./minimap";
import { type Paint, Palette } from "./palette";
import type { Found } from "./search";

/** Pixels of a row, of which one is the gap to the next. */
export const rowHeight = 19;

const labelWidth = 26; // narrower frames have no label
const labelStart = 4;

/** One tree of a picture: with its root on top, or at the foot where it grows upwards. */
export interface Band {
  view: View;
  up: boolean;
  found: Found | undefined;
}

/** A node of a band. */
export interface Spot {
  band: number;
  node: number;
}

/**
 * The canvas. It is as high as its window and stays there while the rows scroll
 * by, so that a deep tree costs no more than what is seen of it.
 */
export class Picture {
  bands: Band[] = [];
  colour: Colour = "module";
  modules = new Modules([], "");
  active: Spot | undefined;
  private palette: Palette;
  private letter = 7; // width of one in the monospaced font
  private due = 0;
  private heights: number[] = []; // rows of each band
  private readonly names = new Map<string, string[]>();
  /** Milliseconds that the last frame took, for whoever measures. */
  took = 0;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly spacer: HTMLElement,
    private readonly canvas: HTMLCanvasElement,
    private readonly map?: Minimap,
  ) {
    this.palette = new Palette(document.documentElement);
    const themed = () => {
      this.palette = new Palette(document.documentElement);
      this.map?.forget();
      this.draw();
    };
    new MutationObserver(themed).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themed);
    new ResizeObserver(() => this.resize()).observe(scroller);
    scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    void document.fonts.ready.then(() => this.resize());
  }

  get width(): number {
    return this.scroller.clientWidth;
  }

  /** Takes the trees to show, and makes room for their rows. */
  show(bands: Band[]): void {
    this.bands = bands;
    this.heights = bands.map((band) => rows(band.view.graph, band.view.zoom));
    this.resize();
  }

  resize(): void {
    for (const band of this.bands) band.view.width = this.width;
    const all = this.heights.reduce((sum, height) => sum + height, 1 - this.bands.length);
    this.spacer.style.height = `${Math.max(all, 1) * rowHeight}px`;
    this.draw();
  }

  /** Draws before the next frame is shown, once however often it is asked for. */
  draw(): void {
    this.due ||= requestAnimationFrame(() => {
      this.due = 0;
      const begun = performance.now();
      this.paint();
      this.took = performance.now() - begun;
    });
  }

  /** What is at a place of the window. */
  at(clientX: number, clientY: number): (Hit & { band: number }) | undefined {
    const box = this.spacer.getBoundingClientRect();
    const row = Math.floor((clientY - box.top) / rowHeight);
    for (const [i, band] of this.bands.entries()) {
      const inner = this.inner(i, row);
      const found = inner < 0 ? undefined : hit(band.view, clientX - box.left, inner);
      if (found) return { ...found, band: i };
    }
    return undefined;
  }

  /** Scrolls to a part of the picture, from 0 to 1, and has it in the middle. */
  scrollTo(share: number): void {
    this.scroller.scrollTop = share * this.scroller.scrollHeight - this.scroller.clientHeight / 2;
  }

  /** Where a node stands in the window. */
  spotOn({ band, node }: Spot): { x: number; y: number } {
    const view = this.bands[band]?.view;
    const spot = view && place(view, node);
    const box = this.spacer.getBoundingClientRect();
    return {
      x: box.left + (spot?.x ?? 0) + 8,
      y: box.top + (this.outer(band, spot?.row ?? 0) + 1) * rowHeight,
    };
  }

  /** Scrolls a node into sight. */
  reveal({ band, node }: Spot): void {
    const view = this.bands[band]?.view;
    const spot = view && place(view, node);
    if (!spot) return;
    const top = this.outer(band, spot.row) * rowHeight;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) {
      this.scroller.scrollTop = top + rowHeight - clientHeight;
    }
  }

  /** The row of the picture that a band's own row is; both bands of a sandwich share their roots' row. */
  private outer(band: number, row: number): number {
    if (!this.bands[0]?.up) return row;
    const joint = (this.heights[0] ?? 1) - 1;
    return band === 0 ? joint - row : joint + row;
  }

  /** The row of a band that a row of the picture is; below 0 where the band has none there. */
  private inner(band: number, row: number): number {
    return band === 0 && this.bands[0]?.up ? this.outer(0, row) : row - this.outer(band, 0);
  }

  private paint(): void {
    const [width, height] = [this.width, this.scroller.clientHeight];
    const dots = devicePixelRatio;
    const pen = this.canvas.getContext("2d");
    if (!pen || width === 0) return;
    if (this.canvas.width !== Math.round(width * dots) || this.canvas.height !== Math.round(height * dots)) {
      this.canvas.width = Math.round(width * dots);
      this.canvas.height = Math.round(height * dots);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    const top = this.scroller.scrollTop;
    pen.setTransform(dots, 0, 0, dots, 0, -top * dots);
    pen.fillStyle = this.palette.surface;
    pen.fillRect(0, top, width, height);
    pen.font = getComputedStyle(this.canvas).font;
    pen.textBaseline = "middle";
    this.letter = pen.measureText("0").width || 7;
    const [from, to] = [Math.floor(top / rowHeight), Math.ceil((top + height) / rowHeight)];
    this.bands.forEach((band, i) => {
      const [a, b] = [this.inner(i, from), this.inner(i, to)];
      this.paintBand(pen, band, i, Math.max(Math.min(a, b), i > 0 ? 1 : 0), Math.max(a, b));
    });
    this.centre(pen);
    this.outline(pen);
    this.survey(top, height);
  }

  /** Marks the row of the function that a sandwich is around. */
  private centre(pen: CanvasRenderingContext2D): void {
    if (this.bands.length < 2) return;
    const y = this.outer(1, 0) * rowHeight;
    pen.fillStyle = this.palette.focus;
    pen.fillRect(0, y - 2, this.width, 2);
    pen.fillRect(0, y + rowHeight - 1, this.width, 2);
    pen.fillRect(0, y, 3, rowHeight);
    pen.fillRect(this.width - 3, y, 3, rowHeight);
  }

  /** Shows in the corner which part of the tree is seen. */
  private survey(top: number, height: number): void {
    const band = this.bands.at(-1);
    if (!this.map || !band || this.bands.length > 1) return;
    const { graph, weight, zoom } = band.view;
    const whole = { ...band.view, zoom: 0, width: 1 };
    const spot = zoom === 0 ? undefined : place(whole, zoom);
    const all = Math.max((this.heights[0] ?? 1) * rowHeight, 1);
    const seen = {
      left: spot?.x ?? 0,
      width: spot?.width ?? 1,
      top: top / all,
      height: Math.min(height / all, 1),
    };
    if (graph.value(weight, 0) > 0) this.map.show(band, seen, this.palette);
  }

  /** Draws a band colour by colour: changing it costs more than a rectangle. */
  private paintBand(
    pen: CanvasRenderingContext2D,
    band: Band,
    at: number,
    first: number,
    last: number,
  ): void {
    const boxes = new Map<Paint["fill"], number[]>();
    const labels: (() => void)[] = [];
    const box = (fill: Paint["fill"], x: number, y: number, w: number) => {
      const list = boxes.get(fill);
      if (list) list.push(x, y, w);
      else boxes.set(fill, [x, y, w]);
    };
    walk(band.view, first, last, (node, x, w, row, kind) => {
      const y = this.outer(at, row) * rowHeight;
      const paint = this.paintOf(band, node, kind);
      box(paint.fill, x, y, Math.max(w - (w > 3 ? 1 : 0), 0.5));
      if (w < labelWidth || kind === "mark") return;
      const text = kind === "cut" ? this.cutLabel(band.view, node) : undefined;
      const letters = Math.floor((w - 2 * labelStart) / this.letter);
      labels.push(() => this.label(pen, text ?? this.written(band.view, node), paint, x, y, letters));
    });
    for (const [fill, list] of boxes) {
      pen.fillStyle = fill;
      for (let i = 0; i < list.length; i += 3) {
        pen.fillRect(list[i] ?? 0, list[i + 1] ?? 0, list[i + 2] ?? 0, rowHeight - 1);
      }
    }
    for (const write of labels) write();
  }

  private paintOf(band: Band, node: number, kind: Kind): Paint {
    if (kind !== "frame") return this.palette.dim;
    if (band.found) {
      const matches = band.found.frames[band.view.graph.frame[node] ?? -1] === 1;
      return matches ? this.palette.match : this.palette.dim;
    }
    return this.palette.of(band.view.graph, node, this.colour, this.modules);
  }

  private label(
    pen: CanvasRenderingContext2D,
    list: readonly string[],
    paint: Paint,
    x: number,
    y: number,
    letters: number,
  ): void {
    const text = fit(list, letters);
    if (text === "") return;
    pen.fillStyle = paint.text;
    pen.fillText(text, x + labelStart, y + rowHeight / 2, letters * this.letter);
  }

  /** The forms of a label: of two profiles with what changed. */
  private written({ graph, weight }: View, node: number): readonly string[] {
    const list = this.formsOf(graph, node);
    return isCompared(graph) ? signed(list, graph, weight, node) : list;
  }

  private formsOf(graph: Graph, node: number): readonly string[] {
    const name = graph.nameOf(node);
    let list = this.names.get(name);
    if (!list) {
      list = forms(name);
      this.names.set(name, list);
    }
    return list;
  }

  private cutLabel({ graph, weight }: View, node: number): string[] {
    const n = graph.hidden[node] ?? 0;
    const whole = graph.value(weight, 0) || 1;
    const frames = `+${count(n)} ${n === 1 ? "frame" : "frames"}`;
    return [`${frames}, ${percent(graph.self(weight, node) / whole)}`, frames, `+${count(n)}`];
  }

  /** A ring round the active frame, while it is wide enough to be seen. */
  private outline(pen: CanvasRenderingContext2D): void {
    if (!this.active) return;
    const view = this.bands[this.active.band]?.view;
    const spot = view && place(view, this.active.node);
    if (!spot) return;
    const y = this.outer(this.active.band, spot.row) * rowHeight;
    pen.lineWidth = 2;
    pen.strokeStyle = this.palette.focus;
    pen.strokeRect(spot.x + 1, y + 1, Math.max(spot.width - 3, 1), rowHeight - 3);
  }
}
