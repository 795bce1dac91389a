import type { Graph, Weight } from "./graph";
import { rows, walk } from "./layout";
import type { Palette } from "./palette";
import type { Band } from "./picture";

const [width, height] = [176, 96]; // pixels, as the style sheet has them

/** The part of a graph that is seen: from 0 to 1 across and down. */
export interface Seen {
  left: number;
  width: number;
  top: number;
  height: number;
}

/**
 * The whole of a tree in a corner, with a frame round what the window shows. It is
 * there while that is not all.
 */
export class Minimap {
  private readonly pen: CanvasRenderingContext2D | null;
  private drawn: { graph: Graph; weight: Weight; image: HTMLCanvasElement } | undefined;
  private due = 0;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    scroll: (share: number) => void,
  ) {
    canvas.width = width * devicePixelRatio;
    canvas.height = height * devicePixelRatio;
    this.pen = canvas.getContext("2d");
    const go = (event: PointerEvent) => {
      if (event.buttons & 1) scroll(event.offsetY / height);
    };
    canvas.addEventListener("pointerdown", go);
    canvas.addEventListener("pointermove", go);
  }

  /**
   * Draws a band, and what is seen of it. The tree itself is drawn once, in a task of its
   * own: the picture of a zoom does not wait for it.
   */
  show(band: Band, seen: Seen, palette: Palette): void {
    clearTimeout(this.due);
    const all = seen.width > 0.999 && seen.height > 0.999;
    this.canvas.hidden = all;
    if (all || !this.pen) return;
    const { graph, weight } = band.view;
    if (this.drawn?.graph !== graph || this.drawn.weight !== weight) {
      this.due = setTimeout(() => {
        this.drawn = { graph, weight, image: this.picture(band, palette) };
        this.show(band, seen, palette);
      });
      return;
    }
    const dots = devicePixelRatio;
    this.pen.setTransform(1, 0, 0, 1, 0, 0);
    this.pen.drawImage(this.drawn.image, 0, 0);
    this.pen.setTransform(dots, 0, 0, dots, 0, 0);
    this.pen.lineWidth = 1.5;
    this.pen.strokeStyle = palette.focus;
    const w = Math.max(seen.width * width, 4);
    const h = Math.max(seen.height * height, 4);
    const y = band.up ? 1 - seen.top - seen.height : seen.top;
    this.pen.strokeRect(Math.min(seen.left * width, width - w) + 1, y * height + 1, w - 2, h - 2);
  }

  /** Forgets what is drawn: the colours are others now. */
  forget(): void {
    this.drawn = undefined;
  }

  private picture(band: Band, palette: Palette): HTMLCanvasElement {
    const image = document.createElement("canvas");
    image.width = this.canvas.width;
    image.height = this.canvas.height;
    const pen = image.getContext("2d");
    if (!pen) return image;
    const { graph, weight } = band.view;
    const all = rows(graph, 0);
    const row = height / all;
    pen.scale(devicePixelRatio, devicePixelRatio);
    pen.fillStyle = palette.surface;
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = palette.line;
    walk({ graph, weight, zoom: 0, width }, 0, all, (_, x, w, at) => {
      pen.fillRect(x, (band.up ? all - 1 - at : at) * row, Math.max(w - 0.3, 0.5), Math.max(row - 0.3, 0.5));
    });
    return image;
  }
}
