import { announce, button, el, need } from "../dom";
import type { Keys } from "../keys/keys";
import { type Colour, Modules, rest } from "./colour";
import { both, isCompared } from "./compare";
import { details, type Fact, type Sayings } from "./details";
import { count, counts, frames, percent, weigh } from "./figures";
import { type Answer, Graph, type Weight } from "./graph";
import { leadsOf } from "./lead";
import { Menu } from "./menu";
import { Minimap } from "./minimap";
import { type Band, Picture, type Spot } from "./picture";
import { type Place, readPlace, withPlace } from "./place";
import { matcher, search } from "./search";

/**
 * The flame graph: what the server gives of the call tree, with a zoom, an
 * active frame, a search and a colour that stand in the address.
 */
export class Flame {
  private graphs: Graph[] = []; // one, or callers and callees of a sandwich
  private zooms: number[] = [];
  private readonly loaded = new Set<string>(); // nodes whose frames below have been asked for
  private readonly picture: Picture;
  private readonly canvas: HTMLCanvasElement;
  private readonly field: HTMLInputElement;
  private readonly crumbs: HTMLElement;
  private readonly says: HTMLElement;
  private readonly live: HTMLElement;
  private readonly inspector: HTMLElement;
  private readonly tip: HTMLElement;
  private readonly weight: Weight;
  private readonly menu: Menu;
  private readonly sayings: Sayings;

  constructor(
    private readonly root: HTMLElement,
    keys: Keys,
  ) {
    this.canvas = need(root, "canvas.flame-canvas");
    this.field = need(root, "[data-flame-search]");
    this.crumbs = need(root, "[data-flame-crumbs]");
    this.says = need(root, "[data-flame-says]");
    this.live = need(root, "[data-flame-live]");
    this.inspector = need(root, "[data-flame-inspector]");
    this.tip = need(root, "[data-flame-tip]");
    const data = root.dataset;
    this.weight = data["weight"] ?? "";
    if (data["many"]) counts(this.weight, data["one"] ?? "", data["many"]);
    const facts = JSON.parse(data["facts"] ?? "null") as Fact[] | null;
    this.sayings = { sandwich: data["sandwich"] ?? "", leads: leadsOf(root), facts: facts ?? [] };
    this.menu = new Menu(root);
    const map = new Minimap(need(root, "[data-flame-map]"), (share) => this.picture.scrollTo(share));
    this.picture = new Picture(need(root, ".flame-scroll"), need(root, ".flame-rows"), this.canvas, map);
    this.picture.colour = (root.dataset["colour"] ?? "module") as Colour;
    const options = root.querySelector<HTMLDetailsElement>("[data-flame-options]");
    if (options && matchMedia("(max-width: 45rem)").matches) options.open = false;
    this.listen(keys);
    void this.begin();
  }

  private async begin(): Promise<void> {
    try {
      this.graphs = await this.fetch(new URL(location.href).searchParams.get("z") ?? "");
      this.zooms = this.graphs.map(() => 0);
    } catch (error) {
      this.says.textContent = `The call tree could not be loaded: ${error instanceof Error ? error.message : error}`;
      return;
    }
    this.legend();
    await this.restore();
    this.root.dataset["ready"] = "";
  }

