import { need } from "../dom";
import type { Keys } from "../keys/keys";

/**
 * The arrows go along the builds of a chart, Enter opens the one they are at, and c compares
 * it with the build before. The line below the chart says which it is.
 */
export class Trend {
  private at: number;
  private readonly points: SVGAElement[];
  private readonly says: HTMLElement;

  constructor(root: HTMLElement, keys: Keys) {
    this.points = [...root.querySelectorAll<SVGAElement>(".trend-points a")];
    this.says = need(root.closest("section") ?? document, "[data-trend-says]");
    this.at = this.points.length; // the first press on the left arrow is at the newest
    keys.on("ArrowLeft", () => this.go(this.at - 1));
    keys.on("ArrowRight", () => this.go(this.at + 1));
    keys.on("c", () => this.compare());
    root.addEventListener("pointerover", (event) => {
      const i = this.points.indexOf((event.target as Element).closest("a") as unknown as SVGAElement);
      if (i >= 0) this.go(i, false);
    });
  }

  private go(to: number, focus = true): boolean {
    if (focus && document.activeElement?.closest("table")) return false; // a row's own arrows
    const next = Math.min(Math.max(to, 0), this.points.length - 1);
    const point = this.points[next];
    if (!point) return false;
    this.points[this.at]?.removeAttribute("data-current");
    point.setAttribute("data-current", "");
    this.at = next;
    this.says.textContent = point.querySelector("title")?.textContent ?? "";
    if (focus) point.focus({ preventScroll: true }); // so that Enter opens it
    return true;
  }

  /** Without a build that the arrows are at, the newest. */
  private compare(): boolean {
    const point = this.points[Math.min(this.at, this.points.length - 1)];
    const to = point?.dataset["address"];
    if (!to) return false;
    location.assign(to);
    return true;
  }
}

/** A form of choices alone is sent with the first of them. */
export function atOnce(form: HTMLFormElement): void {
  form.addEventListener("change", (event) => {
    // Another branch has other workloads, and perhaps not this measure.
    const chosen = (event.target as HTMLSelectElement).name;
    for (const field of form.querySelectorAll("select")) {
      if (chosen === "branch" && field.name === "workload") field.disabled = true;
    }
    form.requestSubmit();
  });
}
