// The list of the home page: it renews itself, and profiles are chosen in it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, openPage, put, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
const runs = ["sqlite-load", "sqlite-query"];

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

const packed = (name) => put(server, fixture(`examples/${name}.profdata.zst`));
const input = (page) => page.locator("input[type=file]").first();
const rows = (page) => page.getByTestId("profiles").locator("tbody tr");
const box = (page, name) => page.getByTestId("profiles").getByRole("checkbox", { name: `Choose ${name}` });

test("the first uploads appear in the list without a reload", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await page.evaluate(() => {
    window.stays = true;
  });
  await input(page).setInputFiles(["cxx-ir.profraw", "rust-ir.profraw"].map((f) => fixture(`examples/${f}`)));
  await page.getByRole("button", { name: "Upload 2 profiles" }).click();
  await rows(page).nth(1).waitFor();
  await page.getByTestId("profiles").getByText("ready").nth(1).waitFor();
  assert.equal(await page.evaluate(() => window.stays), true);
  assert.equal(await page.getByTestId("mine-row").count(), 2);
  await page.reload();
  assert.ok(await page.locator(".home > :first-child[data-testid=mine]").isVisible(), "one's own come first");
  await accessible(page, "home after an upload");
  assert.deepEqual(faults, []);
  await context.close();
});

test("nothing moves under the focus; the list is renewed once it is left", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  const before = await rows(page).count();
  await rows(page).first().locator("[data-open]").focus();
  await put(server, fixture("examples/cxx-temporal.profdata.zst"));
  const asked = page.waitForResponse((r) => new URL(r.url()).pathname === "/");
  await page.evaluate(() => document.dispatchEvent(new Event("proflens:stored")));
  await asked;
  await page.waitForTimeout(200);
  assert.equal(await rows(page).count(), before);
  await page.locator("#file").focus();
  await rows(page).nth(before).waitFor();
  await rows(page).first().getByText("cxx-temporal.profdata").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("two that are chosen are compared, the older one as A", async () => {
  const ids = [];
  for (const name of runs) ids.push(await packed(name));
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  const chosen = page.getByTestId("chosen");
  const button = (name) => chosen.getByRole("button", { name });
  assert.ok(await button("Compare").isDisabled());
  await box(page, "sqlite-query").check();
  await rows(page).filter({ hasText: "sqlite-load" }).locator("[data-open]").focus();
  await page.keyboard.press("x");
  assert.match(await chosen.innerText(), /2 chosen/);
  await accessible(page, "two chosen");
  await fitsWidth(page, "two chosen");
  await button("Compare").click();
  await page.getByTestId("compare").waitFor();
  assert.ok(page.url().endsWith(ids.join("...")), page.url());
  assert.deepEqual(faults, []);
  await context.close();
});

test("what does not fit says why", async () => {
  await machineExample();
  const { page, context } = await openPage(browser);
  await page.goto(server.url);
  await box(page, "mip example").check();
  await box(page, "sqlite-load").check();
  const chosen = page.getByTestId("chosen");
  assert.match(await chosen.innerText(), /cannot be compared.*can be merged/);
  for (const name of ["Compare", "Merge…"])
    assert.ok(await chosen.getByRole("button", { name }).isDisabled());
  await context.close();
});

async function machineExample() {
  await fetch(`${server.url}/samples/mip`, { method: "POST", redirect: "manual" });
}

for (const javaScriptEnabled of [true, false]) {
  test(`three are merged by weights, scripts ${javaScriptEnabled ? "on" : "off"}`, async () => {
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
    await page.goto(server.url);
    for (const name of [...runs, "cxx-ir.profraw"]) await box(page, name).check();
    await page.getByRole("button", { name: "Merge…" }).click();
    const form = page.getByTestId("merge-page");
    await form.waitFor();
    if (javaScriptEnabled) await accessible(page, "merge");
    await form.getByRole("spinbutton", { name: /sqlite-load/ }).fill("3");
    await form.getByRole("textbox", { name: "Name" }).fill("sum");
    await form.getByRole("button", { name: "Merge" }).click();
    await page.waitForURL(/\/p\/[a-z2-7]{26}/);
    await page.getByTestId("merged").waitFor();
    const said = await page.getByTestId("merged").innerText();
    assert.match(said, /×3/);
    assert.equal(said.match(/×1/g)?.length, 2);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("scripts off: two are compared by the same form, and three are told why not", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(server.url);
  for (const name of runs) await box(page, name).check();
  const compare = page.getByTestId("chosen").getByRole("button", { name: "Compare" });
  await compare.click();
  await page.getByTestId("compare").waitFor();
  await page.goto(server.url);
  for (const name of [...runs, "mip example"]) await box(page, name).check();
  await compare.click();
  await page
    .getByText(/choose two profiles to compare; 3 are chosen/)
    .first()
    .waitFor();
  await page.goto(server.url);
  for (const name of ["sqlite-load", "mip example"]) await box(page, name).check();
  await page.getByRole("button", { name: "Merge…" }).click();
  await page
    .getByTestId("refused")
    .filter({ hasText: /cannot be merged/ })
    .waitFor();
  await context.close();
});

test("files over the limit are not sent", async (t) => {
  const small = await startServer("-max-upload", "1KiB");
  t.after(() => small.stop());
  const { page, context, faults } = await openPage(browser);
  await page.goto(small.url);
  const file = (name, bytes) => ({ name, mimeType: "", buffer: Buffer.alloc(bytes, "x") });
  await input(page).setInputFiles([file("a.bin", 2000), file("b.bin", 10)]);
  const upload = page.getByRole("button", { name: /^Upload/ });
  await page
    .locator("[data-upload-stage]")
    .getByText(/the limit per upload is 1\.0 KiB/)
    .first()
    .waitFor();
  assert.ok(await upload.isDisabled());
  await page.getByRole("button", { name: "Remove a.bin" }).click();
  assert.ok(await upload.isEnabled());
  assert.deepEqual(faults, []);
  await context.close();
});

test("files can be sent where the server does not say what they are", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.route("**/api/v1/recognise", (route) => route.abort());
  await page.goto(server.url);
  await input(page).setInputFiles(["cxx-ir.profraw", "rust-ir.profraw"].map((f) => fixture(`examples/${f}`)));
  await page.getByText(/The server could not be asked/).waitFor();
  await accessible(page, "files of which nothing is known");
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByTestId("open-profile").nth(1).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("files that are added later are recognised with the others", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  const correlated = (name) =>
    path.resolve(import.meta.dirname, "../../decode/instrprof/testdata/correlate", name);
  await input(page).setInputFiles(correlated("clang-22_bin.profraw"));
  await page.getByText(/no data records or names/).waitFor();
  await input(page).setInputFiles(correlated("clang-22_bin.elf"));
  await page.getByText("completed by its executable").waitFor();
  await page.getByRole("button", { name: "Remove clang-22_bin.elf" }).click();
  assert.equal(await page.getByTestId("upload-file").count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a database and its listing open by themselves", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  const db = path.resolve(import.meta.dirname, "../../handlers/examples/dcpi");
  const file = async (name) => ({
    name: path.basename(name),
    mimeType: "",
    buffer: await readFile(path.join(db, name)),
  });
  const files = ["9711040900/pecan/app_660b03cd5eed_cycles", "app.nm"];
  await input(page).setInputFiles(await Promise.all(files.map(file)));
  await page.getByTestId("tile-samples").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
