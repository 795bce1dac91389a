// Runs every *.test.mjs, or those that are named, beside each other, in one Chromium that
// they all connect to: each page has a context of its own.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { serveBrowser } from "./harness.mjs";

const here = import.meta.dirname;
const named = process.argv.slice(2);
const files = readdirSync(here)
  .filter((name) => name.endsWith(".test.mjs") && (!named.length || named.some((n) => name.startsWith(n))))
  .map((name) => path.join(here, name));
const browser = await serveBrowser();
const child = spawn(process.execPath, ["--test", "--test-concurrency=2", ...files], {
  stdio: "inherit",
  env: { ...process.env, PROFLENS_BROWSER: browser.wsEndpoint() },
});
process.exitCode = await new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
await browser.close();
