import assert from "node:assert/strict";
import test from "node:test";
import { type Focus, type Press, singleKey, takesTyping } from "./press";

const nowhere: Focus = { tag: "body", type: "", editable: false };
const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...more,
});

test("single keys fire outside of fields", () => {
  for (const key of ["/", "?", "j", "Y", "ArrowDown", "Escape"]) {
    assert.equal(singleKey(press(key), nowhere), key);
  }
});

test("no key fires in a field", () => {
  const fields: Focus[] = [
    { tag: "input", type: "text", editable: false },
    { tag: "input", type: "search", editable: false },
    { tag: "input", type: "number", editable: false },
    { tag: "textarea", type: "", editable: false },
    { tag: "select", type: "", editable: false },
    { tag: "div", type: "", editable: true },
  ];
  for (const field of fields) {
    assert.equal(takesTyping(field), true, `${field.tag} ${field.type}`);
    assert.equal(singleKey(press("j"), field), undefined);
  }
});

test("a checkbox and a button are no fields", () => {
  assert.equal(takesTyping({ tag: "input", type: "checkbox", editable: false }), false);
  assert.equal(takesTyping({ tag: "button", type: "", editable: false }), false);
});

test("the browser's own shortcuts pass", () => {
  for (const more of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { isComposing: true }]) {
    assert.equal(singleKey(press("f", more), nowhere), undefined);
  }
  assert.equal(singleKey(press("Tab"), nowhere), undefined);
  assert.equal(singleKey(press("Enter"), nowhere), undefined);
});
