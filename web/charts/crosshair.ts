import { need } from "../dom";
import { type Point, shareAt } from "./points";

/** Shows n and its share where the pointer is over the cumulative-share curve. */
export class Crosshair {
  private readonly points: Point[];
  private readonly cross: SVGElement;
  private readonly line: SVGElement;
  private readonly dot: SVGElement;
  private readonly label: SVGElement;

  constructor(private readonly chart: SVGElement) {
    this.points = (chart.dataset["points"] ?? "").split(" ").map((pair) => {
      const [n = 0, share = 0] = pair.split(":").map(Number);
      return { n, share };
    });
    this.cross = need(chart, "[data-cross]");
    this.line = need(this.cross, "line");
    this.dot = need(this.cross, "circle");
    this.label = need(this.cross, "text");
    chart.addEventListener("pointermove", (event) => this.move(event));
    chart.addEventListener("pointerleave", () => this.cross.setAttribute("visibility", "hidden"));
  }

  private move(event: PointerEvent): void {
    const box = this.chart.getBoundingClientRect();
    const last = this.points.at(-1)?.n ?? 1;
    const at = Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    const n = Math.round(last ** at);
    const share = shareAt(this.points, n);
    const x = `${100 * (last > 1 ? Math.log(n) / Math.log(last) : 0)}%`;
    this.line.setAttribute("x1", x);
    this.line.setAttribute("x2", x);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", `${100 * (1 - share)}%`);
    this.label.setAttribute("x", x);
    this.label.setAttribute("dx", at > 0.6 ? "-7" : "7");
    this.label.classList.toggle("chart-left", at > 0.6);
    const digits = String(n).replace(/\B(?=(\d{3})+$)/g, "\u00a0");
    this.label.textContent = `${digits} ${n === 1 ? "function" : "functions"}, ${(100 * share).toFixed(2)}\u00a0%`;
    this.cross.setAttribute("visibility", "visible");
  }
}
