import { basePath } from "../api/api";
/**
 * A form of theme buttons. The server would set the cookie and come back; here
 * the page changes at once, and the button goes by what is seen now.
 */
export class Theme {
  constructor(form: HTMLFormElement) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const button = event.submitter;
      const choice =
        button instanceof HTMLButtonElement && button.ariaPressed !== null ? button.value : undefined;
      set(choice ?? other());
    });
  }
}

const dark = matchMedia("(prefers-color-scheme: dark)");

function other(): string {
  const now = document.documentElement.dataset["theme"] ?? (dark.matches ? "dark" : "light");
  return now === "dark" ? "light" : "dark";
}

function set(theme: string): void {
  const root = document.documentElement;
  if (theme === "") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before any script runs
  document.cookie = `theme=${theme}; path=${basePath()}/; samesite=lax; max-age=${theme === "" ? 0 : 31536000}`;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[name=theme][aria-pressed]")) {
    button.ariaPressed = String(button.value === theme);
  }
  // What is drawn on a canvas reads its colours again.
  document.dispatchEvent(new CustomEvent("themechange"));
}
