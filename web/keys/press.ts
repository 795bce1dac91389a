// Which presses are single keys: pure, so that it can be tested.

export interface Press {
  key: string;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
}

/** What has the focus, as far as keys care. */
export interface Focus {
  tag: string; // lower case
  type: string; // of an input
  editable: boolean;
}

const noText = new Set(["button", "checkbox", "color", "file", "image", "radio", "range", "reset", "submit"]);

/** Reports whether the focus takes typing, so that no single key may fire. */
export function takesTyping(focus: Focus): boolean {
  if (focus.editable || focus.tag === "textarea" || focus.tag === "select") return true;
  return focus.tag === "input" && !noText.has(focus.type);
}

/** The single key of a press; undefined when it is a shortcut of the browser or typing. */
export function singleKey(press: Press, focus: Focus): string | undefined {
  if (press.ctrlKey || press.altKey || press.metaKey || press.isComposing || press.defaultPrevented) return;
  if (takesTyping(focus)) return;
  return press.key.length === 1 || press.key.startsWith("Arrow") || press.key === "Escape"
    ? press.key
    : undefined;
}
