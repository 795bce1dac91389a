import type { Keys } from "../keys/keys";

/**
 * The rows of a table as one tab stop: j and k, or the arrows inside it, move
 * the focus between the rows' links ([data-open]); Enter opens as on any link.
 */
export class Rows {
  private active = 0;

  constructor(
    private readonly table: HTMLTableElement,
    keys: Keys,
  ) {
    table.addEventListener("focusin", (event) => {
      const at = this.links.indexOf(event.target as HTMLElement);
      if (at >= 0) this.mark(at);
    });
    table.addEventListener("renewed", () => this.mark(0, false));
    this.mark(
      Math.max(
        0,
        this.links.findIndex(
          (link) =>
            link.closest("tr")?.ariaSelected === "true" ||
            (link.id !== "" && link.id === location.hash.slice(1)),
        ),
      ),
      false,
    );
    keys.on("j", () => this.step(1));
    keys.on("k", () => this.step(-1));
    keys.on("ArrowDown", () => this.inside() && this.step(1));
    keys.on("ArrowUp", () => this.inside() && this.step(-1));
    keys.on("ArrowRight", () => this.unfold("false"));
    keys.on("ArrowLeft", () => this.unfold("true"));
  }

  private get links(): HTMLElement[] {
    return [...this.table.querySelectorAll<HTMLElement>("tbody [data-open]")];
  }

  private inside(): boolean {
    return this.table.tBodies[0]?.contains(document.activeElement) ?? false;
  }

  private step(by: number): boolean {
    const links = this.links;
    const to = this.inside() ? Math.min(Math.max(this.active + by, 0), links.length - 1) : this.active;
    const link = links[to];
    if (!link) return false;
    link.focus();
    link.scrollIntoView({ block: "nearest" });
    return true;
  }

  /** Follows the link of the active row where it opens or closes what is below it. */
  private unfold(state: "true" | "false"): boolean {
    const link = this.inside() ? this.links[this.active] : undefined;
    if (link?.ariaExpanded !== state) return false;
    link.click();
    return true;
  }

  private mark(index: number, seen = true): void {
    this.active = index;
    this.links.forEach((link, i) => {
      link.tabIndex = i === index ? 0 : -1;
      link.closest("tr")?.toggleAttribute("data-active", seen && i === index);
    });
  }
}
