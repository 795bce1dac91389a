// Bundles every web/**/*.test.ts (Node 20 does not run TypeScript) into a
// temporary folder and runs them with node --test.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = dirname(fileURLToPath(import.meta.url));
const tests = readdirSync(web, { recursive: true }).filter((name) => name.endsWith(".test.ts"));
const out = mkdtempSync(join(tmpdir(), "proflens-web-"));
let status = 1;
try {
  await build({
    entryPoints: tests.map((name) => join(web, name)),
    outdir: out,
    outbase: web,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    sourcemap: "inline",
    logLevel: "warning",
  });
  const files = tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")));
  status =
    spawnSync(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" }).status ??
    1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
process.exit(status);
