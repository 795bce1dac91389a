// Starts a Proflens of its own and a real Chromium for the browser tests.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const axeSource = await readFile(require.resolve("axe-core/axe.min.js"), "utf8");
export const binary = process.env.PROFLENS_BIN ?? path.resolve(import.meta.dirname, "../../build/proflens");

/** How long is waited for what will come, in ms: the machine may be busy. */
const patience = 5 * 60_000;

/** Does something until it has been enough; a machine that is busy takes more tries. */
export async function until(enough, again) {
  const end = Date.now() + patience;
  while (!(await enough())) {
    assert.ok(Date.now() < end, `it was not enough in ${patience} ms: ${enough}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await again();
  }
}

/** A server with an empty store, on a free port. */
export async function startServer(...flags) {
  const data = await mkdtemp(path.join(os.tmpdir(), "proflens-"));
  const child = spawn(binary, ["serve", "-addr", "localhost:0", "-data", data, "-patience", "10m", ...flags]);
  const ended = once(child, "exit"); // from now on: it may end before it is stopped
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const listen = (chunk) => {
      said += chunk;
      const found = said.match(/http:\/\/[\w.:[\]-]+\d/);
      if (found) resolve(found[0]);
    };
    child.stderr.on("data", listen);
    child.stdout.on("data", listen);
    child.once("exit", (code) => reject(new Error(`proflens serve ended with ${code}: ${said}`)));
  });
  return {
    url,
    data,
    async stop() {
      child.kill("SIGINT"); // after SIGTERM it would listen for a second more
      const late = setTimeout(() => child.kill("SIGABRT"), patience); // Go says then where it hangs
      const [code] = await ended;
      clearTimeout(late);
      await rm(data, { recursive: true, force: true });
      assert.equal(code, 0, `proflens serve ended with ${code}: ${said.slice(-8000)}`);
    },
  };
}

/**
 * A Chromium; each page of it has a context of its own. PROFLENS_SLOW_MO is the pause before
 * each step in ms, as `make test-long` wants it: a test that asks what was true before the page
 * had answered fails then, every time.
 */
const launch = (...flags) =>
  chromium.launch({
    slowMo: Number(process.env.PROFLENS_SLOW_MO ?? 0),
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...flags,
    ],
  });

let shared;
let users = 0;

/** The Chromium that all have who need no flags of their own, until the last of them closes it. */
export async function startBrowser(...flags) {
  if (flags.length) return launch(...flags);
  users++;
  shared ??= launch();
  const browser = await shared;
  return {
    newContext: (options) => browser.newContext(options),
    async close() {
      if (--users > 0) return;
      shared = undefined;
      await browser.close();
    },
  };
}

/** A page that fails the test on a script error or a violated content policy. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const faults = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      faults.push(message.text());
  });
  return { page, context, faults };
}

/**
 * Whether axe sees every page in the dark and on a phone too, and measures it, as `make test-long`
 * wants it: it takes a second or two a page. Otherwise it reads them in the light at the desk, and
 * looks.test.mjs has it measure the kinds of pages, and see them in the dark on a phone.
 */
const everyLook = process.env.PROFLENS_LOOKS === "all";

/** Those of the looks of a page that are to be seen: all, or the first, which is light. */
export const looks = (all) => (everyLook ? all : all.slice(0, 1));

/**
 * Rows of a table that axe reads: they come from one template, so the next hundred are like
 * these, and it takes a hundredth of a second for each. `make test-long` has it read all.
 */
const rowsRead = everyLook ? Infinity : 12;

/** Rules for which axe measures what is laid out: four fifths of what all of them take. */
const colours = ["color-contrast", "link-in-text-block"];
const measuring = [...colours, "target-size"];

/**
 * Asserts that axe finds nothing, and that the stylesheet was there. In the dark at the
 * desk it asks for colours alone: the rest is as in the light, which each test sees too.
 */
export async function accessible(page, what, { inEveryLook = everyLook } = {}) {
  await page.waitForLoadState(); // of half a page, links have no text yet
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.notEqual(background, "rgba(0, 0, 0, 0)", `${what}: the stylesheet did not load`);
  const elsewhere = "(prefers-color-scheme: dark), (max-width: 999px)";
  if (!inEveryLook && (await page.evaluate((query) => matchMedia(query).matches, elsewhere))) return;
  await page.evaluate(`${axeSource};0`); // not a script element: the content policy forbids those
  // Rows that are laid out when they come in sight have no size before, and axe measures them.
  await page.evaluate((rowsRead) => {
    globalThis.unread = [...document.querySelectorAll("tbody")].map((body) => {
      const rows = [...body.children].slice(rowsRead);
      if (!rows.some((row) => row.contains(document.activeElement))) for (const row of rows) row.remove();
      return [body, rows];
    });
    const laidOut = new CSSStyleSheet();
    laidOut.replaceSync("* { content-visibility: visible !important }");
    document.adoptedStyleSheets.push(laidOut);
  }, rowsRead);
  const found = await page.evaluate(
    ([dark, off]) =>
      globalThis.axe.run(document, {
        runOnly: matchMedia("(prefers-color-scheme: dark) and (min-width: 1000px)").matches
          ? dark
          : ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
        rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
        resultTypes: ["violations"], // of what passes it need not say where
      }),
    [colours, inEveryLook ? [] : measuring],
  );
  await page.evaluate(() => {
    for (const [body, rows] of globalThis.unread) body.append(...rows);
    document.adoptedStyleSheets.pop();
  });
  const said = found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.target).join(" | ")}`);
  assert.deepEqual(said, [], what);
}

/** Asserts that nothing sticks out of the window sideways. */
export async function fitsWidth(page, what) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(over <= 0, `${what}: ${over} px wider than the window`);
}

/** Uploads a file and returns the profile's id once it is decoded, or failed. */
export async function put(server, file, name = path.basename(file)) {
  const res = await fetch(`${server.url}/api/v1/profiles/${name}?wait=5m`, {
    method: "PUT",
    body: await readFile(file),
  });
  const answer = await res.json();
  assert.ok(answer.id, `PUT ${name} answered ${res.status}`);
  return answer.id;
}

/** A real profile of the project's test data. */
export const fixture = (name) => path.resolve(import.meta.dirname, "../../handlers", name);
