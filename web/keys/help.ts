import { need } from "../dom";
import type { Keys } from "./keys";

/** The help dialog: a popover that opens without scripts; here it gets its key and its switch. */
export function help(dialog: HTMLElement, keys: Keys): void {
  const box = need<HTMLInputElement>(dialog, "[data-single-keys]");
  box.checked = keys.enabled;
  box.addEventListener("change", () => {
    keys.enabled = box.checked;
  });
  keys.on("?", () => {
    dialog.togglePopover();
    return true;
  });
}
