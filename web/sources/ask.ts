import { Refusal } from "../api/api";
import { button, el, need } from "../dom";
import { chosenFolder } from "./folder";
import { matchedNode, promise, sendSources } from "./send";

/** Adds to a form for the text of sources that a folder can be given. */
export function askFolder(form: HTMLFormElement): void {
  const id = form.dataset["profile"] ?? "";
  const input = el("input", { type: "file", webkitdirectory: true, hidden: true, "data-sources": true });
  const says = el("p", { class: "dim", role: "status" }, promise);
  const choose = button("Add a folder…", "button", () => input.click());
  form.append(el("div", { class: "actions" }, choose, input, says));
  input.addEventListener("change", async () => {
    if (!input.files?.length) return;
    choose.disabled = true;
    try {
      const token = need<HTMLInputElement>(form, "input[name=token]").value.trim();
      const matched = await sendSources(id, token, [chosenFolder(input.files)], (done, of) => {
        says.textContent = `Sending: ${done} of ${of}`;
      });
      const again = button("Show them", "button button-primary", () => location.reload());
      says.replaceChildren(matchedNode(matched));
      choose.replaceWith(again);
      again.focus();
    } catch (error) {
      says.textContent = error instanceof Refusal ? error.message : "The folder cannot be read.";
      choose.disabled = false;
    }
    input.value = "";
  });
}
