// The manual: reached by a question mark, readable by everyone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, openPage, put, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let id;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  id = await put(server, fixture("examples/rust-ir.profraw"));
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a question mark leads to how its figure is worked out", async () => {
  const { page, context, faults } = await openPage(browser, { javaScriptEnabled: true });
  await page.goto(`${server.url}/p/${id}`);
  const mark = page.getByRole("link", { name: "How the hot threshold is worked out" }).first();
  const says = page.locator("#how-says");
  await mark.focus();
  await says.waitFor();
  assert.ok((await says.locator("p").innerText()).length > 40, "the phrase is there");
  await accessible(page, "a phrase");
  await page.keyboard.press("Escape");
  assert.equal(await says.count(), 0);
  await mark.hover();
  await says.getByRole("link").click();
  await page.waitForURL(/\/docs\/methods#thresholds$/);
  assert.ok(await page.getByRole("heading", { name: "Thresholds" }).isVisible());
  await accessible(page, "methods");
  await page.goto(`${server.url}/docs/limits`);
  assert.match(await page.getByTestId("limits").innerText(), /-max-upload/);
  await accessible(page, "limits");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the manual fits a phone, in the dark", async () => {
  const { page, context } = await openPage(browser, {
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
  });
  for (const path of ["/docs", "/docs/formats", "/docs/api", "/docs/limits"]) {
    await page.goto(server.url + path);
    await fitsWidth(page, path);
  }
  await page.goto(`${server.url}/docs/api`);
  await accessible(page, "api in the dark");
  await context.close();
});
