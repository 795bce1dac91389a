/**
 * The tree as a table: one tab stop, arrows move between the rows, right and
 * left open and close what is below one, Enter follows its link.
 */
export class TreeGrid {
  private active = 0;

  constructor(private readonly table: HTMLTableElement) {
    this.rows.forEach((row, i) => {
      row.addEventListener("focus", () => this.mark(i));
      row.addEventListener("click", (event) => {
        if ((event.target as Element).closest("[data-toggle]")) this.toggle(row);
      });
    });
    table.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target instanceof HTMLTableRowElement && this.key(event.key, event.target))
        event.preventDefault();
    });
    this.mark(0);
    this.arrange();
  }

  private get rows(): HTMLTableRowElement[] {
    return [...(this.table.tBodies[0]?.rows ?? [])];
  }

  private key(key: string, row: HTMLTableRowElement): boolean {
    const shown = this.rows.filter((r) => !r.hidden);
    const at = shown.indexOf(row);
    const step = (to: number) => {
      shown[Math.min(Math.max(to, 0), shown.length - 1)]?.focus();
      return true;
    };
    switch (key) {
      case "ArrowDown":
        return step(at + 1);
      case "ArrowUp":
        return step(at - 1);
      case "Home":
        return step(0);
      case "End":
        return step(shown.length - 1);
      case "ArrowRight":
        if (row.ariaExpanded === "false") this.toggle(row);
        else if (row.ariaExpanded === "true") step(at + 1);
        return true;
      case "ArrowLeft":
        if (row.ariaExpanded === "true") this.toggle(row);
        else this.above(row)?.focus();
        return true;
      case "Enter":
        row.querySelector<HTMLElement>("a[data-open]")?.click();
        return true;
    }
    return false;
  }

  private toggle(row: HTMLTableRowElement): void {
    row.ariaExpanded = row.ariaExpanded === "true" ? "false" : "true";
    this.arrange();
  }

  /** Hides the rows below those that are closed. */
  private arrange(): void {
    let closed = Number.POSITIVE_INFINITY;
    for (const row of this.rows) {
      const level = Number(row.ariaLevel);
      if (level <= closed) closed = Number.POSITIVE_INFINITY;
      row.hidden = level > closed;
      if (!row.hidden && row.ariaExpanded === "false") closed = level;
    }
  }

  private above(row: HTMLTableRowElement): HTMLTableRowElement | undefined {
    const rows = this.rows;
    const level = Number(row.ariaLevel);
    return rows.slice(0, rows.indexOf(row)).findLast((r) => Number(r.ariaLevel) < level);
  }

  private mark(index: number): void {
    this.active = index;
    this.rows.forEach((row, i) => {
      row.tabIndex = i === this.active ? 0 : -1;
    });
  }
}
