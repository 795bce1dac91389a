// Source coverage: a profile and its program uploaded together become a tree of files;
// a file's page shows every line, unfolds what is under one, folds what is covered, and
// works without scripts.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer, until } from "./harness.mjs";

const folder = path.resolve(import.meta.dirname, "../../decode/covmap/testdata/clang-22/rules");
const source = "/files/rules.c";

let server;
let browser;
let profile;
let token;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const body = new FormData();
  for (const name of ["rules.profdata", "rules.exe"])
    body.append("file", new Blob([await readFile(path.join(folder, name))]), name);
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201);
  const { id, delete_token } = await answer.json();
  profile = `${server.url}/p/${id}`;
  token = delete_token;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The row of a line. */
const row = (page, line) => page.locator(`tr:has(> th > #L${line})`);

test("from the tree to a file, and back by the filter", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(profile);
  assert.match(await page.getByTestId("coverage").innerText(), /MC\/DC conditions/);
  await page.getByRole("link", { name: /^Files/ }).click();
  await page.waitForURL(/\/files$/);
  assert.match(await page.getByTestId("measure-lines").innerText(), /goal 80/);
  assert.ok((await page.getByTestId("gaps-map").locator("rect").count()) > 2);

  await page.getByRole("link", { name: /^Missing/ }).click(); // the other way round
  await page.waitForURL(/sort=missing/);
  await page.goBack();
  await page.keyboard.press("f");
  await page.keyboard.type("lines<100");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=lines/);
  assert.match(await page.getByTestId("files").innerText(), /of 2 files/);
  await page.getByRole("link", { name: "Remove filter lines<100" }).click();
  await page.waitForURL(/\/files$/);

  await page.locator(".segments a", { hasText: "Union" }).click();
  await page.waitForURL(/inst=union/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/files\/rules\.c$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a line unfolds its decision and its macros, and says itself in words", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(profile + source);
  await row(page, 14).locator("[data-toggle]").click();
  await page.waitForURL(/open=14/);
  const decision = page.getByTestId("mcdc").first();
  assert.match(await decision.innerText(), /MC\/DC 2 of 4/);
  assert.match(await decision.locator(".vector-missing").first().innerText(), /missing/);
  await row(page, 32).locator("[data-toggle]").click();
  await page.waitForURL(/open=14,32/);
  assert.match(await page.getByTestId("expansion").first().innerText(), /expands to\s+rules\.h:/);

  await row(page, 14).locator(".src-count").click(); // a click selects
  await page.waitForURL(/sel=14/);
  await page.getByRole("heading", { name: "Line 14" }).waitFor();
  assert.match(await page.getByTestId("line-says").innerText(), /^Ran 9 times\./);
  await page.keyboard.press("Escape");
  await page.getByTestId("line").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("heading", { name: /^Functions/ }).count(), 1); // these stay
  assert.deepEqual(faults, []);
  await context.close();
});

