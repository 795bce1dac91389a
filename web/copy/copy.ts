import { announce } from "../dom";

/** Any button with data-copy="#id" copies that element's text. */
export function copyButtons(page: Document): void {
  page.addEventListener("click", (event) => {
    if ((event.target as Element).closest?.("[data-copy-page]")) void copy(location.href);
    const button = (event.target as Element).closest?.<HTMLElement>("[data-copy]");
    const from = button && page.querySelector(button.dataset["copy"] ?? "");
    if (from) void copy(from.textContent ?? "", from);
  });
}

/** Copies text and says so. Where the browser refuses, the text is selected instead. */
export async function copy(text: string, from?: Element): Promise<void> {
  try {
    await navigator.clipboard.writeText(text.trim());
    announce("Copied");
  } catch {
    if (from) getSelection()?.selectAllChildren(from);
    announce(
      from ? "Selected: copy it with the browser’s own command" : "This browser does not let a page copy",
    );
  }
}
