// Text of sources: a folder dropped beside a profile, or chosen on the page of a file, gives
// what the profile names, and nothing else.
import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, openPage, startBrowser, startServer } from "./harness.mjs";

const kinds = path.resolve(import.meta.dirname, "../../decode/covmap/testdata/clang-22/kinds");
const profile = ["kinds.covmapping", "kinds.profdata"].map((name) => path.join(kinds, name));

let server;
let browser;
let folder;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  folder = path.join(await mkdtemp(path.join(os.tmpdir(), "proflens-")), "checkout");
  for (const name of ["src", "vendor"])
    await cp(path.join(kinds, name), path.join(folder, name), { recursive: true });
  await writeFile(path.join(folder, "secret.txt"), "decoy");
  await writeFile(path.join(folder, "src/own_secret.c"), "int decoy;\n");
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(path.dirname(folder), { recursive: true, force: true });
});

/** Drops files and folders as a person does: scripts see folders of real drops alone. */
async function drop(page, files) {
  const cdp = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await cdp.send("Input.dispatchDragEvent", { type, x: 300, y: 200, data });
}

test("a folder dropped beside a profile, and one that is chosen later", async () => {
  const { page, context, faults } = await openPage(browser);
  const asked = [];
  page.on("request", (request) => asked.push(request.postData() ?? ""));
  await page.addInitScript(() => {
    globalThis.sent = [];
    const { append } = FormData.prototype;
    FormData.prototype.append = function (...args) {
      if (args[1] instanceof Blob) globalThis.sent.push(args[2]);
      return append.apply(this, args);
    };
  });
  await page.goto(server.url);
  await drop(page, [...profile, folder]);
  const sources = page.getByTestId("upload-sources");
  assert.match(await sources.innerText(), /checkout\/[\s\S]*nothing else leaves this machine/);
  await accessible(page, "a folder beside a profile");
  await page.getByRole("button", { name: "Upload", exact: true }).click();

  const receipt = page.getByTestId("upload-receipt");
  await receipt.getByText("2 of 3 sources; 1 missing").click();
  assert.match(await receipt.innerText(), /tests\/own_test\.c/);
  await accessible(page, "the receipt");
  const sent = await page.evaluate(() => globalThis.sent);
  assert.deepEqual(sent.toSorted(), [
    "/kinds/src/own.c",
    "/kinds/vendor/dep/dep.c",
    "kinds.covmapping",
    "kinds.profdata",
  ]);
  assert.ok(asked.every((body) => !/decoy|secret/.test(body)));
  await page.getByTestId("open-profile").click();
  await page.waitForURL(/\/p\//);

  await page.goto(`${page.url()}/files/kinds/tests/own_test.c`);
  const panel = page.getByTestId("notext");
  await panel.locator("summary").click();
  assert.match(await panel.innerText(), /nothing else leaves this machine/);
  await accessible(page, "asking for text");
  await page.setViewportSize({ width: 390, height: 800 });
  await fitsWidth(page, "asking for text");
  await panel.locator("[data-sources]").setInputFiles(kinds);
  await panel.getByText("3 of 3 sources").waitFor();
  await panel.getByRole("button", { name: "Show them" }).click();
  await page.getByTestId("lines").getByText("main").first().waitFor();
  assert.equal(await page.getByTestId("notext").count(), 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a folder is added to the files that are shown, and taken away", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await page.locator("[data-upload-input]").setInputFiles(profile[1]);
  await page.waitForURL(/\/p\//); // one file alone is sent at once
  await page.goto(server.url);
  await page.locator("[data-upload-input]").setInputFiles([profile[1], path.join(folder, "secret.txt")]);
  await page.getByRole("button", { name: "Add sources…" }).waitFor();
  await page.locator("[data-upload-folder]").setInputFiles(folder);
  await page.getByTestId("upload-sources").waitFor();
  await page.getByRole("button", { name: "Remove the sources in checkout" }).click();
  assert.equal(await page.getByTestId("upload-sources").count(), 0);
  await page.locator("[data-upload-folder]").setInputFiles(folder);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  // This profile has no program: the upload stands, and the reason is told.
  await page.getByTestId("upload-receipt").getByText("The profile names no source files").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});
