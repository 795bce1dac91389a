/**
 * The cells of a heat map as one tab stop: the arrows go to the nearest cell in
 * their direction, Enter opens it as any link.
 */
export class HeatMap {
  private readonly cells: SVGAElement[];

  constructor(map: Element) {
    this.cells = [...map.querySelectorAll<SVGAElement>("a")];
    this.mark(this.cells[0]);
    map.addEventListener("keydown", (event) => this.press(event as KeyboardEvent));
  }

  private press(event: KeyboardEvent): void {
    const from = this.cells.find((cell) => cell === document.activeElement);
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
      event.key
    ] ?? [0, 0];
    if (!from || (!x && !y)) return;
    event.preventDefault();
    const to = nearest(this.cells, from, x ?? 0, y ?? 0);
    if (!to) return;
    this.mark(to);
    to.focus();
  }

  private mark(active: SVGAElement | undefined): void {
    for (const cell of this.cells) cell.setAttribute("tabindex", cell === active ? "0" : "-1");
  }
}

/** The cell that a step in one direction leads to: in its line where there is one. */
function nearest(cells: SVGAElement[], from: SVGAElement, x: number, y: number): SVGAElement | undefined {
  const at = (cell: SVGAElement) => ({
    x: Number(cell.firstElementChild?.getAttribute("x")),
    y: Number(cell.firstElementChild?.getAttribute("y")),
  });
  const here = at(from);
  let best: SVGAElement | undefined;
  let least = Infinity;
  for (const cell of cells) {
    const there = at(cell);
    const along = (there.x - here.x) * x + (there.y - here.y) * y;
    const aside = Math.abs((there.x - here.x) * y) + Math.abs((there.y - here.y) * x);
    const far = along + 4 * aside;
    if (along > 0 && far < least) [best, least] = [cell, far];
  }
  return best;
}
