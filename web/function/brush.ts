import { counterAt, span } from "./span";

/** How far a press moves before it is a drag and not a click on a part. */
const slack = 4;

/** Chooses a part of a function's counters by dragging over their strip. */
export class Brush {
  private readonly strip: SVGSVGElement | null;
  private readonly mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  private start: number | undefined;
  private dragged = false;

  constructor(private readonly root: HTMLElement) {
    this.strip = root.querySelector<SVGSVGElement>(".strip");
    this.mark.setAttribute("class", "strip-window");
    this.mark.setAttribute("height", "100");
    this.strip?.addEventListener("pointerdown", (event) => this.down(event));
    this.strip?.addEventListener("pointermove", (event) => this.move(event));
    this.strip?.addEventListener("pointerup", (event) => this.up(event));
    this.strip?.addEventListener("pointercancel", () => this.forget());
    this.strip?.addEventListener("dragstart", (event) => event.preventDefault());
    this.strip?.addEventListener("click", (event) => this.click(event), { capture: true });
  }

  private down(event: PointerEvent): void {
    this.dragged = false;
    if (event.button === 0 && event.pointerType !== "touch") this.start = event.clientX;
  }

  private move(event: PointerEvent): void {
    if (this.start === undefined || !this.strip) return;
    if (!this.dragged && Math.abs(event.clientX - this.start) < slack) return;
    if (!this.dragged) {
      this.dragged = true;
      this.strip.setPointerCapture(event.pointerId);
      this.strip.append(this.mark);
    }
    const box = this.strip.getBoundingClientRect();
    const ends = [this.start, event.clientX].map((x) =>
      Math.min(Math.max((1000 * (x - box.left)) / box.width, 0), 1000),
    );
    this.mark.setAttribute("x", String(Math.min(...ends)));
    this.mark.setAttribute("width", String(Math.abs((ends[1] ?? 0) - (ends[0] ?? 0))));
  }

  private up(event: PointerEvent): void {
    const start = this.start;
    this.start = undefined;
    if (start === undefined || !this.dragged || !this.strip) return;
    const box = this.strip.getBoundingClientRect();
    const count = Number(this.root.dataset["count"]);
    const at = (x: number) => counterAt(x - box.left, box.width, count);
    const to = new URL(this.root.dataset["address"] ?? "", location.href);
    to.searchParams.set("range", span(at(start), at(event.clientX)));
    location.assign(to.href);
  }

  private forget(): void {
    this.start = undefined;
    this.dragged = false;
    this.mark.remove();
  }

  /** A drag that ends over a part does not follow its link. */
  private click(event: MouseEvent): void {
    if (!this.dragged) return;
    event.preventDefault();
    event.stopPropagation();
  }
}