  /** Asks for the tree, or for what is below one node. */
  private async fetch(zoom: string): Promise<Graph[]> {
    const url = new URL(this.root.dataset["graph"] ?? "", location.href);
    if (zoom) url.searchParams.set("z", zoom);
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail ?? body.title);
    const trees: Answer[] = "callers" in body ? [body.callers, body.callees] : [body];
    return trees.map((tree) => Graph.read(tree, this.weight, this.root.dataset["all"]));
  }

  /** Shows what the address says. */
  private async restore(): Promise<void> {
    const place = readPlace(location.href);
    this.field.value = place.query;
    const zoomed = this.spotOf(place.zoom);
    this.zooms = this.graphs.map((_, band) => (zoomed?.band === band ? zoomed.node : 0));
    this.picture.active = this.spotOf(place.selected);
    this.paintIn((place.colour || this.root.dataset["colour"] || "module") as Colour);
    this.show();
  }

  private spotOf(id: string): Spot | undefined {
    if (!id) return undefined;
    for (const [band, graph] of this.graphs.entries()) {
      const node = graph.find(id);
      if (node >= 0) return { band, node };
    }
    return undefined;
  }

  private show(): void {
    const match = this.matcher();
    const bands = this.graphs.map((graph, i): Band => {
      const view = { graph, weight: this.weight, zoom: this.zooms[i] ?? 0, width: this.picture.width };
      const found = match ? search(graph, this.weight, view.zoom, match) : undefined;
      return { view, up: this.graphs.length > 1 && i === 0, found };
    });
    this.picture.show(bands);
    this.trail();
    this.sentence(bands);
    this.inspect();
  }

  private matcher(): ((name: string) => boolean) | undefined {
    const text = this.field.value.trim();
    if (text === "") return undefined;
    try {
      this.field.setCustomValidity("");
      return matcher(text);
    } catch (error) {
      this.field.setCustomValidity(error instanceof Error ? error.message : "not a regular expression");
      return undefined;
    }
  }

  /** The way from the root to the zoomed frame. */
  private trail(): void {
    const band = Math.max(
      this.zooms.findIndex((zoom) => zoom > 0),
      0,
    );
    const graph = this.graphs[band];
    if (!graph) return;
    const path = graph.path(this.zooms[band] ?? 0);
    this.crumbs.replaceChildren(
      ...path.map((node, i) => {
        const name = i === 0 ? "all" : graph.nameOf(node);
        if (i === path.length - 1) return el("li", {}, el("span", { "aria-current": "location" }, name));
        const href = withPlace(location.href, { zoom: i === 0 ? "" : (graph.ids[node] ?? "") });
        const link = el("a", { href }, name);
        link.addEventListener("click", (event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void this.zoom({ band, node });
        });
        return el("li", {}, link);
      }),
    );
  }

  private sentence(bands: Band[]): void {
    const { view, found } = bands.at(-1) ?? {};
    if (!view) return;
    const { graph, weight, zoom } = view;
    let text = `${frames((graph.end[zoom] ?? 0) - zoom)}, ${this.figure(graph, zoom)}`;
    if (found) {
      const share = found.weight / (graph.value(weight, zoom) || 1);
      text += `; ${count(found.nodes)} match and hold ${percent(share)}`;
    }
    this.says.textContent = text;
  }

  /** What a frame weighs, in words. */
  private figure(graph: Graph, node: number): string {
    return isCompared(graph)
      ? both(graph, this.weight, node)
      : weigh(this.weight, graph.value(this.weight, node));
  }

  private inspect(): void {
    const spot = this.picture.active;
    const graph = spot && this.graphs[spot.band];
    this.inspector.toggleAttribute("data-empty", graph === undefined);
    const sandwich = this.root.querySelector<HTMLAnchorElement>("[data-flame-sandwich]");
    if (!spot || !graph) {
      const says = "Click a frame to select it, double-click to zoom, right-click or press m for its menu.";
      need(this.inspector, "[data-flame-details]").replaceChildren(el("p", { class: "dim" }, says));
      return;
    }
    const frame = graph.frameOf(spot.node);
    if (sandwich && frame?.function) sandwich.href = this.sayings.sandwich + frame.function;
    need(this.inspector, "[data-flame-details]").replaceChildren(
      ...details(graph, this.weight, spot.node, this.sayings, (node) =>
        this.select({ band: spot.band, node }),
      ),
      el(
        "p",
        { class: "flame-leads" },
        button("Zoom", "button", () => void this.zoom(spot)),
        button("Menu", "button", () => this.offer(spot)),
      ),
    );
  }

  /** Makes a frame the active one: outlined, described beside, said by screen readers. */
  private select(spot: Spot | undefined): void {
    this.picture.active = spot;
    this.tip.hidden = true;
    const graph = spot && this.graphs[spot.band];
    this.remember({ selected: (spot && graph?.ids[spot.node]) ?? "" }, false);
    this.inspect();
    this.picture.draw();
    if (!spot || !graph) {
      this.live.textContent = "";
      return;
    }
    this.picture.reveal(spot);
    const value = graph.value(this.weight, spot.node);
    const name = graph.nameOf(spot.node);
    const share = percent(value / (graph.value(this.weight, 0) || 1));
    const below = [...graph.children(spot.node)].length;
    const hidden = graph.hidden[spot.node] ? `, ${count(graph.hidden[spot.node] ?? 0)} more to load` : "";
    this.live.textContent = `${name}, ${isCompared(graph) ? both(graph, this.weight, spot.node) : `${weigh(this.weight, value)}, ${share}`}, level ${graph.depth[spot.node]}, ${below} below${hidden}`;
  }

  /** Zooms to a frame, and loads what the server left out below it. */
  private async zoom(spot: Spot): Promise<void> {
    let graph = this.graphs[spot.band];
    this.tip.hidden = true;
    if (!graph) return;
    const id = graph.ids[spot.node] ?? "";
    if (graph.hidden[spot.node] && !this.loaded.has(id)) {
      this.loaded.add(id);
      try {
        const more = (await this.fetch(spot.node === 0 ? "" : id))[spot.band];
        if (more) graph = this.graphs[spot.band] = graph.graft(spot.node, more);
        this.legend();
      } catch (error) {
        this.loaded.delete(id);
        announce(`The frames below could not be loaded: ${error instanceof Error ? error.message : error}`);
      }
    }
    this.zooms = this.graphs.map((_, band) => (band === spot.band ? spot.node : 0));
    this.picture.active &&= spot;
    this.remember({ zoom: spot.node === 0 ? "" : id, selected: this.picture.active ? id : "" }, true);
    this.show();
    this.picture.reveal(spot);
  }

  private remember(change: Partial<Place>, step: boolean): void {
    const address = withPlace(location.href, change);
    if (address === location.href) return;
    if (step) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    this.carry();
  }

  /** Links to other forms of this picture keep what is zoomed, found and coloured. */
  private carry(): void {
    const place = readPlace(location.href);
    for (const link of this.root.querySelectorAll<HTMLAnchorElement>("a[data-keep]")) {
      link.href = withPlace(link.href, { zoom: place.zoom, query: place.query, colour: place.colour });
    }
  }

  private paintIn(colour: Colour): void {
    this.picture.colour = colour;
    for (const link of this.root.querySelectorAll<HTMLAnchorElement>("[data-flame-colours] a")) {
      if (link.dataset["colour"] === colour) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const legend of this.root.querySelectorAll<HTMLElement>("[data-legend]")) {
      legend.hidden = legend.dataset["legend"] !== colour;
    }
    this.picture.draw();
  }

  /** Names the heaviest modules beside their colours. */
  private legend(): void {
    const list = this.root.querySelector("[data-legend=module]");
    const modules = new Modules(this.graphs, this.weight);
    this.picture.modules = modules;
    const items = [...modules.colours].map(([name, colour]) =>
      el("li", { class: `flame-swatch flame-swatch-${colour}` }, name),
    );
    if (modules.more) items.push(el("li", { class: "flame-swatch" }, rest));
    if (items.length === 0) items.push(el("li", {}, "The profile names no modules"));
    list?.replaceChildren(...items);
  }

  private listen(keys: Keys): void {
    addEventListener("popstate", () => void this.restore());
    this.field.addEventListener("input", () => {
      this.remember({ query: this.field.value.trim() }, false);
      this.show();
    });
    this.field.form?.addEventListener("submit", (event) => {
      event.preventDefault();
      this.remember({ query: this.field.value.trim() }, true);
      this.canvas.focus();
    });
    this.root.addEventListener("click", (event) => this.press(event));
    this.canvas.addEventListener("dblclick", (event) => {
      const hit = this.picture.at(event.clientX, event.clientY);
      if (hit) void this.zoom(hit);
    });
    this.canvas.addEventListener("contextmenu", (event) => {
      const byKey = event.button !== 2;
      const spot = byKey ? this.picture.active : this.picture.at(event.clientX, event.clientY);
      if (!spot) return;
      event.preventDefault();
      this.select(spot);
      if (byKey) this.offer(spot);
      else this.offer(spot, event.clientX, event.clientY);
    });
    this.canvas.addEventListener("pointermove", (event) => this.hover(event));
    need(this.root, ".flame-scroll").addEventListener(
      "scroll",
      () => this.tip.toggleAttribute("hidden", true),
      {
        passive: true,
      },
    );
    this.canvas.addEventListener("pointerleave", () => this.tip.toggleAttribute("hidden", true));
    this.canvas.addEventListener("focus", () => {
      // A pointer selects what it is on.
      if (!this.picture.active && this.graphs.length > 0 && this.canvas.matches(":focus-visible")) {
        const band = this.graphs.length - 1;
        this.select({ band, node: this.zooms[band] ?? 0 });
      }
    });
    this.canvas.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.altKey && !event.metaKey && this.key(event.key)) event.preventDefault();
    });
    keys.on("Escape", () => this.escape());
  }

  private press(event: MouseEvent): void {
    const target = event.target as Element;
    const colour = target.closest<HTMLAnchorElement>("a[data-colour]");
    if (colour && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      const own = colour.dataset["colour"] ?? "module";
      this.remember({ colour: own === this.root.dataset["plain"] ? "" : own }, true);
      this.paintIn(own as Colour);
      return;
    }
    if (target.closest("[data-flame-close]")) this.select(undefined);
    if (target !== this.canvas) return;
    const hit = this.picture.at(event.clientX, event.clientY);
    if (hit) this.select(hit);
  }

  /** Opens the menu on a frame, at a place of the window or beside it. */
  private offer(spot: Spot, x?: number, y?: number): void {
    const frame = this.graphs[spot.band]?.frameOf(spot.node);
    if (!frame) return;
    const at = this.picture.spotOn(spot);
    this.menu.open(frame, x ?? at.x, y ?? at.y, {
      zoom: () => void this.zoom(spot),
      close: () => this.canvas.focus({ preventScroll: true }),
      sandwich: this.sayings.sandwich,
      leads: this.sayings.leads,
      filters: this.root.dataset["filters"] !== undefined,
      folds: this.root.dataset["foldable"] !== undefined,
    });
  }

  private hover(event: PointerEvent): void {
    const hit = this.picture.at(event.clientX, event.clientY);
    const graph = hit && this.graphs[hit.band];
    this.tip.hidden = !graph;
    if (!hit || !graph) return;
    const value = hit.cut ? graph.self(this.weight, hit.node) : graph.value(this.weight, hit.node);
    const name = hit.cut
      ? `+${frames(graph.hidden[hit.node] ?? 0)}, double-click to load`
      : graph.nameOf(hit.node);
    this.tip.replaceChildren(
      el("span", { class: "mono" }, name),
      el(
        "span",
        {},
        isCompared(graph)
          ? both(graph, this.weight, hit.node)
          : `${weigh(this.weight, value)}, ${percent(value / (graph.value(this.weight, 0) || 1))}`,
      ),
    );
    const room = innerWidth - this.tip.offsetWidth - 8;
    this.tip.style.left = `${Math.max(Math.min(event.clientX + 12, room), 4)}px`;
    this.tip.style.top = `${Math.min(event.clientY + 16, innerHeight - this.tip.offsetHeight - 8)}px`;
  }

  private key(key: string): boolean {
    const spot = this.picture.active;
    const graph = spot && this.graphs[spot.band];
    if (!spot || !graph) return false;
    const up = this.picture.bands[spot.band]?.up ?? false;
    const go = (node: number) => {
      if (node >= 0) this.select({ band: spot.band, node });
      return true;
    };
    switch (key) {
      case "ArrowLeft":
        return go(graph.sibling(spot.node, false));
      case "ArrowRight":
        return go(graph.sibling(spot.node, true));
      case "ArrowUp":
        return up ? this.deeper(spot, graph) : this.higher(spot, graph);
      case "ArrowDown":
        return up ? this.higher(spot, graph) : this.deeper(spot, graph);
      case "Enter":
        void this.zoom(spot);
        return true;
      case "m":
        this.offer(spot);
        return true;
      case "Backspace":
        void this.zoom({ band: spot.band, node: Math.max(graph.parent[this.zooms[spot.band] ?? 0] ?? 0, 0) });
        return true;
      case "Home":
        void this.zoom({ band: spot.band, node: 0 });
        return true;
    }
    return false;
  }

  private deeper(spot: Spot, graph: Graph): boolean {
    const child = graph.firstChild(spot.node);
    if (child >= 0) this.select({ band: spot.band, node: child });
    return true;
  }

  /** Towards the root; from that of one band of a sandwich into the other. */
  private higher(spot: Spot, graph: Graph): boolean {
    const above = graph.parent[spot.node] ?? -1;
    if (above >= 0) this.select({ band: spot.band, node: above });
    else if (this.graphs.length > 1) this.select({ band: 1 - spot.band, node: 0 });
    return true;
  }

  /** Deselects, then zooms out. */
  private escape(): boolean {
    if (this.picture.active) {
      this.canvas.blur();
      this.select(undefined);
      return true;
    }
    const band = this.zooms.findIndex((zoom) => zoom > 0);
    if (band < 0) return false;
    void this.zoom({ band, node: 0 });
    return true;
  }
}
