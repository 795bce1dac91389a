// The site that proflens cov -o writes: opened from disk, with scripts off, it leads from
// the tree to a file and to a gap; with scripts on the keys work. And the pages that
// proflens cov show writes where llvm-cov writes its own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { accessible, binary, fitsWidth, looks, openPage, startBrowser } from "./harness.mjs";

const folder = path.resolve(import.meta.dirname, "../../decode/covmap/testdata/clang-22/rules");

let browser;
let dir;
let index;
let report;

before(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "proflens-site-"));
  await mkdir(path.join(dir, "src/rules"), { recursive: true });
  const lines = Array.from({ length: 90 }, (_, i) => `int source_${i + 1}; /* text */`);
  await writeFile(path.join(dir, "src/rules/rules.c"), lines.join("\n"));
  const site = path.join(dir, "site");
  const files = ["rules.profraw", "rules.exe"].map((name) => path.join(folder, name));
  const cov = (...args) =>
    promisify(execFile)(binary, ["cov", ...args, "-compilation-dir", path.join(dir, "src"), ...files]);
  const show = ["show", "-format=html", "-show-mcdc", "-show-expansions", "-show-branches=percent"];
  [browser] = await Promise.all([
    startBrowser(),
    cov("-o", site),
    cov(...show, "-o", path.join(dir, "report")),
    cov(...show, "-o", path.join(dir, "report/functions"), "-name=r"),
    cov(...show, "-o", path.join(dir, "report/directories"), "-show-directory-coverage"),
    cov(...show).then(({ stdout }) => writeFile(path.join(dir, "one.html"), stdout)),
  ]);
  index = pathToFileURL(path.join(site, "index.html")).href;
  report = pathToFileURL(path.join(dir, "report/index.html")).href;
});

after(async () => {
  await browser?.close();
  await rm(dir, { recursive: true, force: true });
});

test("without scripts: from the tree to a file, to a gap, and under a line", async () => {
  const { page, context, faults } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(index);
  assert.match(await page.getByTestId("measure-lines").innerText(), /91\.3/);
  assert.equal(await page.locator("form, input, dialog, [data-testid=csv]").count(), 0);
  assert.deepEqual(
    (await page.getByTestId("tabs").locator("a").allInnerTexts()).map((tab) => tab.replace(/\s*\d+$/, "")),
    ["Files", "Never ran", "MC/DC conditions"],
  );
  await page.getByTestId("files-table").getByRole("link", { name: "rules.c" }).click();
  await page.waitForURL(/files\/rules\.c\.html$/);
  assert.match(await page.getByTestId("lines").innerText(), /source_12/);

  await page.getByRole("link", { name: "Next gap" }).click();
  await page.waitForURL(/rules\.c\.html#L14$/);
  await page.getByRole("link", { name: "MC/DC of line 14" }).click();
  await page.waitForURL(/rules\.c\.unfolded\.html#L14$/);
  assert.match(await page.getByTestId("mcdc").nth(1).innerText(), /MC\/DC 2 of 4/);
  await page.getByRole("link", { name: "MC/DC of line 14" }).click();
  await page.waitForURL(/rules\.c\.html#L14$/);

  await page.getByRole("link", { name: "Gaps" }).click();
  await page.waitForURL(/rules\.c\.gaps\.html$/);
  await page.locator("a[data-toggle][aria-expanded=false]").first().click();
  await page.waitForURL(/rules\.c(\.unfolded)?\.html#L\d+$/);

  await page.getByRole("link", { name: /^Never ran/ }).click();
  await page.getByRole("link", { name: "unreached" }).click();
  await page.waitForURL(/rules\.c\.html#L63$/);
  await page.getByRole("link", { name: "Proflens, all files" }).click();
  await page.waitForURL(/index\.html$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("with scripts: keys select rows and find gaps", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(index);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/files\/rules\.[ch]\.html$/);
  await page.goto(new URL("files/rules.c.html", index).href);
  await page.keyboard.press("n");
  await page.locator("tr[data-active] #L14").waitFor();
  await page.keyboard.press("x");
  await page.waitForURL(/unfolded\.html#L14$/);
  await page.keyboard.press("g");
  await page.waitForURL(/gaps\.html$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("as llvm-cov: from the index to a file, with all that is asked for under its lines", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(report);
  await page.getByRole("link", { name: "rules.c" }).click();
  await page.waitForURL(/coverage\/.*\/rules\.c\.html$/);
  assert.match(await page.getByTestId("lines").innerText(), /source_12/);
  assert.match(await page.getByTestId("mcdc").nth(1).innerText(), /MC\/DC 2 of 4/);
  await page.keyboard.press("n");
  await page.locator("tr[data-active] #L14").waitFor();
  await page.getByRole("link", { name: "Coverage Report" }).click();
  await page.waitForURL(/index\.html$/);
  await page.goto(new URL("directories/index.html", report).href);
  await page.waitForURL(/directories\/coverage\/.*index\.html$/);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [name, options] of [
  ...looks([
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
  ]),
  ["phone", { viewport: { width: 390, height: 844 } }],
]) {
  test(`accessible: ${name}`, async () => {
    const { page, context } = await openPage(browser, options);
    const files = [
      "index",
      "files/rules.c",
      "files/rules.c.unfolded",
      "files/rules.c.gaps",
      "files/rules.h",
      "never-ran",
    ];
    for (const file of [...files, "mcdc", "methods"]) {
      await page.goto(new URL(`${file}.html`, index).href);
      await accessible(page, `${file}, ${name}`);
      await fitsWidth(page, `${file}, ${name}`);
    }
    await page.goto(report);
    const source = await page.getByRole("link", { name: "rules.c" }).getAttribute("href");
    for (const file of [
      "index.html",
      source,
      `functions/${source}`,
      "directories/index.html",
      "../one.html",
    ]) {
      await page.goto(new URL(file, report).href);
      await page.getByText("Generated by").waitFor();
      await accessible(page, `${file} as llvm-cov, ${name}`);
      await fitsWidth(page, `${file} as llvm-cov, ${name}`);
    }
    await context.close();
  });
}