test("the keys n, p and g go through the gaps", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(profile + source);
  const focused = () => page.evaluate(() => document.activeElement?.id ?? "");
  await page.keyboard.press("n");
  const first = await focused();
  assert.match(first, /^L\d+$/);
  await page.keyboard.press("n");
  const second = await focused();
  assert.ok(Number(second.slice(1)) > Number(first.slice(1)), `${first}, ${second}`);
  await page.keyboard.press("p");
  await page.waitForFunction((id) => document.activeElement?.id === id, first);

  await page.keyboard.press("g");
  await page.waitForURL(/show=gaps/);
  const folds = await page.locator("tr.src-fold").count();
  assert.ok(folds > 0);
  await page.keyboard.press("n");
  await page.keyboard.press("x"); // unfolds what is under the line, or the fold
  await page.waitForURL(/open=/);
  await page.goBack();
  assert.match(await page.locator("tr.src-fold.s-no").innerText(), /unreached\s+never ran/);
  await page.locator("tr.src-fold [data-toggle]").first().click();
  await page.waitForURL(/open=/);
  assert.equal(await page.locator("tr.src-fold").count(), folds - 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("without scripts everything is there", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${profile}${source}?show=gaps&open=14&sel=14#L14`);
  assert.equal(await page.getByTestId("mcdc").count(), 1);
  assert.match(await page.getByTestId("line-says").innerText(), /^Ran 9 times\./);
  await page.getByRole("link", { name: /Next gap/ }).click();
  await page.waitForURL(/sel=(?!14)\d+/);
  await page.goto(`${profile}/uncovered?q=unreached`);
  await page.getByTestId("uncovered").getByRole("link", { name: "unreached" }).click();
  await page.waitForURL(/rules\.c\?sel=63#L63$/);
  assert.match(await page.getByTestId("line-says").innerText(), /was not called/);
  await context.close();
});

test("conditions keep to their column, beside an inspector too", async () => {
  const { page, context } = await openPage(browser, { viewport: { width: 1000, height: 800 } });
  await page.goto(`${profile}/mcdc`);
  await page.locator("tbody tr").first().click();
  await page.getByTestId("inspector").waitFor();
  const over = await page
    .locator("td .grid-lines")
    .evaluateAll((lists) =>
      lists.map(
        (list) => list.getBoundingClientRect().right - list.closest("td").getBoundingClientRect().right,
      ),
    );
  assert.ok(over.length > 0 && Math.max(...over) <= 0, `${over}`);
  await context.close();
});

test("pages are accessible and fit, light, dark and on a phone", async () => {
  const pages = {
    "/files": "tree",
    "/files?q=c": "paths",
    [`${source}?open=14,32&sel=14`]: "file",
    [`${source}?show=gaps`]: "gaps",
    "/uncovered?sort=file": "never ran",
    "/mcdc": "conditions",
    "/misfits": "misfits",
    "": "overview",
  };
  for (const [what, options] of [
    ...looks([
      ["light", {}],
      ["dark", { colorScheme: "dark" }],
    ]),
    ["phone", { viewport: { width: 390, height: 844 } }],
  ]) {
    const { page, context, faults } = await openPage(browser, options);
    for (const [address, name] of Object.entries(pages)) {
      await page.goto(profile + address);
      await accessible(page, `${name}, ${what}`);
      await fitsWidth(page, `${name}, ${what}`);
      const places = page.locator(".cell-at bdi");
      const lines = await places.evaluateAll((all) =>
        all.map((place) => new Set([...place.getClientRects()].map((part) => part.top)).size),
      );
      if (what !== "phone") assert.ok(!lines.some((n) => n > 1), `${name}, ${what}: a place is on one line`);
      const squeezed = await page.locator(".file-path").evaluateAll((all) =>
        all.filter((path) => {
          const [folder, file] = path.querySelectorAll(".file-folder, .file-name");
          return file && folder.scrollWidth > folder.clientWidth && folder.clientWidth < path.clientWidth - 8;
        }),
      );
      if (what === "phone")
        assert.equal(squeezed.length, 0, `${name}: a directory that is cut has its own line`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
});

test("the text of a source, and a diff, are given on the page, scripts off", async () => {
  const { page, context, faults } = await openPage(browser, { javaScriptEnabled: false });
  const text = `return ${"x".repeat(300)}; /* text */\n`.repeat(200);
  await page.goto(profile + source);
  assert.match(
    await page.getByTestId("notext").innerText(),
    /No source text for this file\.[\s\S]*0 of 2 files/,
  );
  await page.getByText("Add files or an archive").click();
  await page.getByLabel(/token/i).fill(token);
  await page
    .getByLabel(/archive of them/)
    .setInputFiles({ name: "rules.c", mimeType: "text/plain", buffer: Buffer.from(text) });
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.waitForURL(/rules\.c/);
  assert.equal(await page.getByTestId("notext").count(), 0);
  assert.match(await page.getByTestId("lines").innerText(), /xxx/);
  // A page does not wait long for the colours of its text; a later one has them.
  await until(
    async () => (await page.locator(".syn-c").count()) > 0,
    () => page.reload(),
  );

  await page.getByRole("link", { name: "Changed lines" }).click();
  await page.getByLabel(/token/i).fill(token);
  const patch = `--- a/rules.c\n+++ b/rules.c\n@@ -0,0 +1,60 @@\n${text
    .split("\n")
    .slice(0, 60)
    .map((line) => `+${line}\n`)
    .join("")}`;
  await page
    .getByLabel("Unified diff")
    .setInputFiles({ name: "a.diff", mimeType: "text/plain", buffer: Buffer.from(patch) });
  await page.getByRole("button", { name: "Show its lines" }).click();
  await page.waitForURL(/changed\?diff=[0-9a-f]{16}$/);
  assert.match(await page.getByTestId("says").innerText(), /\d+ of \d+ changed lines covered/);
  assert.deepEqual(faults, []);
  await context.close();

  const seen = await openPage(browser, { colorScheme: "dark", viewport: { width: 390, height: 800 } });
  await seen.page.goto(page.url());
  await accessible(seen.page, "changed lines");
  await fitsWidth(seen.page, "changed lines");
  await seen.page.setViewportSize({ width: 1280, height: 800 });
  await seen.page.getByRole("link", { name: "Not covered" }).click();
  await seen.page.waitForURL(/show=uncovered/);
  assert.deepEqual(seen.faults, []);
  await seen.context.close();
  const sources = `${profile.replace("/p/", "/api/v1/profiles/")}/sources`;
  const deleted = await fetch(sources, { method: "DELETE", headers: { "X-Delete-Token": token } });
  assert.equal(deleted.status, 204);
});

test("lines out of sight are found, reached by their address and by keys, and stand in columns", async () => {
  const sources = `${profile.replace("/p/", "/api/v1/profiles/")}/sources`;
  const headers = { "X-Delete-Token": token };
  const text = Array.from({ length: 80 }, (_, i) => `int line_${i + 1};\n`).join("");
  const given = await fetch(`${sources}?filename=rules.c`, { method: "POST", body: text, headers });
  assert.ok(given.ok, `${given.status}`);
  const { page, context, faults } = await openPage(browser, { viewport: { width: 1280, height: 400 } });
  await page.goto(profile + source);
  assert.equal(await row(page, 70).evaluate((r) => getComputedStyle(r).contentVisibility), "auto");
  const left = (of) => of.evaluate((e) => Math.round(e.getBoundingClientRect().left));
  for (const cell of ["src-no", "src-count", "src-un", "src-text", "src-sides"])
    assert.equal(
      await left(row(page, 14).locator(`.${cell}`)),
      await left(page.getByTestId("lines").locator(`thead .${cell}`)),
      cell,
    );
  const inSight = (line) =>
    row(page, line).evaluate((r) => {
      const { top, bottom } = r.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  await page.goto(`${profile}${source}#L70`);
  assert.ok(await inSight(70));
  assert.ok(!(await inSight(20)));
  assert.ok(await page.evaluate(() => globalThis.find("line_20;", false, true)), "the text is not found");
  assert.ok(await inSight(20));
  await page.goto(profile + source);
  await page.keyboard.press("n");
  assert.ok(await page.evaluate(() => document.activeElement.closest("tr").matches("[data-gap]")));
  assert.deepEqual(faults, []);
  await context.close();
  await fetch(sources, { method: "DELETE", headers });
});

test("lines lead to their sources on another host, and a bar to gaps on a phone", async () => {
  const body = new FormData();
  body.append("label", "source_url=https://code.example/{commit}/{path}#L{line}");
  body.append("label", "commit=c1");
  for (const name of ["rules.profdata", "rules.exe"])
    body.append("file", new Blob([await readFile(path.join(folder, name))]), name);
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201);
  const linked = `${server.url}/p/${(await answer.json()).id}`;
  const { page, context, faults } = await openPage(browser);
  await page.goto(linked + source);
  const header = page.getByRole("link", { name: "Source at code.example" });
  assert.equal(await header.getAttribute("href"), "https://code.example/c1/rules.c");
  const line = row(page, 14).getByRole("link", { name: "Line 14 at code.example" });
  assert.equal(await line.getAttribute("href"), "https://code.example/c1/rules.c#L14");
  await row(page, 14).locator(".src-count").click();
  await page.getByRole("heading", { name: "Line 14" }).waitFor();
  const inspected = page.getByTestId("line").getByTestId("source-url");
  assert.equal(await inspected.getAttribute("href"), "https://code.example/c1/rules.c#L14");
  assert.equal(await page.getByTestId("gap-bar").isVisible(), false);
  for (const address of [`${source}?sel=14`, "/uncovered", "/mcdc", ""]) {
    await page.goto(linked + address);
    await accessible(page, `${address} with links to sources`);
  }
  assert.deepEqual(faults, []);
  await context.close();

  const phone = await openPage(browser, { viewport: { width: 390, height: 844 }, javaScriptEnabled: false });
  await phone.page.goto(linked + source);
  await phone.page.getByRole("link", { name: "Functions", exact: true }).click();
  const functions = phone.page.getByRole("heading", { name: /^Functions \d/ });
  await until(
    () => functions.evaluate((h) => h.getBoundingClientRect().top < innerHeight),
    () => {},
  );
  const bar = phone.page.getByTestId("gap-bar");
  assert.match(await bar.innerText(), /\d+ gaps/);
  await bar.getByRole("link", { name: /Next gap/ }).click();
  await phone.page.waitForURL(/sel=\d+#L\d+$/);
  assert.match(await bar.innerText(), /1 of \d+ gaps/);
  assert.ok(await bar.getByRole("link", { name: /Next gap/ }).isVisible()); // the sheet stands above it
  await fitsWidth(phone.page, "file with links on a phone");
  await phone.context.close();
});

test("two runs compared by line", async () => {
  const text = await (await fetch(`${profile.replace("/p/", "/api/v1/profiles/")}/export/proftext`)).text();
  const body = new FormData();
  const none = text.replace(
    /(# Counter Values:\n)((?:\d+\n)+)/g,
    (_, head, counters) => head + counters.replace(/\d+/g, "0"),
  );
  body.append("file", new Blob([none]), "none.proftext");
  body.append("file", new Blob([await readFile(path.join(folder, "rules.exe"))]), "rules.exe");
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201);
  const other = (await answer.json()).id;
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/compare/${other}...${profile.split("/").at(-1)}`);
  await page.locator(".segments a", { hasText: "Coverage" }).click();
  await page.waitForURL(/family=coverage/);
  assert.match(
    await page.getByTestId("sentence").innerText(),
    /^\d+ lines newly covered, 0 newly uncovered\./,
  );
  await accessible(page, "coverage compared");
  await page.locator("table a", { hasText: "rules.c" }).first().click();
  await page.waitForURL(/\/lines\?/);
  await page.keyboard.press("n"); // to the first change
  assert.match(await page.locator("tr:focus-within").innerText(), /newly covered/);
  await accessible(page, "lines compared");
  await fitsWidth(page, "lines compared");
  await page.keyboard.press("g");
  await page.waitForURL(/show=all/);
  await page.setViewportSize({ width: 390, height: 844 });
  await accessible(page, "lines compared on a phone");
  await fitsWidth(page, "lines compared on a phone");
  assert.deepEqual(faults, []);
  await context.close();
});
