// All files of tests in one process with one Chromium, three at a time: a process and a Chromium
// for each file would take a second of the processor. `node --test FILE` runs one.
import { readdirSync } from "node:fs";
import { after, before, describe } from "node:test";
import { startBrowser } from "./harness.mjs";

let browser; // held while files come and go

before(async () => {
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  setTimeout(() => process.exit(1), 60_000).unref(); // what a test that hung has left is still there
});

// A file that takes so long hangs: its first test without a result says where. Idle, it takes seconds.
const timeout = 20 * 60_000;

describe("pages", { concurrency: 3 }, () => {
  for (const file of readdirSync(import.meta.dirname).sort())
    if (file.endsWith(".test.mjs")) describe(file, { concurrency: 1, timeout }, () => import(`./${file}`));
});
