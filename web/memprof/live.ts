import { pageAt } from "../dom";

/**
 * A form whose page follows what is typed, in place: the same address that the
 * form leads to without scripts.
 */
export class Live {
  private timer = 0;
  private running: XMLHttpRequest | null = null;

  constructor(private readonly form: HTMLFormElement) {
    form.addEventListener("input", () => this.soon());
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.follow().catch(() => undefined), 300); // "Apply" is there still
  }

  /** Fetches the page and takes all over from it but the form that is typed into. */
  private async follow(): Promise<void> {
    if (!this.form.checkValidity()) return;
    const url = new URL(this.form.action);
    url.search = new URLSearchParams(
      [...new FormData(this.form)].map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    this.running?.abort();
    this.running = new XMLHttpRequest();
    const request = this.running;
    const page = await pageAt(url, request);
    if (!page) return; // a number half typed
    const from = page.querySelector("[data-live]");
    const to = this.form.closest("[data-live]");
    if (!from || !to) return;
    replace(to, from, this.form);
    history.replaceState(history.state, "", request.responseURL);
  }
}

/** Makes an element's content that of another, around one that stays as it is. */
function replace(to: Element, from: Element, stays: Element): void {
  const kept = [...to.children].find((child) => child === stays || child.contains(stays));
  const other =
    kept &&
    [...from.children].find((child) => child === twin(from, stays) || child.contains(twin(from, stays)));
  if (!kept || !other) return;
  while (to.firstChild && to.firstChild !== kept) to.firstChild.remove();
  while (kept.nextSibling) kept.nextSibling.remove();
  const before: Node[] = [];
  const after: Node[] = [];
  let list = before;
  for (const node of [...from.childNodes]) {
    if (node === other) list = after;
    else list.push(node);
  }
  kept.before(...before);
  kept.after(...after);
  if (kept !== stays) replace(kept, other, stays);
}

/** The form of a fetched page that stands for one of this page. */
function twin(page: Element, form: Element): Element | null {
  return page.querySelector(`[data-testid="${form.getAttribute("data-testid") ?? ""}"]`);
}
