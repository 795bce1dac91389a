import { need } from "../dom";
import { axisValue, range } from "./range";

/** Dragging over the plane of lifetimes and densities sets both ranges, and asks for what lies in them. */
export class Scatter {
  private readonly brush: SVGElement;
  private from: { x: number; y: number } | undefined;

  constructor(private readonly chart: SVGElement) {
    this.brush = need(chart, "[data-brush]");
    chart.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || event.pointerType === "touch") return;
      event.preventDefault();
      chart.setPointerCapture(event.pointerId);
      this.from = this.at(event);
    });
    chart.addEventListener("pointermove", (event) => this.draw(event));
    chart.addEventListener("pointerup", (event) => this.ask(event));
    chart.addEventListener("pointercancel", () => this.end());
  }

  /** Where a pointer is, as parts of the plot's width and height. */
  private at(event: PointerEvent): { x: number; y: number } {
    const box = this.chart.getBoundingClientRect();
    const within = (v: number) => Math.min(Math.max(v, 0), 1);
    return {
      x: within((event.clientX - box.left) / box.width),
      y: within((event.clientY - box.top) / box.height),
    };
  }

  private draw(event: PointerEvent): void {
    if (!this.from) return;
    const to = this.at(event);
    const set = (name: string, value: number) => this.brush.setAttribute(name, `${100 * value}%`);
    set("x", Math.min(this.from.x, to.x));
    set("y", Math.min(this.from.y, to.y));
    set("width", Math.abs(this.from.x - to.x));
    set("height", Math.abs(this.from.y - to.y));
    this.brush.setAttribute("visibility", "visible");
  }

  private ask(event: PointerEvent): void {
    const from = this.from;
    const to = this.at(event);
    this.end();
    if (!from || Math.abs(from.x - to.x) < 0.005 || Math.abs(from.y - to.y) < 0.01) return;
    const read = (name: string) => Number(this.chart.dataset[name]);
    const x = (at: number) => axisValue(at, read("minX"), read("maxX"));
    const y = (at: number) => axisValue(1 - at, read("minY"), read("maxY"));
    const form = need<HTMLFormElement>(document, ".scatter-form");
    need<HTMLInputElement>(form, "[name=lifetime]").value = range(x(from.x), x(to.x));
    need<HTMLInputElement>(form, "[name=lifetime_density]").value = range(y(from.y), y(to.y));
    form.requestSubmit();
  }

  private end(): void {
    this.from = undefined;
    this.brush.setAttribute("visibility", "hidden");
  }
}
