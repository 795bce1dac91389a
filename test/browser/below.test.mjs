// Everything below a path, as behind a proxy that has other things beside it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fixture, openPage, startBrowser, startServer } from "./harness.mjs";

const base = "/tools/proflens";
let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer("-base-path", base), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("upload, look, choose a theme: no request leaves the path", async () => {
  const { page, context, faults } = await openPage(browser, { colorScheme: "light" });
  const outside = [];
  page.on("request", (request) => {
    const { origin, pathname } = new URL(request.url());
    if (origin === server.url && !pathname.startsWith(`${base}/`)) outside.push(request.url());
  });
  await page.goto(`${server.url}${base}/`);
  await page.locator("input[type=file]").first().setInputFiles(fixture("examples/cxx-ir.profraw"));
  await page.getByTestId("tiles").waitFor();
  const tabs = await page
    .getByTestId("tabs")
    .getByRole("link")
    .evaluateAll((links) => links.map((a) => a.href));
  assert.ok(tabs.length > 3, tabs.join(" "));
  for (const tab of tabs) {
    const answer = await page.goto(tab);
    assert.equal(answer.status(), 200, tab);
    // A page may go on asking for news; what it asks for at first is enough to see where it asks.
    await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => {});
  }
  await page.getByRole("button", { name: "Light or dark" }).first().click();
  const cookies = await context.cookies();
  assert.deepEqual(
    cookies.filter((c) => c.name === "theme").map((c) => c.path),
    [`${base}/`],
  );
  assert.deepEqual(outside, []);
  assert.deepEqual(faults, []);
  await context.close();
});
