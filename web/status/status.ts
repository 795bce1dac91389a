import { need } from "../dom";
import type { Library } from "../library/library";

/** Fills in the delete token that this browser keeps, where a form asks for it. */
export function owner(form: HTMLFormElement, library: Library): void {
  const id = form.dataset["profile"] ?? "";
  const token = library.token(id);
  const input = need<HTMLInputElement>(form, "input[name=token]");
  if (token && !input.value && input.ariaInvalid !== "true") input.value = token;
}

/** Keeps the token that the page shows once. */
export function receipt(section: HTMLElement, library: Library): void {
  const { profile = "", name = "", token = "" } = section.dataset;
  if (token) library.remember({ id: profile, name, format: "", how: "uploaded", at: Date.now(), token });
}

/** Notes that this profile was opened here. */
export function opened(header: HTMLElement, library: Library): void {
  const { profile = "", name = "", format = "" } = header.dataset;
  if (profile) library.remember({ id: profile, name, format, how: "opened", at: Date.now() });
}
