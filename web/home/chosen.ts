import { need } from "../dom";
import type { Keys } from "../keys/keys";
import { fits, type Pick } from "./fits";

/** The profiles that are chosen in the list: which buttons work, and why others do not. */
export function chosen(form: HTMLFormElement, keys: Keys): void {
  const boxes = () => [...form.elements].filter((e): e is HTMLInputElement => e instanceof HTMLInputElement);
  const says = need<HTMLOutputElement>(form, "[data-chosen-says]");
  const show = () => {
    const answer = fits(
      boxes()
        .filter((box) => box.checked)
        .map(pickOf),
    );
    need<HTMLButtonElement>(form, "[data-chosen=compare]").disabled = answer.compare !== "";
    need<HTMLButtonElement>(form, "[data-chosen=merge]").disabled = answer.merge !== "";
    if (says.value !== answer.says) says.value = answer.says;
  };
  document.addEventListener("change", (event) => {
    if (event.target instanceof HTMLInputElement && event.target.form === form) show();
  });
  document.addEventListener("renewed", show);
  addEventListener("pageshow", show); // the browser restores boxes when one comes back
  show();
  keys.on("x", () => {
    const row = document.activeElement?.closest("tr") ?? document.querySelector("tr[data-active]");
    const box = boxes().find((b) => !b.disabled && row?.contains(b));
    box?.click();
    return box !== undefined;
  });
}

function pickOf(box: HTMLInputElement): Pick {
  const { compares = "", merges = "" } = box.dataset;
  return { families: compares.split(" ").filter(Boolean), refused: merges };
}
