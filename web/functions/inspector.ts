/** How long the focus rests on a row before an open inspector follows it. */
const pause = 120;

/**
 * Shows the selected row in the inspector without loading the page again. The
 * address is that of the page with the same selection, and Back undoes it.
 */
export class Inspector {
  private request: XMLHttpRequest | undefined;
  private timer = 0;

  constructor(private readonly root: HTMLElement) {
    addEventListener("popstate", () => this.load(location.href, () => {}));
  }

  private get element(): HTMLElement | null {
    return this.root.querySelector("[data-inspector]");
  }

  /** Opens on a row and adds to the history; false when there is no row. */
  open(row: HTMLTableRowElement | null): boolean {
    const address = row?.dataset["select"];
    if (!address) return false;
    this.load(address, (url) => history.pushState(null, "", url));
    return true;
  }

  /** Follows the focus while open, without filling the history. */
  follow(row: HTMLTableRowElement | null): void {
    const address = row?.dataset["select"];
    if (!address || !this.element || row?.ariaSelected === "true") return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(address, (url) => history.replaceState(null, "", url)), pause);
  }

  close(address: string): void {
    clearTimeout(this.timer);
    this.request?.abort();
    if (this.element?.dataset["inspector"] === "kept") {
      this.load(address, (url) => history.pushState(null, "", url)); // it shows more than the row
      return;
    }
    history.pushState(null, "", address);
    this.show(null, address);
  }

  /** Loads the page with the selection and takes its inspector. */
  private load(address: string, remember: (address: string) => void): void {
    clearTimeout(this.timer);
    this.request?.abort();
    const request = new XMLHttpRequest();
    this.request = request;
    request.open("GET", address);
    request.responseType = "document";
    request.addEventListener("load", () => {
      const page: Document | null = request.response;
      if (request.status !== 200 || !page) {
        location.assign(address); // the server's page says what is wrong
        return;
      }
      remember(address);
      this.show(page.querySelector<HTMLElement>("[data-inspector]"), address);
    });
    request.addEventListener("error", () => location.assign(address));
    request.send();
  }

  private show(next: HTMLElement | null, address: string): void {
    const now = this.element;
    const had = now?.contains(document.activeElement) ?? false;
    if (now && next) now.replaceWith(document.adoptNode(next));
    else if (next) this.root.append(document.adoptNode(next));
    else now?.remove();
    this.root.classList.toggle("has-inspector", next !== null);

    const selected = new URL(address, location.href).searchParams.get("sel");
    for (const row of this.root.querySelectorAll<HTMLTableRowElement>("tr[data-select]")) {
      const own = new URL(row.dataset["select"] ?? "", location.href).searchParams.get("sel");
      const is = selected !== null && own === selected;
      if (is) row.setAttribute("aria-selected", "true");
      else row.removeAttribute("aria-selected");
      if (is && had && !next) row.querySelector<HTMLElement>("[data-open]")?.focus();
    }
    if (had && !next) this.root.querySelector<HTMLElement>("tr[data-active] [data-open]")?.focus();
    this.keepInLinks(selected);
  }

  /** Links that keep the selection get the new one. */
  private keepInLinks(selected: string | null): void {
    for (const link of this.root.querySelectorAll<HTMLAnchorElement>(
      "thead a, .segments a, a[aria-expanded]",
    )) {
      const url = new URL(link.href);
      if (selected === null) url.searchParams.delete("sel");
      else url.searchParams.set("sel", selected);
      link.href = url.href;
    }
  }
}
