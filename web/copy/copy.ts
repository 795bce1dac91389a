import { announce } from "../dom";

/** Any button with data-copy="#id" copies that element's text. */
export function copyButtons(page: Document): void {
  page.addEventListener("click", (event) => {
    if ((event.target as Element).closest?.("[data-copy-page]")) copyLink(location.href);
    const link = (event.target as Element).closest?.<HTMLElement>("[data-copy-link]");
    if (link) copyLink(link.dataset["copyLink"] ?? "");
    const button = (event.target as Element).closest?.<HTMLElement>("[data-copy]");
    const from = button && page.querySelector(button.dataset["copy"] ?? "");
    if (from) void copy(from.textContent ?? "", from);
  });
}

/** Copies an address, whole. */
export function copyLink(address: string): void {
  void copy(new URL(address, location.href).href, undefined, "Link copied");
}

/** Copies text and says so. Where the browser refuses, the text is selected instead. */
export async function copy(text: string, from?: Element, said = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.trim());
    announce(said);
  } catch {
    if (from) getSelection()?.selectAllChildren(from);
    announce(
      from ? "Selected: copy it with the browser’s Copy command" : "This browser blocks copying from pages",
    );
  }
}
