// Small helpers over the DOM. Text goes in as text only: there is no innerHTML
// anywhere, and the content policy forbids it.

export type Child = Node | string | undefined;

/** Makes an element. Attributes that are undefined or false are left out. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== undefined));
  return node;
}

/** A button that does something. */
export function button(text: string, className: string, run: () => void): HTMLButtonElement {
  const node = el("button", { type: "button", class: className }, text);
  node.addEventListener("click", run);
  return node;
}

/** The one element a component cannot do without. */
export function need<T extends Element>(root: ParentNode, selector: string): T {
  const found = root.querySelector<T>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/** Shows a line for a moment, and has screen readers say it. */
export function announce(text: string): void {
  let toast = document.querySelector<HTMLElement>(".toast");
  if (!toast) {
    toast = el("p", { class: "toast", role: "status" });
    document.body.append(toast);
  }
  toast.textContent = text;
  const shown = toast;
  setTimeout(() => {
    if (shown.textContent === text) shown.textContent = "";
  }, 2500);
}

/**
 * Fetches a page; null where there is none. A request parses it where fetch would
 * leave text, which the content policy lets nobody make a page of.
 */
export function pageAt(url: URL | string, request = new XMLHttpRequest()): Promise<Document | null> {
  return new Promise((resolve) => {
    request.open("GET", url);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => resolve(request.status === 200 ? request.responseXML : null);
    request.onerror = request.onabort = () => resolve(null);
    request.send();
  });
}
