// What a link shows to those it is sent to, and what can be downloaded.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, openPage, put, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let profile;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  profile = `/p/${await put(server, fixture("examples/cxx-ir.profraw"))}`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a link has a picture that a browser can show", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + profile);
  const meta = (name) => page.locator(`meta[property="og:${name}"]`).getAttribute("content");
  assert.match(await meta("description"), /functions/);
  const size = await page.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    },
    await meta("image"),
  );
  assert.deepEqual(size, [1200, 630]);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`a form is downloaded with an option, scripts ${javaScriptEnabled}`, async () => {
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled, acceptDownloads: true });
    await page.goto(server.url + profile);
    await page.getByRole("link", { name: "Downloads" }).click();
    const csv = page.getByTestId("downloads").locator("li", { hasText: "/export/csv'" });
    assert.match(await csv.locator("code").first().innerText(), /^curl -OJ 'http/);
    await csv.locator("summary").click();
    await csv.locator("select[name=table]").selectOption("values");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      csv.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.match(download.url(), /table=values/);
    assert.match(download.suggestedFilename(), /\.csv$/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("on paper there is nothing to press, on a phone nothing sticks out", async () => {
  const { page, context } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  await page.goto(`${server.url}${profile}/downloads`);
  await accessible(page, "downloads on a phone");
  await page.getByTestId("downloads").locator("summary").first().click();
  await fitsWidth(page, "downloads, options open");
  const search = await page.locator("input[type=search]").first().boundingBox();
  assert.ok(search.x >= 0 && search.x + search.width <= 390, "the search box sticks out");
  await page.emulateMedia({ media: "print" });
  await page.goto(server.url + profile);
  for (const control of ["Delete…", "Compare with…"])
    assert.equal(await page.getByRole("link", { name: control }).isVisible(), false, `${control} prints`);
  await context.close();
});
