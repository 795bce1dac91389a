// The page of a function with many counters: its strip, the enlarged part, the orders,
// other profiles of the program; and the suggestions of the search box.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let page_;
const counters = Array.from({ length: 400 }, (_, i) => (i === 88 ? 5000 : i % 7 === 0 ? i : 0));

async function put(name, list) {
  const body = `:ir\nclone_selector\n7\n${list.length}\n${list.join("\n")}\n\nmain\n1\n1\n3\n`;
  const to = `${server.url}/api/v1/profiles/${name}.proftext?wait=5m&project=p&label=commit=c&visibility=listed`;
  return (await (await fetch(to, { method: "PUT", body })).json()).id;
}

before(async () => {
  server = await startServer();
  browser = await startBrowser();
  await put(
    "other",
    counters.map((c, i) => (i < 50 ? 0 : c)),
  );
  page_ = `${server.url}/p/${await put("one", counters)}`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("a search for words in any order suggests the function, and keys open it", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(page_);
  await page.keyboard.press("/");
  await page.keyboard.type("selector clone ");
  const option = page.getByRole("option");
  await option.first().waitFor();
  assert.equal(await option.count(), 1);
  assert.match(await option.innerText(), /clone[\s\S]*%$/i); // a long name keeps its end
  assert.doesNotMatch(await option.innerText(), /\s0\.0.%/);
  await page.keyboard.press("Escape");
  assert.equal(await option.count(), 0);
  await page.keyboard.type("c");
  await page.keyboard.press("Backspace");
  await option.first().waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await option.first().getAttribute("aria-selected"), "true");
  // Chosen before the answer to the last letter came, a name stays chosen.
  await option.first().evaluate((line) => line.setAttribute("data-before", ""));
  await page.keyboard.type("s");
  await page.locator("[role=option]:not([data-before])[aria-selected=true]").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/functions\/[0-9a-f]{16}$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("m shows the maximum, o the order, a drag a part, Escape the whole", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${page_}/functions?q=clone`);
  await page.getByTestId("functions").locator("tbody a[data-open]").first().click();
  await page.getByTestId("strip").waitFor();
  assert.equal(await page.getByTestId("zoom").count(), 0);
  await page.keyboard.press("m");
  await page.waitForURL(/range=38\.\.138$/);
  assert.equal(await page.getByTestId("brushed").innerText(), "38–138");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/range=139\.\.239$/);
  await page.keyboard.press("o");
  await page.waitForURL(/sort=index/);
  assert.match(await page.getByTestId("counters").innerText(), /6 counters are 0/);
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("range"));
  await page.keyboard.press("o");
  await page.waitForURL(/sort=-count/);
  assert.match(await page.getByTestId("zeros").innerText(), /counters are 0/);

  const box = await page.getByTestId("strip").boundingBox();
  await page.mouse.move(box.x + box.width * 0.751, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 20, { steps: 4 });
  await page.mouse.move(box.x + box.width * 0.501, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/range=200\.\.300/);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of looks(["light", "dark"])) {
  test(`accessible, ${colorScheme}, and with scripts off`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme });
    await page.goto(`${page_}/functions?q=clone`);
    await page.getByTestId("functions").locator("tbody a[data-open]").first().click();
    await page.getByTestId("elsewhere").waitFor();
    assert.match(await page.getByTestId("barcodes").innerText(), /fewer, 0 more/);
    await page.goto(`${page.url()}?range=60..159`);
    await accessible(page, `function, ${colorScheme}`);
    await page.setViewportSize({ width: 320, height: 800 });
    await fitsWidth(page, "function");
    assert.deepEqual(faults, []);
    const plain = await openPage(browser, { javaScriptEnabled: false });
    await plain.page.goto(page.url());
    await plain.page.getByTestId("strip").locator("a").first().click();
    await plain.page.waitForURL(/range=0\.\.19/);
    await plain.context.close();
    await context.close();
  });
}
