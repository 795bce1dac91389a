// With scripts off: the token, how long a profile is kept, deleting by the
// form, and the theme.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fixture, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("upload for an hour, delete with the token, all by forms", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(server.url);
  await page.locator("input[type=file]").first().setInputFiles(fixture("examples/cxx-front-end.profdata"));
  await page.locator("summary", { hasText: "Options" }).click();
  await page.locator("#expires").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Upload" }).click();
  await page.waitForURL(/\/p\/[a-z2-7]{26}/);
  const link = page.url();
  const token = await page.getByTestId("delete-token").innerText();
  assert.match(await page.getByTestId("foot").innerText(), /Kept until \d/);

  await page.goto(`${link}/delete`);
  await page.locator("#token").fill("not-the-token");
  await page.getByRole("button", { name: "Delete this profile" }).click();
  assert.match(await page.locator("#token-hint").innerText(), /does not belong to this profile/);
  await page.locator("#token").fill(token);
  await page.getByRole("button", { name: "Delete this profile" }).click();
  assert.equal((await page.goto(link)).status(), 410);
  await context.close();
});

test("the theme is chosen by the form", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false, colorScheme: "light" });
  await page.goto(server.url);
  await page.locator("button[aria-keyshortcuts='?']").click();
  await page.getByRole("button", { name: "Dark", exact: true }).click();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await page.reload();
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  await context.close();
});
