// A heap profile and its executable: dropped together, the flame graph by mouse
// and by keyboard, its table, the contexts, and how all of it looks.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
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

const testdata = path.resolve(import.meta.dirname, "../../decode/memprof/testdata");
let server;
let browser;
let folder;
let profile; // address of the profile that the first test makes

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  folder = await mkdtemp(path.join(os.tmpdir(), "proflens-heap-"));
  for (const name of ["clang-22_mem_pie.memprofraw", "clang-22_mem_pie.exe"]) {
    await writeFile(path.join(folder, name), gunzipSync(await readFile(path.join(testdata, `${name}.gz`))));
  }
});

after(async () => {
  await browser?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test("a profile and its executable, given together, have names", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  const files = ["clang-22_mem_pie.memprofraw", "clang-22_mem_pie.exe"].map((f) => path.join(folder, f));
  await page.locator("input[type=file]").first().setInputFiles(files);
  await page.waitForURL(/\/p\/[a-z2-7]+$/);
  profile = page.url();
  await page.getByTestId("heap-overview").waitFor();
  assert.match(await page.getByTestId("tile-contexts").innerText(), /\b60\b/);
  assert.match(await page.getByTestId("largest").innerText(), /heap::\s+cold_buffer/);
  assert.equal(await page.getByTestId("wanted").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the flame graph by mouse: zoom, crumbs, back, search, colours", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/flame`);
  await page.locator("[data-ready]").waitFor();
  const canvas = page.getByTestId("flame-canvas");
  const crumbs = page.getByTestId("flame-crumbs");
  const says = page.getByTestId("flame-says");
  const whole = await says.innerText();
  assert.match(whole, /^\d+ frames, 327\.6.KiB$/);

  const at = { position: { x: 60, y: 19 * 8.5 } };
  const wide = await canvas.evaluate((c) => c.clientWidth);
  await canvas.click(at);
  await page.waitForURL(/sel=[0-9a-f]{16}/);
  assert.doesNotMatch(page.url(), /z=/); // a click selects, and moves nothing
  assert.equal(await canvas.evaluate((c) => c.clientWidth), wide);
  assert.equal(await says.innerText(), whole);
  assert.equal(await page.locator("[data-flame-tip]").isVisible(), false);
  await canvas.dblclick(at);
  await page.waitForURL(/z=[0-9a-f]{16}/);
  await page.locator("[data-flame-map]").waitFor();
  assert.match(await crumbs.innerText(), /all[\s\S]*work\(int\)[\s\S]*heap::cold_buffer\(unsigned long\)/);
  assert.match(
    await page.getByTestId("flame-inspector").innerText(),
    /192\.0.KiB[\s\S]*Mean lifetime[\s\S]*3/,
  );
  const zoomed = page.url();
  await crumbs.getByRole("link", { name: "work(int)" }).click();
  await page.waitForURL((url) => url.href !== zoomed);
  await page.goBack();
  await page.waitForURL(zoomed);
  await page.reload();
  await page.locator("[data-ready]").waitFor();
  assert.match(await crumbs.locator("[aria-current]").innerText(), /cold_buffer/);

  await crumbs.getByRole("link", { name: "all" }).click();
  await crumbs.locator("[aria-current]", { hasText: /^all$/ }).waitFor(); // frames below may be fetched first
  await page.keyboard.press("f");
  await page.keyboard.type("/^heap::hot/");
  assert.match(await says.innerText(), /2 match and hold 4\.9.%/);
  await page.waitForURL(/q=/);
  await page.getByRole("link", { name: "Access density" }).click();
  await page.waitForURL(/c=density/);
  assert.equal(await page.locator("[data-legend=density]").isVisible(), true);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the flame graph by keyboard: frames, zoom, sandwich, callers, table", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/flame`);
  await page.locator("[data-ready]").waitFor();
  const live = page.getByTestId("flame-live");
  await page.getByTestId("flame-canvas").focus();
  assert.match(await live.innerText(), /^all allocation contexts, 327\.6/);
  await page.keyboard.press("ArrowDown");
  assert.match(await live.innerText(), /_M_run\(\).*level 1/);
  await page.keyboard.press("ArrowRight");
  assert.match(await live.innerText(), /^main,/);
  await page.keyboard.press("ArrowDown");
  assert.match(await live.innerText(), /^work\(int\),/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/z=/);
  await page.keyboard.press("Home");
  await page.waitForURL((url) => !url.searchParams.has("z"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("s");
  await page.waitForURL(/layout=sandwich/);
  await page.locator("[data-ready]").waitFor();
  await page.keyboard.press("t");
  await page.waitForURL(/view=table/);
  assert.equal(await page.getByTestId("treegrid-callers").count(), 1);
  await page.keyboard.press("i");
  await page.waitForURL(/layout=callers/);

  const tree = page.getByTestId("treegrid-callers");
  const rows = tree.locator("tbody tr:visible");
  const open = await rows.count();
  await rows.first().focus();
  await page.keyboard.press("ArrowLeft");
  assert.equal(await rows.count(), 1);
  await page.keyboard.press("ArrowRight");
  assert.equal(await rows.count(), open);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/z=/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the menu on a frame: by mouse and by key, focus, fold", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/flame`);
  await page.locator("[data-ready]").waitFor();
  const canvas = page.getByTestId("flame-canvas");
  const menu = page.getByRole("menu", { name: "Frame" });
  await canvas.click({ button: "right", position: { x: 60, y: 19 * 8.5 } });
  await menu.waitFor();
  await accessible(page, "the menu on a frame");
  await page.keyboard.press("Escape");
  assert.equal(await menu.isVisible(), false);
  assert.equal(await canvas.evaluate((c) => c === document.activeElement), true);
  await page.keyboard.press("m");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/focus=/);
  assert.match(await page.getByTestId("chips").innerText(), /only stacks with/);
  await page.goto(`${profile}/flame`);
  await page.getByRole("link", { name: "Library folded" }).click();
  await page.waitForURL(/lib=fold/);
  await page.locator("[data-ready]").waitFor();
  assert.match(await page.getByTestId("flame-says").innerText(), /327\.6.KiB/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("sites by blame: the answers, a row unfolded by key, its contexts", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/sites?by=blame`);
  assert.ok((await page.getByTestId("answers").locator("h2").count()) >= 3);
  const first = page.getByTestId("blame").locator("tbody tr").first();
  assert.match(await first.innerText(), /heap::/);
  for (const name of await page.locator(".blame-toggle .fn").allInnerTexts())
    assert.doesNotMatch(name, /^std::/);
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/open=[0-9a-f]{16}/);
  assert.ok((await page.locator(".blame-caller").count()) > 0);
  await page.evaluate(() => scrollTo(0, 0)); // what lies half below the bar is no target
  await accessible(page, "sites by blame, unfolded");
  await page.getByRole("link", { name: /contexts$/ }).click();
  await page.waitForURL(/blame=[0-9a-f]{16}/);
  assert.ok((await page.getByTestId("contexts").locator("tbody tr").count()) > 0);
  await page.goto(`${profile}/sites?by=blame`);
  await page.getByTestId("answers").getByRole("link", { name: "Big and short-lived" }).click();
  await page.waitForURL(/lifetime=\.\.10/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("call sites: the verdict, a filter, the flame graph around a call", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/callsites`);
  assert.match(await page.getByTestId("verdict").innerText(), /No call needs a clone/);
  await page.getByRole("combobox", { name: "Filter: caller, callee or file" }).fill("cold_buffer");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=cold_buffer/);
  await page.getByTestId("calls").locator("tbody a[data-open]").first().click();
  await page.waitForURL(/layout=sandwich/);
  await page.locator("[data-ready]").waitFor();
  assert.match(await page.getByTestId("flame-centre").innerText(), /Callers above, callees below/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("contexts without scripts: thresholds, a class, one context, the tree", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${profile}/sites`);
  assert.equal(await page.getByTestId("contexts").locator("tbody tr").count(), 60);
  await page.getByText("Thresholds", { exact: true }).click();
  await page.getByTestId("thresholds").locator("[name=cold_lifetime]").fill("0");
  await page.getByTestId("thresholds").getByRole("button", { name: "Apply" }).click();
  await page.waitForURL(/cold_lifetime=0/);
  await page.getByTestId("classes").getByRole("link", { name: /^cold/ }).click();
  await page.waitForURL(/class=cold/);
  await page
    .getByTestId("contexts")
    .getByRole("link", { name: /cold_buffer/ })
    .first()
    .click();
  await page.waitForURL(/\/sites\/[0-9a-f]{16}\?cold_lifetime=0/);
  assert.match(await page.getByTestId("stack").innerText(), /cold_buffer[\s\S]*allocates[\s\S]*inlined/);
  assert.match(await page.getByTestId("fields").innerText(), /TotalLifetime\s[\s\S]*ms/);
  await page.goto(`${profile}/flame`);
  assert.ok((await page.getByTestId("treegrid-callees").locator("tbody tr").count()) > 50);
  await context.close();
});

test("dragging over the plane filters the table", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/lifetimes`);
  const box = await page.getByTestId("scatter").boundingBox();
  await page.mouse.move(box.x + 5, box.y + 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height * 0.15, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/lifetime_density=/);
  assert.match(await page.getByTestId("status-shown").innerText(), /of 2$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("thresholds are tried live, and without scripts", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/cloning`);
  const density = page.locator("[name=cold_density]");
  await density.fill("1e9");
  await page.locator("[name=cold_lifetime]").fill("0");
  await page.waitForURL(/cold_density=1e9&cold_lifetime=0/);
  assert.match(await page.getByTestId("changes").innerText(), /contexts? changes? class/);
  assert.equal(await density.inputValue(), "1e9");
  const live = await page.getByTestId("before-after").innerText();
  assert.deepEqual(faults, []);
  await context.close();

  const plain = await openPage(browser, { javaScriptEnabled: false });
  await plain.page.goto(`${profile}/cloning`);
  await plain.page.locator("[name=cold_density]").fill("1e9");
  await plain.page.locator("[name=cold_lifetime]").fill("0");
  await plain.page.getByTestId("thresholds").getByRole("button", { name: "Apply" }).click();
  await plain.page.waitForURL(/cold_density=1e9&cold_lifetime=0/);
  assert.equal(await plain.page.getByTestId("before-after").innerText(), live);
  await plain.context.close();
});

test("a site, pruned", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/sites`);
  await page.getByTestId("contexts").locator("tbody a").first().click();
  await page.getByRole("link", { name: "What the compiler keeps of this site" }).click();
  await page.getByTestId("mibs").waitFor();
  assert.match(await page.getByTestId("says").innerText(), /the attribute notcold/);
  await accessible(page, "a site, pruned");
  await page.setViewportSize({ width: 360, height: 740 });
  await fitsWidth(page, "a site, pruned");
  assert.deepEqual(faults, []);
  await context.close();
});

test("on a phone a context takes three lines, which tell it from others; a call's functions stand below each other", async () => {
  const { page, context, faults } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  const libsass = `${server.url}/p/${await put(server, fixture("examples/libsass.profdata.zst"))}`;
  await page.goto(`${libsass}/sites?by=context`);
  const rows = page.getByTestId("contexts").locator("tbody th");
  const [lines, said] = [
    await rows.evaluateAll((all) => all.map((th) => th.clientHeight / 24)),
    await rows.allInnerTexts(),
  ];
  assert.ok(Math.max(...lines) <= 3.25, `${Math.max(...lines)} lines`);
  assert.equal(new Set(said).size, said.length);
  await page.goto(`${libsass}/callsites`);
  const names = await page
    .getByTestId("calls")
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((tr) => [...tr.querySelectorAll(".cell-name")].map((cell) => cell.getBoundingClientRect())),
    );
  for (const [caller, callee] of names) {
    assert.ok(
      callee.y >= caller.bottom && callee.x === caller.x && callee.width > 250,
      JSON.stringify([caller, callee]),
    );
  }
  await accessible(page, "calls on a phone");
  await fitsWidth(page, "calls on a phone");
  assert.deepEqual(faults, []);
  await context.close();
});

const pagesIn = {
  light: [
    "",
    "/cloning",
    "/cloning?cold_density=1e9&cold_lifetime=0",
    "/sites?limit=10",
    "/sites?by=path",
    "/flame",
    "/lifetimes?limit=10",
    "/callsites?limit=10",
    "/callsites?by=recorded&limit=10",
    "/sites?by=blame&limit=10",
    "/sites?by=type&limit=10",
    "/flame?lib=fold&rec=collapse",
    "/flame?view=table&focus=hot_buffer",
  ],
  dark: [
    "",
    "/cloning?cold_density=1e9&cold_lifetime=0",
    "/sites?limit=10",
    "/sites?by=blame&limit=10",
    "/callsites?limit=10",
    "/flame",
    "/flame?view=table&focus=hot_buffer",
  ],
};
for (const [colorScheme, pages] of looks(Object.entries(pagesIn))) {
  test(`every page, ${colorScheme}`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme });
    for (const at of pages) {
      await page.goto(profile + at);
      if (at === "/flame") await page.locator("[data-ready]").waitFor();
      await accessible(page, `${at}, ${colorScheme}`);
      await page.setViewportSize({ width: 360, height: 740 });
      await fitsWidth(page, at);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}
