// The anatomy of a broken file: what could be read, the fault, its bytes.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, looks, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let bytes;
let broken;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  bytes = (await readFile(fixture("examples/cxx-ir.profraw"))).subarray(0, 12000);
  const answer = await fetch(`${server.url}/api/v1/profiles/cut.profraw?wait=5m`, {
    method: "PUT",
    body: bytes,
  });
  assert.equal(answer.status, 422);
  broken = `/p/${(await answer.json()).id}`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The marked bytes of the hex view, as digits. */
const marked = async (page) => (await page.locator("td.hex-selected").allInnerTexts()).join("").trim();

test("from the failure to the fault, to a field, through the file", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + broken);
  await page.getByRole("link", { name: "Every byte" }).click();
  await page.waitForURL(/\/raw$/);
  assert.match(
    await page.getByTestId("sections").innerText(),
    /header[\s\S]*binary ids[\s\S]*data[\s\S]*the file ends in it/,
  );
  const finding = page.getByTestId("finding");
  assert.match(await finding.innerText(), /raw\.[a-z_]+[\s\S]*0x[0-9a-f]+[\s\S]*What to do/);
  await finding.getByRole("link", { name: "Show the bytes" }).click();
  await page.waitForURL(/at=0xa0#bytes$/);
  assert.equal(await page.locator("td.hex-fault").innerText(), bytes.subarray(0xa0, 0xa1).toString("hex"));

  await page.goto(`${server.url}${broken}/raw`);
  await page.getByTestId("values").getByRole("link", { name: "NumCounters", exact: true }).click();
  await page.waitForURL(/at=0x28&length=8#bytes$/);
  assert.equal(await marked(page), bytes.subarray(0x28, 0x30).toString("hex"));
  assert.match(await page.getByTestId("selection").innerText(), /NumCounters/);

  // Keys: down the list of values from the selected one, and a page on.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/at=0x30&length=8#bytes$/);
  await page.keyboard.press("n");
  await page.waitForURL(/page=2#bytes$/);
  assert.match(await page.getByTestId("hex").innerText(), /0x200 to 0x3ff/);

  // An offset typed in, past the end too.
  await page.keyboard.press("f");
  await page.keyboard.type("0x1000");
  await page.keyboard.press("Enter");
  await page.waitForURL(/at=0x1000$/);
  assert.equal(await marked(page), bytes.subarray(0x1000, 0x1001).toString("hex"));
  await page.goto(`${server.url}${broken}/raw?at=0xffffffffffffffff`);
  assert.match(await page.getByTestId("hex").innerText(), /is past the end/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("from the finding to what can be salvaged, which is marked on every view", async () => {
  const whole = await readFile(fixture("examples/cxx-ir.profraw"));
  const cut = await fetch(`${server.url}/api/v1/profiles/cut.profraw?wait=5m`, {
    method: "PUT",
    body: whole.subarray(0, 0x4000),
  });
  assert.equal(cut.status, 422);
  const { id, delete_token: token } = await cut.json();
  const profile = `${server.url}/p/${id}`;
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/raw`);
  const finding = page.getByTestId("finding");
  assert.match(await finding.innerText(), /cut short[\s\S]*missing[\s\S]*salvage what can be read/);
  await accessible(page, "a file that can be salvaged");
  await page.getByTestId("values").getByRole("link", { name: "Magic", exact: true }).waitFor();
  await page.goto(`${profile}/raw?section=data`);
  const fields = page.getByRole("navigation", { name: "Pages of the values" });
  await fields.getByRole("link", { name: "Next page" }).click();
  await page.waitForURL(/from=256&section=data$/);
  assert.match(await page.getByTestId("value-range").innerText(), /^257–512 of /);

  await page.goto(`${profile}/diagnostics`);
  await page.getByTestId("salvage").getByLabel("Delete token or upload token").fill(token);
  await page.getByTestId("salvage").getByRole("button").click();
  await page.waitForURL(profile);
  const bar = page.getByTestId("notice").filter({ hasText: "Partial: records 1–" });
  await bar.waitFor();
  assert.match(await bar.innerText(), /the file ends at byte [0-9\s]+, in the counters/);
  await accessible(page, "a partial profile");
  for (const path of ["/functions", "/tree", "/diagnostics", "/raw"]) {
    await page.goto(profile + path);
    assert.equal(await bar.count(), 1, path);
    await fitsWidth(page, path);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 320],
]) {
  test(`accessible, ${colorScheme}, ${width} px`, async () => {
    const { page, context, faults } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    for (const path of ["", "/raw", "/raw?at=0x28&length=8", "/raw?at=0xa0#bytes", "/diagnostics"]) {
      await page.goto(server.url + broken + path);
      await accessible(page, `${path}, ${colorScheme}, ${width} px`);
      await fitsWidth(page, `${path}, ${width} px`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("with scripts off the fields lead to their bytes", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}${broken}/raw`);
  await page.getByTestId("values").getByRole("link", { name: "Version", exact: true }).click();
  await page.waitForURL(/at=0x8&length=8/);
  assert.equal(await marked(page), bytes.subarray(8, 16).toString("hex"));
  await page.getByTestId("goto").getByLabel("Offset").fill("160");
  await page.getByTestId("goto").getByRole("button").click();
  await page.waitForURL(/at=160/);
  assert.equal(await page.locator("td.hex-fault").count(), 1);
  await context.close();
});

test("from a function to where it stands, in light, dark and on a phone", async () => {
  const whole = await readFile(fixture("examples/cxx-ir.profraw"));
  const answer = await fetch(`${server.url}/api/v1/profiles/whole.profraw?wait=5m`, {
    method: "PUT",
    body: whole,
  });
  const { id } = await answer.json();
  for (const options of [
    ...looks([{}, { colorScheme: "dark" }]),
    { viewport: { width: 390, height: 800 } },
  ]) {
    const { page, context, faults } = await openPage(browser, options);
    await page.goto(`${server.url}/p/${id}/raw?record=1`);
    const sums = page.getByTestId("raw-function");
    assert.match(await sums.innerText(), /CounterPtr[\s\S]*CountersDelta[\s\S]*offset in counters/);
    await accessible(page, "where a function stands");
    await fitsWidth(page, "where a function stands");
    const name = await sums.locator("bdi").first().innerText();
    await page.getByLabel("Function", { exact: true }).fill(name);
    await page.getByTestId("find-function").getByRole("button").click();
    await page.waitForURL(/function=/);
    assert.equal(await page.getByTestId("raw-function").locator("bdi").first().innerText(), name);
    await page.getByTestId("sum-Counters").getByRole("link").nth(1).click();
    await page.waitForURL(/length=8/);
    assert.equal((await marked(page)).length, 16);
    assert.deepEqual(faults, []);
    await context.close();
  }
});
