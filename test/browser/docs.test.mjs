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
  await page.goto(`${server.url}/p/${id}/functions`);
  await page.locator("a.how[data-more]").focus();
  await says.waitFor();
  assert.ok((await says.locator("p").count()) > 3, "a line of each figure");
  await page.goto(`${server.url}/p/${id}/downloads`);
  const low = page.locator("main a.how").last();
  await low.hover(); // the manual is at hand from now on
  await says.waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize({ width: 1280, height: 300 });
  await page.evaluate(() => scrollTo(0, 0));
  await low.focus(); // scrolls
  await page.waitForFunction(() => scrollY > 0);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await says.count(), 1, "what scrolls into sight keeps its phrase");
  await page.goto(`${server.url}/docs/limits`);
  assert.match(await page.getByTestId("limits").innerText(), /-max-upload/);
  await accessible(page, "limits");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a finger on a question mark shows the phrase, and follows the link inside", async () => {
  const { page, context } = await openPage(browser, {
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  });
  await page.goto(`${server.url}/p/${id}`);
  const says = page.locator("#how-says");
  await page.getByRole("link", { name: "How the hot threshold is worked out" }).first().tap();
  await says.waitFor();
  assert.match(page.url(), new RegExp(`/p/${id}$`));
  await says.getByRole("link").tap();
  await page.waitForURL(/\/docs\/methods#thresholds$/);
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
