// Downloads: a front-end profile, an older version, what will not match, the
// file; and how the pages look that tell what a profile holds and is worth.
import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import {
  accessible,
  fitsWidth,
  fixture,
  looks,
  openPage,
  put,
  startBrowser,
  startServer,
} from "./harness.mjs";

let server;
let browser;
let front;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  front = `/p/${await put(server, fixture("examples/cxx-front-end.profdata"))}`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const javaScriptEnabled of [true, false]) {
  test(`an older version is chosen, seen and downloaded, scripts ${javaScriptEnabled}`, async () => {
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled, acceptDownloads: true });
    await page.goto(server.url + front);
    await page.getByRole("link", { name: "Downloads" }).click();
    await page.waitForURL(/\/downloads$/);
    await page.getByRole("radio", { name: "12", exact: true }).check();
    await page.getByRole("button", { name: "Preview" }).click();
    await page.waitForURL(/version=12/);
    assert.match(await page.getByTestId("convert-plan").innerText(), /not match|do not match/);
    assert.match(await page.getByTestId("convert-remarks").innerText(), /a different hash before version 13/);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByTestId("convert-download").click(),
    ]);
    const file = await buffer(await download.createReadStream());
    assert.equal(file.subarray(0, 8).toString("hex"), "ff6c70726f666981");
    assert.equal(file.readUInt32LE(8), 12);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("what a version cannot hold has to be given up knowingly", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${server.url}${front}/downloads?version=8`);
  assert.equal(await page.getByTestId("convert-download").count(), 0);
  assert.match(await page.getByTestId("convert-lost").innerText(), /binary ID/);
  await page.getByRole("checkbox", { name: /Drop unsupported data/ }).check();
  await page.getByRole("button", { name: "Preview" }).click();
  await page.waitForURL(/lossy=true/);
  assert.match(await page.getByTestId("convert-download").getAttribute("href"), /version=8&lossy=true$/);
  await context.close();
});

test("a figure of the quality card leads to its rows", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(server.url + front);
  const item = page.getByTestId("quality-never");
  const [never] = (await item.getByTestId("quality-value").locator(".dim").innerText()).split(" of ");
  await item.getByRole("link", { name: "Never executed" }).click();
  await page.waitForURL(/class=never/);
  assert.equal(await page.getByTestId("functions").locator("tbody tr").count(), Number(never));
  await context.close();
});

for (const colorScheme of looks(["light", "dark"])) {
  test(`accessible, ${colorScheme}`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme });
    for (const path of [`${front}/downloads?version=8`, `${front}/binary-ids`, `${front}/bitmaps`, front]) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(server.url + path);
      await accessible(page, `${path}, ${colorScheme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      await fitsWidth(page, `${path}, 320 px`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}
